//! The part of the index that a snapshot holds, and its validation.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::{ABSENT, DEAD, DENSE, GENERATION, Index, SIGNATURE};
use crate::ecs::{ComponentType, Limits, Signature};

/// Everything in an index except the identity and the limits of the world.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct IndexState {
    rows: Vec<u32>,
    first_free: u32,
    next_fresh: u32,
    members: Vec<Vec<u32>>,
}

/// Largest number of reserved slots without a row. Limits the memory that a damaged number can
/// request.
const MAX_RESERVED: usize = 1 << 20;

fn lives(row: &[u32]) -> bool {
    row[GENERATION] & DEAD == 0
}

impl IndexState {
    fn stride(&self) -> usize {
        DENSE + self.members.len()
    }

    fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.rows.chunks_exact(self.stride())
    }

    /// Returns the signatures of all living entities.
    pub(in crate::ecs) fn signatures(&self) -> impl Iterator<Item = Signature> {
        self.rows().filter(|row| lives(row)).map(|row| Signature::from_bits(row[SIGNATURE]))
    }

    /// Returns the signature of the entity in `slot` of a valid state.
    pub(in crate::ecs) fn signature(&self, slot: u32) -> Signature {
        Signature::from_bits(self.rows[slot as usize * self.stride() + SIGNATURE])
    }

    pub(in crate::ecs) fn members(&self, component: ComponentType) -> &[u32] {
        &self.members[component.index()]
    }

    /// Returns `true` if this is a possible state of a world with these limits, and with packed
    /// arrays of these lengths.
    pub(in crate::ecs) fn is_valid(&self, limits: Limits, lens: &[usize]) -> bool {
        let rows = self.rows().len();
        self.members.iter().map(Vec::len).eq(lens.iter().copied())
            && self.rows.len().is_multiple_of(self.stride())
            && (rows..=rows + MAX_RESERVED).contains(&(self.next_fresh as usize))
            && self.signatures().count() <= limits.entities as usize
            && self.rows().zip(0..).all(|(row, slot)| self.is_row_valid(row, slot, limits))
            // Each component of an entity is an element of its own, so equal numbers mean that there
            // is no other element.
            && self.signatures().map(Signature::len).sum::<usize>() == lens.iter().sum::<usize>()
            && self.free_slots().is_some()
    }

    /// Returns `true` if a living entity is a member of exactly the arrays in its signature, at its
    /// dense indices, and a dead one of none.
    fn is_row_valid(&self, row: &[u32], slot: u32, limits: Limits) -> bool {
        let signature = if lives(row) { row[SIGNATURE] } else { 0 };
        let mut dense = row[DENSE..].iter().zip(&self.members).enumerate();
        (1..=limits.generation).contains(&(row[GENERATION] & !DEAD))
            && u64::from(signature) >> self.members.len() == 0
            && dense.all(|(component, (&dense, members))| {
                let has = signature & (1 << component) != 0;
                let found = members.get(dense as usize) == Some(&slot);
                if has { found } else { dense == ABSENT }
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
        IndexState {
            rows: self.rows.clone(),
            first_free: self.first_free,
            next_fresh: self.fresh.next(),
            members: self.members.clone(),
        }
    }

    /// Replaces the content of the index by a valid state.
    pub(in crate::ecs) fn restore(&mut self, state: IndexState) {
        self.free = state.free_slots().unwrap_or_default();
        self.alive = state.signatures().count() as u32;
        self.rows = state.rows;
        self.first_free = state.first_free;
        self.members = state.members;
        self.fresh.next.store(state.next_fresh, Ordering::Relaxed);
    }
}
