//! The cells of a row.

use crate::ecs::Limits;

/// Dense index of a component that the entity does not have; also the end of the free list.
pub(in crate::ecs) const ABSENT: u32 = u32::MAX;

/// Mark in the generation cell of a slot without an entity, so that no handle equals it.
pub(super) const DEAD: u32 = Limits::MAX_GENERATION + 1;

// Cells of a row.
pub(super) const GENERATION: usize = 0;
/// Signature of a living entity; for a dead slot, the next slot of the free list.
pub(super) const SIGNATURE: usize = 1;
/// Position in the first member list; undefined for an entity that is not in it.
pub(super) const POSITION: usize = 2;
