//! The row of one entity.

use super::array::ArrayIndex;
use super::cells::{ABSENT, GENERATION, POSITION, signature};
use crate::ecs::{ComponentType, Entity, WorldId};

/// The row of one entity, which finds the dense index of each of its components.
#[derive(Clone, Copy)]
pub struct Row<'i> {
    slot: u32,
    cells: &'i [u32],
    arrays: &'i [ArrayIndex],
    world: WorldId,
}

impl<'i> Row<'i> {
    #[inline]
    pub(super) fn new(
        slot: u32,
        cells: &'i [u32],
        arrays: &'i [ArrayIndex],
        world: WorldId,
    ) -> Self {
        Self { slot, cells, arrays, world }
    }

    /// Returns the handle of the entity.
    #[inline]
    pub(in crate::ecs) fn entity(self) -> Entity {
        Entity::new(self.slot, self.cells[GENERATION], self.world)
    }

    /// Returns the dense index of a component; `ABSENT` if the entity does not have it.
    #[inline]
    pub(in crate::ecs) fn dense(self, component: ComponentType) -> u32 {
        let signature = signature(self.cells);
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
