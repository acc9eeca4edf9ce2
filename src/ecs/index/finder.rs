//! Finding one component of any entity.

use super::Index;
use super::row::Row;
use crate::ecs::{ComponentType, Entity, WorldId};

/// Finds the dense index of one component of any entity. What does not depend on the entity is looked up
/// before: the fewer instructions a search has, the more searches wait for memory at once.
#[derive(Clone, Copy)]
pub(in crate::ecs) struct Finder<'i> {
    pub(super) rows: &'i [Row],
    pub(super) world: WorldId,
    /// Number of elements that belong to members of list 0.
    pub(super) members_of_list_0: usize,
    pub(super) index: &'i Index,
    pub(super) component: ComponentType,
}

impl Finder<'_> {
    /// Returns the dense index; `None` if the entity does not have the component or is not alive.
    #[inline]
    pub(in crate::ecs) fn find(&self, entity: Entity) -> Option<u32> {
        let row = self.rows.get(entity.index() as usize)?;
        if row.generation != entity.generation() || entity.world() != self.world {
            return None;
        }
        if (row.position as usize) < self.members_of_list_0 {
            return Some(row.position);
        }
        self.index.dense_elsewhere(entity.index(), self.component)
    }
}
