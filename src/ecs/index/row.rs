//! The row of one entity.

use super::array::ArrayIndex;
use super::cells::{ABSENT, Cells};
use super::member_list::MemberList;
use crate::ecs::{ComponentType, Entity, WorldId};

/// The row of one entity, which finds the dense index of each of its components.
#[derive(Clone, Copy)]
pub struct Row<'i> {
    pub(super) slot: u32,
    pub(super) cells: &'i Cells,
    pub(super) arrays: &'i [ArrayIndex],
    pub(super) lists: &'i [MemberList],
    pub(super) world: WorldId,
}

impl Row<'_> {
    /// Returns the handle of the entity.
    #[inline]
    pub(in crate::ecs) fn entity(self) -> Entity {
        Entity::new(self.slot, self.cells.generation, self.world)
    }

    /// Returns the dense index of a component; `ABSENT` if the entity does not have it.
    #[inline]
    pub(in crate::ecs) fn dense(self, component: ComponentType) -> u32 {
        let array = &self.arrays[component.index()];
        match array.list(self.cells.signature) {
            Some(0) => self.cells.position,
            Some(list) => self.lists[list as usize].position(self.slot),
            None if self.cells.signature.contains(component) => array.in_tail(self.slot),
            None => ABSENT,
        }
    }
}
