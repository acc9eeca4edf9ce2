//! Sorting packed arrays by their values.

use std::any::type_name;
use std::cmp::Ordering;
use std::ops::Range;

use super::group::swap_members;
use super::{Component, ComponentType, GroupInfo, World};

impl World {
    /// Sorts the packed array of a component; a stable sort, `O(n log n)`. Entities and handles
    /// stay the same; only the order of the array changes. A query follows it only if it starts from this
    /// array, the smallest of those it requires. To iterate over several components in order, create a
    /// group of them and use [`GroupMut::sort_by`](super::GroupMut::sort_by).
    ///
    /// # Panics
    /// A group owns the array: [`GroupMut::sort_by`](super::GroupMut::sort_by) sorts the group instead.
    /// May panic if `compare` is no total order; the order of the array is unchanged then.
    #[cfg_attr(not(web), track_caller)]
    pub fn sort_by<T: Component>(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        let component = self.register::<T>();
        assert!(
            self.index.array(component).owner().is_none(),
            "component {} is owned by a group: sort the group instead",
            type_name::<T>(),
        );
        let all = 0..self.index.array(component).len();
        let order = order_by(self.columns[component.index()].values::<T>(), all.clone(), compare);
        permute(all, &order, |to, from| {
            self.index.array_mut(component).swap(to, from);
            self.columns[component.index()].swap(to, from);
        });
    }

    /// Sorts a section of the members of `group`, the innermost group of which all of them are members,
    /// by the values of `key`, whose type is `T`.
    pub(super) fn sort_section<T: Component>(
        &mut self,
        group: &GroupInfo,
        section: Range<usize>,
        key: ComponentType,
        compare: impl FnMut(&T, &T) -> Ordering,
    ) {
        let values = self.columns[key.index()].values::<T>();
        let order = order_by(values, section.clone(), compare);
        for list in group.lists() {
            let arrays = group.owned.intersection(self.index.arrays_of(list));
            permute(section.clone(), &order, |to, from| {
                swap_members(&mut self.index, &mut self.columns, (list, arrays), [to, from]);
            });
        }
    }
}

/// Returns the indices of a section of `values` in ascending order of the values.
fn order_by<T>(
    values: &[T],
    section: Range<usize>,
    mut compare: impl FnMut(&T, &T) -> Ordering,
) -> Vec<usize> {
    let mut order: Vec<_> = section.collect();
    order.sort_by(|&a, &b| compare(&values[a], &values[b]));
    order
}

/// Calls `swap(to, from)` until the elements of a section are in the order of their former indices.
fn permute(section: Range<usize>, order: &[usize], mut swap: impl FnMut(usize, usize)) {
    let (start, mut order) = (section.start, order.to_vec());
    for to in section {
        // Follows the element to where earlier swaps have moved it.
        let mut from = order[to - start];
        while from < to {
            from = order[from - start];
        }
        order[to - start] = from;
        if from != to {
            swap(to, from);
        }
    }
}
