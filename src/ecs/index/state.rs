//! State: what a snapshot keeps of an index, and whether that could be true.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::{ABSENT, DEAD, DENSE, GENERATION, Index, SIGNATURE};
use crate::ecs::{ComponentType, Limits, Signature};

/// All of an index but the identity of the world.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct IndexState {
    rows: Vec<u32>,
    first_free: u32,
    next_fresh: u32,
    members: Vec<Vec<u32>>,
}

/// Most slots that may be reserved and not lived in yet; a damaged number must not fill the memory
/// with rows.
const MOST_RESERVED: usize = 1 << 20;

fn lives(row: &[u32]) -> bool {
    row[GENERATION] & DEAD == 0
}

impl IndexState {
    fn stride(&self) -> usize {
        DENSE + self.members.len()
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.rows.chunks_exact(self.stride())
    }

    /// Signatures of all living entities.
    pub(in crate::ecs) fn signatures(&self) -> impl Iterator<Item = Signature> {
        self.rows().filter(|row| lives(row)).map(|row| Signature::from_bits(row[SIGNATURE]))
    }

    /// Signature of the entity that a sound state has in `slot`.
    pub(in crate::ecs) fn signature(&self, slot: u32) -> Signature {
        Signature::from_bits(self.rows[slot as usize * self.stride() + SIGNATURE])
    }

    pub(in crate::ecs) fn members(&self, component: ComponentType) -> &[u32] {
        &self.members[component.index()]
    }

    /// Whether this could be the state of a world with these limits, and with arrays of these
    /// lengths.
    pub(in crate::ecs) fn is_valid(&self, limits: Limits, lens: &[usize]) -> bool {
        self.members.iter().map(Vec::len).eq(lens.iter().copied())
            && self.rows.len().is_multiple_of(self.stride())
            && (self.rows().count()..=self.rows().count() + MOST_RESERVED)
                .contains(&(self.next_fresh as usize))
            && self.rows().filter(|row| lives(row)).count() <= limits.entities as usize
            && self.rows().zip(0..).all(|(row, slot)| self.is_row_valid(row, slot, limits))
            // Each component of each entity is an element of its own, so with as many there is no
            // other.
            && self.signatures().map(Signature::len).sum::<usize>() == lens.iter().sum::<usize>()
            && self.is_free_list_valid()
    }

    /// A living entity is the element that its row says in each array of its signature; a dead one
    /// in none.
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

    /// The free list names dead slots only and comes to an end.
    fn is_free_list_valid(&self) -> bool {
        self.free_slots().is_some()
    }

    /// Length of the free list; none if it names a slot that is not dead, or has no end.
    fn free_slots(&self) -> Option<u32> {
        let mut next = self.first_free;
        for length in 0..=self.rows().count() {
            if next == ABSENT {
                return Some(length as u32);
            }
            match self.rows().nth(next as usize) {
                Some(row) if !lives(row) => next = row[SIGNATURE],
                _ => return None,
            }
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

    /// Takes over a state that is sound.
    pub(in crate::ecs) fn restore(&mut self, state: IndexState) {
        self.free = state.free_slots().unwrap_or_default();
        self.alive = state.rows().filter(|row| lives(row)).count() as u32;
        self.rows = state.rows;
        self.first_free = state.first_free;
        self.members = state.members;
        self.fresh.next.store(state.next_fresh, Ordering::Relaxed);
    }
}
