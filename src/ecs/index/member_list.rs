//! A member list.

use std::collections::TryReserveError;

use super::row::ABSENT;
use crate::ecs::Signature;

/// The members of the outermost of several nested groups.
#[derive(Default)]
pub(super) struct MemberList {
    /// The slots; those of an inner group first.
    pub(super) slots: Vec<u32>,
    /// The packed arrays that have their elements in this order.
    pub(super) arrays: Signature,
    /// Position of each slot, undefined for one that is not in the list. List 0 has none: its positions
    /// are in the rows.
    positions: Vec<u32>,
}

impl MemberList {
    /// Returns the position of a member.
    #[inline]
    pub(super) fn position(&self, slot: u32) -> u32 {
        self.positions[slot as usize]
    }

    /// Returns the position of a slot, for changing it.
    #[inline]
    pub(super) fn position_mut(&mut self, slot: u32) -> &mut u32 {
        if self.positions.len() <= slot as usize {
            self.positions.resize(slot as usize + 1, ABSENT);
        }
        &mut self.positions[slot as usize]
    }

    /// Reserves memory for the positions of slots below `end`.
    pub(super) fn try_reserve_positions(&mut self, end: usize) -> Result<(), TryReserveError> {
        self.positions.try_reserve(end.saturating_sub(self.positions.len()))
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.positions.capacity()) * size_of::<u32>()
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        let end = self.slots.iter().max().map_or(0, |&slot| slot as usize + 1);
        self.positions.truncate(end);
        self.slots.shrink_to(capacity);
        self.positions.shrink_to(capacity);
    }
}
