//! The state of an index with the lists and arrays of a world: its validation, and restoring it.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use super::Index;
use super::cells::{ABSENT, DEAD, GENERATION, POSITION, SIGNATURE, signature};
use crate::ecs::{ComponentType, GroupInfo, Limits, Signature};

/// Everything in an index except the identity and the limits of the world.
pub(in crate::ecs) struct IndexState {
    pub(super) rows: Vec<u32>,
    pub(super) stride: usize,
    pub(super) first_free: u32,
    pub(super) next_fresh: u32,
    /// The slots in each member list.
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) tails: Vec<VecDeque<u32>>,
}

pub(super) fn lives(row: &[u32]) -> bool {
    row[GENERATION] & DEAD == 0
}

/// Returns the length of the outermost group that owns an array; 0 without one.
pub(super) fn aligned(component: ComponentType, groups: &[GroupInfo]) -> usize {
    let owner = groups.iter().find(|group| group.outermost.contains(component));
    owner.map_or(0, |owner| owner.len)
}

impl IndexState {
    fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.rows.chunks_exact(self.stride)
    }

    /// Returns the row of a living entity.
    fn living(&self, slot: u32) -> Option<&[u32]> {
        let start = (slot as usize).checked_mul(self.stride)?;
        self.rows.get(start..)?.get(..self.stride).filter(|row| lives(row))
    }

    /// Returns the signatures of all living entities.
    fn signatures(&self) -> impl Iterator<Item = Signature> {
        self.rows().filter(|row| lives(row)).map(signature)
    }

    /// Returns `true` if this is a possible state of a world with the limits, lists and arrays of
    /// `index`, with these groups, and with packed arrays of these lengths.
    pub(in crate::ecs) fn is_valid(
        &self,
        index: &Index,
        groups: &[GroupInfo],
        lens: &[usize],
    ) -> bool {
        let rows = self.rows().len();
        rows == self.next_fresh as usize
            && self.signatures().count() <= index.limits.entities as usize
            && self.rows().all(|row| self.is_row_valid(row, index.limits))
            && self.free_slots().is_some()
            && groups.iter().all(|group| self.is_group_valid(group))
            && (0..lens.len() as u8).map(ComponentType::new).all(|component| {
                let aligned = aligned(component, groups);
                aligned.checked_add(self.tails[component.index()].len())
                    == Some(lens[component.index()])
                    && self.is_tail_valid(component, index)
            })
    }

    fn is_row_valid(&self, row: &[u32], limits: Limits) -> bool {
        let signature = if lives(row) { signature(row) } else { Signature::EMPTY };
        (1..=limits.generation).contains(&(row[GENERATION] & !DEAD))
            && signature.iter().all(|component| component.index() < self.tails.len())
    }

    /// Returns `true` if exactly the first members of each of its lists are the members of a group.
    fn is_group_valid(&self, group: &GroupInfo) -> bool {
        let count = self.signatures().filter(|&signature| group.matches(signature)).count();
        count == group.len
            && group.lists().all(|list| {
                let members = self.lists[list as usize].get(..group.len).unwrap_or_default();
                members.len() == group.len
                    && members.iter().zip(0..).all(|(&slot, position)| {
                        self.living(slot).is_some_and(|row| {
                            row[POSITION + list as usize] == position
                                && group.matches(signature(row))
                        })
                    })
            })
    }

    /// Returns `true` if a tail has each entity with the component once that is no member of the owner
    /// of the array.
    fn is_tail_valid(&self, component: ComponentType, index: &Index) -> bool {
        let array = index.array(component);
        let belongs =
            |signature: Signature| signature.contains(component) && array.list(signature).is_none();
        let tail = &self.tails[component.index()];
        let mut seen = vec![false; self.rows().len()];
        self.signatures().filter(|&signature| belongs(signature)).count() == tail.len()
            && tail.iter().all(|&slot| {
                let signature = self.living(slot).map(signature);
                signature.is_some_and(belongs) && !std::mem::replace(&mut seen[slot as usize], true)
            })
    }

    /// Returns the length of the free list; `None` if it contains a slot that is not dead, or does
    /// not end.
    fn free_slots(&self) -> Option<u32> {
        let mut next = self.first_free;
        for length in 0..=self.rows().len() {
            if next == ABSENT {
                return Some(length as u32);
            }
            next = self.rows().nth(next as usize).filter(|row| !lives(row))?[SIGNATURE];
        }
        None
    }
}

impl Index {
    /// Replaces the content of the index by a valid state of a world with these groups.
    pub(in crate::ecs) fn restore(&mut self, state: IndexState, groups: &[GroupInfo]) {
        let all = (0..self.arrays.len() as u8).map(ComponentType::new);
        let aligned: Vec<_> = all.map(|component| aligned(component, groups)).collect();
        self.free = state.free_slots().unwrap_or_default();
        self.alive = state.signatures().count() as u32;
        self.rows = state.rows;
        self.first_free = state.first_free;
        for (list, slots) in self.lists.iter_mut().zip(state.lists) {
            list.slots = slots;
        }
        for ((array, tail), aligned) in self.arrays.iter_mut().zip(state.tails).zip(aligned) {
            array.replace(aligned, tail);
        }
        self.fresh.next.store(state.next_fresh, Ordering::Relaxed);
    }
}
