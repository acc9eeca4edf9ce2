//! Index operations on the member lists.

use std::ops::Range;

use super::Index;
use super::array::Owner;
use super::member_list::MemberList;
use super::row::ABSENT;
use crate::ecs::{ComponentType, Signature};

impl Index {
    /// Adds a member list and returns its number. A list of which no group is left is used again.
    pub(in crate::ecs) fn add_list(&mut self, members: &[u32]) -> u8 {
        let unused = self.lists.iter().position(|list| list.arrays.is_empty());
        let list = unused.unwrap_or_else(|| {
            self.lists.push(MemberList::default());
            self.lists.len() - 1
        }) as u8;
        for &slot in members {
            self.push_member(slot, list);
        }
        list
    }

    /// Returns the numbers of the member lists.
    pub(in crate::ecs) fn lists(&self) -> Range<u8> {
        0..self.lists.len() as u8
    }

    /// Returns the slots of a member list.
    #[inline]
    pub(in crate::ecs) fn list(&self, list: u8) -> &[u32] {
        &self.lists[list as usize].slots
    }

    /// Returns the packed arrays that have their elements in the order of a list.
    #[inline]
    pub(in crate::ecs) fn arrays_of(&self, list: u8) -> Signature {
        self.lists[list as usize].arrays
    }

    /// Makes a group the outermost owner of a packed array. The members of the previous owner, if there
    /// is one, must be the first of the list.
    pub(in crate::ecs) fn set_owner(&mut self, component: ComponentType, owner: Owner) {
        for (list, number) in self.lists.iter_mut().zip(0..) {
            list.arrays = list.arrays.without(component);
            if number == owner.list {
                list.arrays = list.arrays.with(component);
            }
        }
        self.array_mut(component).set_owner(owner);
    }

    /// Makes no group the owner of a packed array, of which no element is aligned any more.
    pub(in crate::ecs) fn remove_owner(&mut self, component: ComponentType) {
        for list in &mut self.lists {
            list.arrays = list.arrays.without(component);
        }
        self.array_mut(component).remove_owner(component);
    }

    /// Removes the members of each list that have no element in an array of this list any more.
    pub(in crate::ecs) fn trim_lists(&mut self) {
        for list in self.lists() {
            let arrays = self.arrays_of(list).iter();
            let longest = arrays.map(|array| self.array(array).aligned()).max();
            self.truncate_list(list, longest.unwrap_or(0));
        }
    }

    /// Removes the members of a list from a position on.
    pub(super) fn truncate_list(&mut self, list: u8, len: usize) {
        let Self { rows, lists, .. } = self;
        for slot in lists[list as usize].slots.drain(len..) {
            if list == 0 {
                rows[slot as usize].position = ABSENT;
            }
        }
    }

    /// Returns the position of the entity in `slot`, which is a member, in a list.
    #[inline]
    pub(in crate::ecs) fn position(&self, slot: u32, list: u8) -> usize {
        let position = match list {
            0 => self.row(slot).position,
            _ => self.lists[list as usize].position(slot),
        };
        position as usize
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "called twice by each move within a list")]
    pub(super) fn set_position(&mut self, slot: u32, list: u8, position: usize) {
        let cell = match list {
            0 => &mut self.row_mut(slot).position,
            _ => self.lists[list as usize].position_mut(slot),
        };
        *cell = position as u32;
    }

    /// Appends a member to a list.
    #[inline]
    pub(in crate::ecs) fn push_member(&mut self, slot: u32, list: u8) {
        let members = &mut self.lists[list as usize].slots;
        let position = members.len();
        members.push(slot);
        self.set_position(slot, list, position);
    }

    /// Removes the last member of a list.
    pub(in crate::ecs) fn pop_member(&mut self, list: u8) {
        let len = self.list(list).len();
        self.truncate_list(list, len - 1);
    }

    /// Removes a member of a list, which is about to be destroyed, by swap-remove, and returns its former
    /// position.
    #[inline]
    pub(in crate::ecs) fn remove_member(&mut self, slot: u32, list: u8) -> usize {
        let hole = self.position(slot, list);
        let members = &mut self.lists[list as usize].slots;
        members.swap_remove(hole);
        if let Some(&moved) = members.get(hole) {
            self.set_position(moved, list, hole);
        }
        hole
    }

    /// Swaps two members of a list.
    #[inline]
    pub(in crate::ecs) fn swap_members(&mut self, list: u8, a: usize, b: usize) {
        let members = &mut self.lists[list as usize].slots;
        members.swap(a, b);
        let (at_a, at_b) = (members[a], members[b]);
        self.set_position(at_a, list, a);
        self.set_position(at_b, list, b);
    }
}
