//! Sorting packed arrays by their values.

use std::any::type_name;
use std::cmp::Ordering;
use std::ops::Range;

use super::{Component, ComponentType, Error, Signature, World};

impl World {
    /// Sorts the packed array of a component; a stable sort, `O(n log n)`. Entities and handles
    /// stay the same; only the order of iteration changes.
    ///
    /// # Errors
    /// The component is not registered, or a group owns it (see
    /// [`GroupMut::sort_by`](super::GroupMut::sort_by)).
    pub fn sort_by<T: Component>(
        &mut self,
        compare: impl FnMut(&T, &T) -> Ordering,
    ) -> Result<(), Error> {
        let component = self.component_type::<T>()?;
        if self.groups.iter().any(|group| group.owned.contains(component)) {
            return Err(Error::OwnedByGroup(type_name::<T>()));
        }
        let all = 0..self.index.members(component).len();
        self.sort_range(Signature::EMPTY.with(component), all, component, compare);
        Ok(())
    }

    /// Sorts a section of the arrays of `components`, which are parallel there, by the values of
    /// `key`, whose type is `T`.
    pub(super) fn sort_range<T: Component>(
        &mut self,
        components: Signature,
        section: Range<usize>,
        key: ComponentType,
        mut compare: impl FnMut(&T, &T) -> Ordering,
    ) {
        let start = section.start;
        let values = self.columns[key.index()].values::<T>();
        let mut order: Vec<_> = section.clone().collect();
        order.sort_by(|&a, &b| compare(&values[a], &values[b]));
        for component in components.iter() {
            let mut order = order.clone();
            for to in section.clone() {
                // Follows the element to where earlier swaps have moved it.
                let mut from = order[to - start];
                while from < to {
                    from = order[from - start];
                }
                order[to - start] = from;
                self.swap(component, to, from);
            }
        }
    }
}
