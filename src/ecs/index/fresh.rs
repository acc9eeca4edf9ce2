//! Fresh: the slots that nobody has lived in.

use std::sync::atomic::{AtomicU32, Ordering};

use super::ABSENT;
use crate::ecs::{Entity, Error, WorldId};

/// Slots that were never used, shared with `Commands`, which hand out handles for them while the
/// world is borrowed.
pub(in crate::ecs) struct Fresh {
    world: WorldId,
    /// The next slot; all from here on are free.
    pub(super) next: AtomicU32,
}

impl Fresh {
    pub(super) const fn new(world: WorldId) -> Self {
        Self { world, next: AtomicU32::new(0) }
    }

    /// Takes one slot; its entity will be the first to live there.
    pub(in crate::ecs) fn reserve(&self) -> Result<Entity, Error> {
        Ok(Entity::new(self.take(1)?, 1, self.world))
    }

    /// Takes `count` slots and returns the first.
    pub(super) fn take(&self, count: u32) -> Result<u32, Error> {
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(count));
        taken.map_err(|_| Error::EntityLimit { limit: ABSENT })
    }

    /// As `take(1)`, if nobody else can take at the same time.
    pub(super) fn take_alone(&self) -> Result<u32, Error> {
        let next = self.next();
        let after = next.checked_add(1).ok_or(Error::EntityLimit { limit: ABSENT })?;
        self.next.store(after, Ordering::Relaxed);
        Ok(next)
    }

    pub(super) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }
}
