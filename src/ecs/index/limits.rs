//! Limits: how much a world may hold.

use super::DEAD;

/// How many entities a world may hold, and how often a slot may be reused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most entities alive at once.
    pub entities: u32,
    /// Highest generation of a slot, at most [`Limits::MAX_GENERATION`]. A slot that has reached it
    /// is retired when its entity is despawned, so that no handle is ever valid twice.
    pub generation: u32,
}

impl Limits {
    /// Highest generation a row can store next to the mark of a dead slot.
    pub const MAX_GENERATION: u32 = DEAD - 1;
}

impl Default for Limits {
    /// As many as the index space holds: 4,294,967,295 entities, 2,147,483,647 generations each.
    fn default() -> Self {
        Self { entities: u32::MAX, generation: Self::MAX_GENERATION }
    }
}
