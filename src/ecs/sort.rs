//! Sort: the elements of an array, or the members of a group, in a wanted order.

use std::cmp::Ordering;

use super::{Component, Error, GroupId, Signature, World};

impl World {
    /// Sorts the packed array of a component, equal ones keeping their order. `O(n log n)`;
    /// entities and handles stay as they are, only the order of iteration changes.
    ///
    /// # Errors
    /// The component is not registered, or a group owns it: sort the group instead.
    pub fn sort_by<T: Component>(
        &mut self,
        compare: impl FnMut(&T, &T) -> Ordering,
    ) -> Result<(), Error> {
        let component = self.component_type::<T>()?;
        if self.groups.iter().any(|group| group.owns(component)) {
            return Err(Error::OwnedByGroup(std::any::type_name::<T>()));
        }
        let len = self.index.members(component).len();
        self.sort_range::<T>(Signature::EMPTY.with(component), 0, len, compare)
    }

    /// Sorts the members of a group by one of the components it owns, equal ones keeping their
    /// order; all owned arrays stay parallel. Members of a group nested inside stay in front,
    /// sorted among themselves.
    ///
    /// # Errors
    /// The group belongs to another world or does not own the component.
    pub fn sort_group_by<T: Component>(
        &mut self,
        group: GroupId,
        mut compare: impl FnMut(&T, &T) -> Ordering,
    ) -> Result<(), Error> {
        let component = self.component_type::<T>()?;
        self.check_owned(group, Signature::EMPTY.with(component))?;
        let group = *self.find_group(group)?;
        let inside = self.groups.iter().filter(|other| group.is_around(other));
        // The group itself and those inside it, whose lengths cut the array into parts.
        let mut ends: Vec<_> = inside.map(|inner| (inner.len(), inner.owned())).collect();
        ends.sort_by_key(|&(len, owned)| (len, std::cmp::Reverse(owned.len())));
        let mut start = 0;
        for (end, owned) in ends {
            self.sort_range(owned, start, end, &mut compare)?;
            start = end;
        }
        Ok(())
    }

    /// Sorts the elements `start..end` of the arrays of `components`, which lie parallel there, by
    /// their `T`.
    fn sort_range<T: Component>(
        &mut self,
        components: Signature,
        start: usize,
        end: usize,
        mut compare: impl FnMut(&T, &T) -> Ordering,
    ) -> Result<(), Error> {
        let values = self.view::<T>()?.values();
        let mut order: Vec<_> = (start..end).collect();
        order.sort_by(|&a, &b| compare(&values[a], &values[b]));
        for component in components.iter() {
            let mut order = order.clone();
            for to in start..end {
                // Where the wanted element lies now, after the swaps so far.
                let mut from = order[to - start];
                while from < to {
                    from = order[from - start];
                }
                order[to - start] = from;
                if from != to {
                    self.index.swap(component, to, from);
                    self.columns[component.index()].swap(to, from);
                }
            }
        }
        Ok(())
    }
}
