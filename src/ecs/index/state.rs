//! The part of the index that a snapshot holds, and its validation.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::Index;
use super::cells::{ABSENT, DEAD, GENERATION, POSITION, SIGNATURE};
use super::member_list::MemberList;
use crate::ecs::{ComponentType, GroupInfo, Limits, Signature};

/// Everything in an index except the identity and the limits of the world.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct IndexState {
    rows: Vec<u32>,
    first_free: u32,
    next_fresh: u32,
    /// The packed arrays of each member list, and its members.
    lists: Vec<(Signature, Vec<u32>)>,
    tails: Vec<VecDeque<u32>>,
}

fn lives(row: &[u32]) -> bool {
    row[GENERATION] & DEAD == 0
}

/// Returns the length of the outermost group that owns an array; 0 without one.
fn aligned(component: ComponentType, groups: &[GroupInfo]) -> usize {
    let owner = groups.iter().find(|group| group.outermost.contains(component));
    owner.map_or(0, |owner| owner.len)
}

impl IndexState {
    fn stride(&self) -> usize {
        POSITION + self.lists.len()
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.rows.chunks_exact(self.stride())
    }

    /// Returns the row of a living entity.
    fn living(&self, slot: u32) -> Option<&[u32]> {
        let start = (slot as usize).checked_mul(self.stride())?;
        self.rows.get(start..)?.get(..self.stride()).filter(|row| lives(row))
    }

    /// Returns the signatures of all living entities.
    fn signatures(&self) -> impl Iterator<Item = Signature> {
        self.rows().filter(|row| lives(row)).map(|row| Signature::from_bits(row[SIGNATURE]))
    }

    /// Puts the member lists in the order of those of `index`, which may have been created in another
    /// order.
    pub(in crate::ecs) fn reorder_lists(&mut self, index: &Index) {
        let position =
            |list: &MemberList| self.lists.iter().position(|(arrays, _)| *arrays == list.arrays);
        let Some(order) = index.lists.iter().map(position).collect::<Option<Vec<_>>>() else {
            return;
        };
        if order.len() != self.lists.len() || !self.rows.len().is_multiple_of(self.stride()) {
            return;
        }
        let stride = self.stride();
        for row in self.rows.chunks_exact_mut(stride) {
            let positions = row[POSITION..].to_vec();
            for (cell, &from) in row[POSITION..].iter_mut().zip(&order) {
                *cell = positions[from];
            }
        }
        self.lists = order.iter().map(|&from| self.lists[from].clone()).collect();
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
        let arrays = |list: &MemberList| list.arrays;
        self.lists.iter().map(|list| list.0).eq(index.lists.iter().map(arrays))
            && self.tails.len() == index.arrays.len()
            && self.rows.len().is_multiple_of(self.stride())
            && rows == self.next_fresh as usize
            && self.signatures().count() <= index.limits.entities as usize
            && self.rows().all(|row| self.is_row_valid(row, index.limits))
            && self.free_slots().is_some()
            && groups.iter().all(|group| self.is_group_valid(group))
            && index.lists().all(|list| self.is_list_valid(list, index, groups))
            && (0..lens.len() as u8).map(ComponentType::new).all(|component| {
                let aligned = aligned(component, groups);
                aligned.checked_add(self.tails[component.index()].len())
                    == Some(lens[component.index()])
                    && self.is_tail_valid(component, index)
            })
    }

    fn is_row_valid(&self, row: &[u32], limits: Limits) -> bool {
        let signature = if lives(row) { row[SIGNATURE] } else { 0 };
        (1..=limits.generation).contains(&(row[GENERATION] & !DEAD))
            && u64::from(signature) >> self.tails.len() == 0
    }

    /// Returns `true` if exactly the first members of each of its lists are the members of a group.
    fn is_group_valid(&self, group: &GroupInfo) -> bool {
        let count = self.signatures().filter(|&signature| group.matches(signature)).count();
        count == group.len
            && group.lists().all(|list| {
                let members = self.lists[list as usize].1.get(..group.len).unwrap_or_default();
                members.len() == group.len
                    && members.iter().zip(0..).all(|(&slot, position)| {
                        self.living(slot).is_some_and(|row| {
                            row[POSITION + list as usize] == position
                                && group.matches(Signature::from_bits(row[SIGNATURE]))
                        })
                    })
            })
    }

    /// Returns `true` if a list has the members of its outermost group, and no others.
    fn is_list_valid(&self, list: u8, index: &Index, groups: &[GroupInfo]) -> bool {
        let arrays = index.arrays_of(list).iter();
        let longest = arrays.map(|component| aligned(component, groups)).max();
        self.lists[list as usize].1.len() == longest.unwrap_or(0)
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
                let signature = self.living(slot).map(|row| Signature::from_bits(row[SIGNATURE]));
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
    pub(in crate::ecs) fn state(&self) -> IndexState {
        let next_fresh = self.fresh.next();
        let mut rows = self.rows.clone();
        // Reserved slots have rows in a snapshot.
        for _ in self.slot_count()..next_fresh {
            rows.extend_from_slice(&self.new_row);
        }
        IndexState {
            rows,
            first_free: self.first_free,
            next_fresh,
            lists: self.lists.iter().map(|list| (list.arrays, list.slots.clone())).collect(),
            tails: self.arrays.iter().map(|array| array.tail().clone()).collect(),
        }
    }

    /// Replaces the content of the index by a valid state of a world with these groups.
    pub(in crate::ecs) fn restore(&mut self, state: IndexState, groups: &[GroupInfo]) {
        let all = (0..self.arrays.len() as u8).map(ComponentType::new);
        let aligned: Vec<_> = all.map(|component| aligned(component, groups)).collect();
        self.free = state.free_slots().unwrap_or_default();
        self.alive = state.signatures().count() as u32;
        self.rows = state.rows;
        self.first_free = state.first_free;
        for (list, (_, slots)) in self.lists.iter_mut().zip(state.lists) {
            list.slots = slots;
        }
        for ((array, tail), aligned) in self.arrays.iter_mut().zip(state.tails).zip(aligned) {
            array.replace(aligned, tail);
        }
        self.fresh.next.store(state.next_fresh, Ordering::Relaxed);
    }
}
