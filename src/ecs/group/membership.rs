//! Moving entities into groups and out of them.

use crate::ecs::signature::ones;
use crate::ecs::{Signature, World};

impl World {
    /// Takes the entity in `slot` out of the groups that match `before` but not `after`. Its elements
    /// in their arrays become those of an entity outside of the groups.
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
                self.leave_group(number, slot);
            }
        }
    }

    fn leave_group(&mut self, number: usize, slot: u32) {
        let group = self.groups[number];
        for list in group.lists() {
            let arrays = group.owned.intersection(self.index.arrays_of(list));
            self.swap_members(list, arrays, self.index.position(slot, list), group.len);
            let leaving = arrays.intersection(group.outermost);
            for component in leaving.iter() {
                self.index.array_mut(component).leave(slot);
            }
            if leaving == arrays {
                self.index.pop_member(list);
            }
        }
    }

    /// Adds the new entity in `slot`, of which all values were appended to their arrays, to the index and
    /// to all groups that it matches.
    #[inline]
    pub(in crate::ecs) fn place_new(&mut self, slot: u32, signature: Signature) {
        let Self { index, columns, groups, .. } = self;
        index.set_signature(slot, signature);
        let mut lists = 0;
        for component in signature.iter() {
            let array = index.array_mut(component);
            let Some(list) = array.list(signature) else {
                array.push(slot);
                continue;
            };
            lists |= 1 << list;
            let (to, from) = (array.aligned(), array.push_member());
            if from != to {
                columns[component.index()].swap(to, from);
            }
        }
        ones(lists).for_each(|list| index.push_member(slot, list));
        if lists == 0 {
            return;
        }
        // It is the last member of the outermost groups. Nested ones have it at their own end.
        for number in 0..groups.len() {
            let group = &mut self.groups[number];
            if !group.matches(signature) {
                continue;
            }
            let last = group.len;
            group.len += 1;
            let (lists, owned, outermost) = (group.lists, group.owned, group.outermost);
            for list in ones(lists) {
                // At the end of the whole list it is in place already.
                if last + 1 < self.index.list(list).len() {
                    let moved =
                        owned.intersection(self.index.arrays_of(list)).difference(outermost);
                    self.swap_members(list, moved, self.index.position(slot, list), last);
                }
            }
        }
    }

    /// Adds the entity in `slot`, of which the values of the components in `given` were appended to
    /// their arrays, to the index, and moves it into the groups that match `after` but not `before`.
    #[inline]
    pub(in crate::ecs) fn place(
        &mut self,
        slot: u32,
        before: Signature,
        after: Signature,
        given: Signature,
    ) {
        let joined = self.enter_groups(slot, before, after, given);
        for component in given.difference(joined).iter() {
            self.index.array_mut(component).push(slot);
        }
    }

    /// Gives the entity in `slot` the signature `after`, and moves it into the groups that match it but not
    /// `before`. The values of the components in `given` are at the ends of their arrays. Returns the
    /// components of which it became a member of the outermost owner.
    #[inline]
    pub(in crate::ecs) fn enter_groups(
        &mut self,
        slot: u32,
        before: Signature,
        after: Signature,
        given: Signature,
    ) -> Signature {
        self.index.set_signature(slot, after);
        if self.grouped.intersection(before) == self.grouped.intersection(after) {
            return Signature::EMPTY;
        }
        let mut joined = Signature::EMPTY;
        for number in 0..self.groups.len() {
            let group = &self.groups[number];
            if group.matches(after) && !group.matches(before) {
                joined = joined.union(group.outermost);
                self.append_member(number, slot, given);
            }
        }
        joined
    }

    /// Moves the entity in `slot` to the end of the prefix of every owned array. The values of the
    /// components in `given` are at the ends of their arrays; the index has all others.
    pub(super) fn append_member(&mut self, number: usize, slot: u32, given: Signature) {
        let group = &mut self.groups[number];
        let last = group.len;
        group.len += 1;
        let group = *group;
        for list in group.lists() {
            let arrays = group.owned.intersection(self.index.arrays_of(list));
            // Those of groups around this one, of which the entity is a member.
            let moved = arrays.difference(group.outermost);
            if moved.is_empty() {
                self.index.push_member(slot, list);
            } else {
                self.swap_members(list, moved, self.index.position(slot, list), last);
            }
        }
        for component in group.outermost.iter() {
            let array = self.index.array_mut(component);
            let from =
                if given.contains(component) { array.push_member() } else { array.join(slot) };
            if from != last {
                self.columns[component.index()].swap(last, from);
            }
        }
    }

    /// Swaps two members of a list, which may be the same, and their elements in `arrays`.
    #[inline]
    pub(in crate::ecs) fn swap_members(&mut self, list: u8, arrays: Signature, a: usize, b: usize) {
        if a != b {
            self.index.swap_members(list, a, b);
            for component in arrays.iter() {
                self.columns[component.index()].swap(a, b);
            }
        }
    }
}
