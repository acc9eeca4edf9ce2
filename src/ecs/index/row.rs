//! The rows of the index.

use crate::ecs::Limits;

/// Dense index of a component that the entity does not have; also the end of the free list.
pub(in crate::ecs) const ABSENT: u32 = u32::MAX;

/// Mark in the generation of a slot without an entity, so that no handle equals it.
pub(super) const DEAD: u32 = Limits::MAX_GENERATION + 1;

/// Generation of a dead slot that has none left.
pub(super) const RETIRED: u32 = DEAD;

/// The state of one slot. As small as possible: most accesses to a component read nothing else
/// of the index.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) generation: u32,
    /// Position in member list 0; `ABSENT` for an entity that is not in it. For a dead slot, the next slot
    /// of the free list.
    pub(super) position: u32,
}

impl Row {
    /// The row of a slot that was never used.
    pub(super) const NEW: Self = Self { generation: 1 | DEAD, position: ABSENT };

    pub(super) const fn lives(self) -> bool {
        self.generation & DEAD == 0
    }
}
