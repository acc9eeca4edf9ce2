//! The row of one entity.

use super::Index;
use super::cells::{ABSENT, Cells};
use crate::ecs::{ComponentType, Entity};

/// The row of one entity, which finds the dense index of each of its components.
#[derive(Clone, Copy)]
pub struct Row<'i> {
    pub(super) slot: u32,
    pub(super) cells: Cells,
    pub(super) index: &'i Index,
}

impl Row<'_> {
    /// Returns the handle of the entity.
    #[inline]
    pub(in crate::ecs) fn entity(self) -> Entity {
        Entity::new(self.slot, self.cells.generation, self.index.world)
    }

    /// Returns the dense index of a component; `ABSENT` if the entity does not have it.
    #[inline]
    pub(in crate::ecs) fn dense(self, component: ComponentType) -> u32 {
        if (self.cells.position as usize) < self.index.array(component).members_of_list_0() {
            return self.cells.position;
        }
        self.index.dense_elsewhere(self.slot, component).unwrap_or(ABSENT)
    }
}
