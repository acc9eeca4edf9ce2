//! A located entity.

use std::fmt;

use super::Index;
use super::row::{ABSENT, Row};
use crate::ecs::{ComponentType, Entity};

/// An entity with its row, which finds the dense index of each of its components.
#[derive(Clone, Copy)]
pub struct Located<'i> {
    pub(super) slot: u32,
    pub(super) row: Row,
    /// Subtracted from each dense index.
    pub(super) before: u32,
    pub(super) index: &'i Index,
}

/// Prints the handle.
impl fmt::Debug for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located").field("entity", &self.entity()).finish_non_exhaustive()
    }
}

impl Located<'_> {
    /// Returns the handle of the entity.
    #[inline]
    pub(in crate::ecs) fn entity(self) -> Entity {
        Entity::new(self.slot, self.row.generation, self.index.world)
    }

    /// Returns the dense index of a component; `ABSENT` if the entity does not have it.
    #[inline]
    pub(in crate::ecs) fn dense(self, component: ComponentType) -> u32 {
        if (self.row.position as usize) < self.index.array(component).members_of_list_0() {
            return self.row.position - self.before;
        }
        let elsewhere = self.index.dense_elsewhere(self.slot, component);
        elsewhere.map_or(ABSENT, |dense| dense - self.before)
    }

    /// Returns the same entity, with dense indices for slices without the first `before` elements.
    #[inline]
    pub(in crate::ecs) fn after(self, before: u32) -> Self {
        Self { before, ..self }
    }
}
