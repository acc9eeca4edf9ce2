//! Moving entities into groups and out of them.

use crate::ecs::{ComponentType, Signature, World};

impl World {
    /// Takes the entity in `slot` out of the groups that match `before` but not `after`.
    #[inline]
    pub(in crate::ecs) fn leave_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        if self.grouped.intersection(before) == self.grouped.intersection(after) {
            return;
        }
        // From the innermost group out.
        for number in (0..self.groups.len()).rev() {
            let group = &mut self.groups[number];
            if group.matches(before) && !group.matches(after) {
                group.len -= 1;
                let (owned, last) = (group.owned, group.len);
                let position = group.dense(&self.index, slot);
                for component in owned.iter() {
                    self.swap(component, position, last);
                }
            }
        }
    }

    /// Moves the entity in `slot` into the groups that match `after` but not `before`.
    #[inline]
    pub(in crate::ecs) fn enter_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        if self.grouped.intersection(before) == self.grouped.intersection(after) {
            return;
        }
        for number in 0..self.groups.len() {
            let group = &self.groups[number];
            if group.matches(after) && !group.matches(before) {
                self.append_member(number, slot);
            }
        }
    }

    /// Moves the entity in `slot` to the end of the prefix of every owned array.
    pub(super) fn append_member(&mut self, number: usize, slot: u32) {
        let group = &mut self.groups[number];
        let (owned, last) = (group.owned, group.len);
        group.len += 1;
        for component in owned.iter() {
            self.swap(component, self.index.dense(slot)[component.index()] as usize, last);
        }
    }

    /// Swaps two elements of a packed array, which may be the same.
    #[inline]
    pub(in crate::ecs) fn swap(&mut self, component: ComponentType, a: usize, b: usize) {
        if a != b {
            self.index.swap(component, a, b);
            self.columns[component.index()].swap(a, b);
        }
    }
}
