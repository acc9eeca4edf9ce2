//! The row of one entity.

use super::array::ArrayIndex;
use super::cells::{ABSENT, POSITION, SIGNATURE};
use crate::ecs::{ComponentType, Signature};

/// The row of one entity, which finds the dense index of each of its components.
#[derive(Clone, Copy)]
pub struct Row<'i> {
    slot: u32,
    cells: &'i [u32],
    arrays: &'i [ArrayIndex],
}

impl<'i> Row<'i> {
    #[inline]
    pub(super) fn new(slot: u32, cells: &'i [u32], arrays: &'i [ArrayIndex]) -> Self {
        Self { slot, cells, arrays }
    }

    /// Returns the dense index of a component; `ABSENT` if the entity does not have it.
    #[inline]
    pub(in crate::ecs) fn dense(self, component: ComponentType) -> u32 {
        let signature = Signature::from_bits(self.cells[SIGNATURE]);
        if !signature.contains(component) {
            return ABSENT;
        }
        let array = &self.arrays[component.index()];
        match array.list(signature) {
            Some(list) => self.cells[POSITION + list as usize],
            None => array.in_tail(self.slot),
        }
    }
}
