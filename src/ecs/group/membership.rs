//! Moving entities into groups and out of them.

use super::GroupInfo;
use crate::ecs::column::Column;
use crate::ecs::index::Index;
use crate::ecs::signature::ones;
use crate::ecs::{Signature, World};

impl World {
    /// Takes the entity in `slot` out of the groups that match `before` but not `after`. Components that
    /// it keeps move to the tails of their arrays. Values of components that it loses become the last of their arrays, and are
    /// not in the index any more; returns these components.
    #[inline]
    pub(in crate::ecs) fn leave_groups(
        &mut self,
        slot: u32,
        before: Signature,
        after: Signature,
    ) -> Signature {
        let (lost, gained) = (before.difference(after), after.difference(before));
        let mut removed = Signature::EMPTY;
        if lost.is_disjoint(self.owned) && gained.is_disjoint(self.excluded) {
            return removed;
        }
        let Self { index, columns, groups, .. } = self;
        // From the innermost group out.
        for group in groups.iter_mut().rev() {
            if group.matches(before) && !group.matches(after) {
                group.len -= 1;
                removed = removed.union(group.outermost.intersection(lost));
                leave_group(group, slot, lost, index, columns);
            }
        }
        removed
    }

    /// Adds the new entity in `slot`, of which all values were appended to their arrays, to the index and
    /// to all groups that it matches.
    #[inline]
    pub(in crate::ecs) fn place_new(&mut self, slot: u32, signature: Signature) {
        let Self { index, columns, groups, .. } = self;
        index.set_signature(slot, signature);
        let mut lists = 0;
        for component in signature {
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
        for group in groups.iter_mut().filter(|group| group.matches(signature)) {
            for list in group.lists() {
                // At the end of the whole list it is in place already.
                if group.len + 1 < index.list(list).len() {
                    let moved = group.owned.intersection(index.arrays_of(list));
                    let moved = moved.difference(group.outermost);
                    let places = [index.position(slot, list), group.len];
                    swap_members(index, columns, (list, moved), places);
                }
            }
            group.len += 1;
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
        for component in given.difference(joined) {
            self.index.array_mut(component).push(slot);
        }
    }

    /// Gives the entity in `slot` the signature `after`, and moves it into the groups that match it but not
    /// `before`. The values of the components in `given` are at the ends of their arrays. Returns the
    /// components whose outermost owner it has joined.
    #[inline]
    pub(in crate::ecs) fn enter_groups(
        &mut self,
        slot: u32,
        before: Signature,
        after: Signature,
        given: Signature,
    ) -> Signature {
        self.index.set_signature(slot, after);
        let (lost, gained) = (before.difference(after), after.difference(before));
        let mut joined = Signature::EMPTY;
        if gained.is_disjoint(self.owned) && lost.is_disjoint(self.excluded) {
            return joined;
        }
        let Self { index, columns, groups, .. } = self;
        for group in groups.iter_mut() {
            if group.matches(after) && !group.matches(before) {
                joined = joined.union(group.outermost);
                append_member(group, slot, given, index, columns);
            }
        }
        joined
    }
}

/// Takes a member out of a group whose length was decremented already.
fn leave_group(
    group: &GroupInfo,
    slot: u32,
    lost: Signature,
    index: &mut Index,
    columns: &mut [Column],
) {
    for list in group.lists() {
        let arrays = group.owned.intersection(index.arrays_of(list));
        let places = [index.position(slot, list), group.len];
        swap_members(index, columns, (list, arrays), places);
        let leaving = arrays.intersection(group.outermost);
        for component in leaving {
            let array = index.array_mut(component);
            if !lost.contains(component) {
                array.leave(slot);
            } else if array.pop_member() {
                columns[component.index()].swap(array.aligned(), array.len());
            }
        }
        if leaving == arrays {
            index.pop_member(list);
        }
    }
}

/// Moves the entity in `slot` to the end of the prefix of every owned array. The values of the components in
/// `given` are at the ends of their arrays; the index has all others.
pub(super) fn append_member(
    group: &mut GroupInfo,
    slot: u32,
    given: Signature,
    index: &mut Index,
    columns: &mut [Column],
) {
    let last = group.len;
    group.len += 1;
    for list in group.lists() {
        let arrays = group.owned.intersection(index.arrays_of(list));
        // Those of groups around this one, of which the entity is a member.
        let moved = arrays.difference(group.outermost);
        if moved.is_empty() {
            index.push_member(slot, list);
        } else {
            let places = [index.position(slot, list), last];
            swap_members(index, columns, (list, moved), places);
        }
    }
    for component in group.outermost {
        let array = index.array_mut(component);
        let from = if given.contains(component) { array.push_member() } else { array.join(slot) };
        if from != last {
            columns[component.index()].swap(last, from);
        }
    }
}

/// Swaps two members of a list, which may be the same, and their elements in some of its arrays.
#[inline]
pub(in crate::ecs) fn swap_members(
    index: &mut Index,
    columns: &mut [Column],
    (list, arrays): (u8, Signature),
    [a, b]: [usize; 2],
) {
    if a != b {
        index.swap_members(list, a, b);
        for component in arrays {
            columns[component.index()].swap(a, b);
        }
    }
}
