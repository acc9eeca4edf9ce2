//! Finding one component of any entity.

use super::array::{ArrayIndex, Owner};
use super::cells::Cells;
use super::member_list::MemberList;
use crate::ecs::{ComponentType, Entity, WorldId};

/// Finds the dense index of one component of any entity. What does not depend on the entity is looked up
/// before: the fewer instructions a search has, the more searches wait for memory at once.
#[derive(Clone, Copy)]
pub(in crate::ecs) struct Finder<'i> {
    pub(super) rows: &'i [Cells],
    pub(super) world: WorldId,
    pub(super) owner: Owner,
    pub(super) array: &'i ArrayIndex,
    pub(super) lists: &'i [MemberList],
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
        if self.owner.list == 0 && self.owner.matches(row.signature) {
            return Some(row.position);
        }
        self.find_elsewhere(row, entity)
    }

    #[inline(never)]
    fn find_elsewhere(&self, row: &Cells, entity: Entity) -> Option<u32> {
        if self.owner.matches(row.signature) {
            return Some(self.lists[self.owner.list as usize].position(entity.index()));
        }
        row.signature.contains(self.component).then(|| self.array.in_tail(entity.index()))
    }
}
