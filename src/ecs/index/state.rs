//! The state of an index with the lists and arrays of a world: its validation, and restoring it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Index;
use super::fresh::{FreshSlots, Pool};
use super::row::{ABSENT, DEAD, RETIRED, Row};
use crate::ecs::{ComponentType, Entity, GroupInfo, Limits, Signature};

/// Everything in an index except the identity and the limits of the world.
pub(in crate::ecs) struct IndexState {
    /// Without positions in the member lists.
    pub(super) rows: Vec<Row>,
    pub(super) signatures: Vec<Signature>,
    pub(super) first_free: u32,
    pub(super) next_fresh: u32,
    /// The slots of the pool.
    pub(super) offered: Vec<u32>,
    pub(super) returned: Vec<u32>,
    /// The slots in each member list.
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) tails: Vec<VecDeque<u32>>,
}

/// Returns the length of the outermost group that owns an array; 0 without one.
pub(super) fn aligned(component: ComponentType, groups: &[GroupInfo]) -> usize {
    let owner = groups.iter().find(|group| group.outermost.contains(component));
    owner.map_or(0, |owner| owner.len)
}

fn is_row_valid(row: Row, limits: Limits) -> bool {
    let generation = row.generation & !DEAD;
    (generation >= 1 || row.generation == RETIRED) && generation <= limits.generation
}

impl IndexState {
    /// Returns the signature of a living entity.
    fn signature(&self, slot: u32) -> Option<Signature> {
        let row = self.rows.get(slot as usize).filter(|row| row.lives());
        row.and_then(|_| self.signatures.get(slot as usize).copied())
    }

    /// Returns the signatures of all living entities.
    fn signatures(&self) -> impl Iterator<Item = Signature> {
        let rows = self.rows.iter().zip(&self.signatures);
        rows.filter(|(row, _)| row.lives()).map(|(_, &signature)| signature)
    }

    /// Returns `true` if this is a possible state of a world with the limits, lists and arrays of
    /// `index`, with these groups, and with packed arrays of these lengths.
    pub(in crate::ecs) fn is_valid(
        &self,
        index: &Index,
        groups: &[GroupInfo],
        lens: &[usize],
    ) -> bool {
        self.rows.len() == self.next_fresh as usize
            && self.signatures().count() <= index.limits.entities as usize
            && self.rows.iter().all(|&row| is_row_valid(row, index.limits))
            && self.signatures().all(|signature| {
                signature.iter().all(|component| component.index() < self.tails.len())
            })
            && self.free_slots().is_some()
            && groups.iter().all(|group| self.is_group_valid(group))
            && (0..lens.len() as u8).map(ComponentType::new).all(|component| {
                let aligned = aligned(component, groups);
                aligned.checked_add(self.tails[component.index()].len())
                    == Some(lens[component.index()])
                    && self.is_tail_valid(component, index)
            })
    }

    /// Returns `true` if exactly the first members of each of its lists are the members of a group, in
    /// the same order.
    fn is_group_valid(&self, group: &GroupInfo) -> bool {
        let count = self.signatures().filter(|&signature| group.matches(signature)).count();
        let mut members = group
            .lists()
            .map(|list| self.lists[list as usize].get(..group.len).unwrap_or_default());
        let first = members.next().unwrap_or_default();
        count == group.len
            && first.len() == count
            && members.all(|others| others == first)
            && self.are_different(first, |signature| group.matches(signature))
    }

    /// Returns `true` if the slots are of different living entities with such signatures.
    fn are_different<'s>(
        &self,
        slots: impl IntoIterator<Item = &'s u32>,
        matches: impl Fn(Signature) -> bool,
    ) -> bool {
        let mut seen = vec![false; self.rows.len()];
        slots.into_iter().all(|&slot| {
            self.signature(slot).is_some_and(&matches)
                && !std::mem::replace(&mut seen[slot as usize], true)
        })
    }

    /// Returns `true` if a tail has exactly the entities with the component that are no members of the owner of the array,
    /// each once.
    fn is_tail_valid(&self, component: ComponentType, index: &Index) -> bool {
        let array = index.array(component);
        let belongs =
            |signature: Signature| signature.contains(component) && array.list(signature).is_none();
        let tail = &self.tails[component.index()];
        self.signatures().filter(|&signature| belongs(signature)).count() == tail.len()
            && self.are_different(tail, belongs)
    }

    /// Marks the slots in the free list and in the pool; `None` if one is not dead or occurs twice.
    fn free_slots(&self) -> Option<Vec<bool>> {
        let mut marks = vec![false; self.rows.len()];
        let mut mark = |slot: u32, oldest: u32| {
            let row = self.rows.get(slot as usize)?;
            let is_free = !row.lives() && row.generation & !DEAD >= oldest;
            let is_new = !std::mem::replace(&mut marks[slot as usize], true);
            (is_free && is_new).then_some(row.position)
        };
        // Generation 1 is that of a slot that was never used, or is reserved.
        let mut next = self.first_free;
        while next != ABSENT {
            next = mark(next, 2)?;
        }
        self.offered.iter().try_for_each(|&slot| mark(slot, 2).map(drop))?;
        self.returned.iter().try_for_each(|&slot| mark(slot, 1).map(drop))?;
        Some(marks)
    }
}

impl Index {
    /// Replaces the content of the index by a valid state of a world with these groups.
    pub(in crate::ecs) fn restore(&mut self, state: IndexState, groups: &[GroupInfo]) {
        let all = (0..self.arrays.len() as u8).map(ComponentType::new);
        let aligned: Vec<_> = all.map(|component| aligned(component, groups)).collect();
        let free = state.free_slots().unwrap_or_default();
        let pool = state.offered.len() + state.returned.len();
        self.free = (free.iter().filter(|&&is_free| is_free).count() - pool) as u32;
        self.alive = state.signatures().count() as u32;
        self.rows = state.rows;
        self.signatures = state.signatures;
        self.first_free = state.first_free;
        for (number, slots) in state.lists.into_iter().enumerate() {
            for (position, &slot) in slots.iter().enumerate() {
                self.set_position(slot, number as u8, position);
            }
            self.lists[number].slots = slots;
        }
        for ((array, tail), aligned) in self.arrays.iter_mut().zip(state.tails).zip(aligned) {
            array.replace(aligned, tail);
        }
        self.fresh = Arc::new(FreshSlots::new(self.world));
        self.fresh.next.store(state.next_fresh, Ordering::Relaxed);
        let [offered, returned] = [state.offered, state.returned].map(|slots| {
            let handle = |slot| Entity::new(slot, self.row(slot).generation & !DEAD, self.world);
            slots.into_iter().map(handle).collect()
        });
        self.fresh.fill_pool(Pool { offered, returned });
        // `Commands` had reserved these; their handles never become valid.
        for slot in self.slots().rev().filter(|&slot| !free[slot as usize]) {
            let row = self.row(slot);
            if !row.lives() && row.generation != RETIRED {
                self.free(slot);
            }
        }
    }
}
