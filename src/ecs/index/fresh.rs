//! Slots that were never used.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::ecs::{Entity, Error, WorldId};

/// Counter of the slots that were ever used. Shared with `Commands`, which reserve slots while the
/// world is borrowed.
pub(in crate::ecs) struct FreshSlots {
    world: WorldId,
    /// The next slot; this and all later ones were never used.
    pub(super) next: AtomicU32,
}

impl FreshSlots {
    pub(super) const fn new(world: WorldId) -> Self {
        Self { world, next: AtomicU32::new(0) }
    }

    /// Takes one slot and returns the handle of its first entity.
    pub(in crate::ecs) fn reserve(&self) -> Result<Entity, Error> {
        Ok(Entity::new(self.take(1)?, 1, self.world))
    }

    /// Takes `count` slots and returns the first.
    pub(super) fn take(&self, count: u32) -> Result<u32, Error> {
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(count));
        taken.map_err(|_| Error::EntityLimit { limit: u32::MAX })
    }

    /// Takes one slot if no other thread can take one at the same time.
    pub(super) fn take_unshared(&self) -> Result<u32, Error> {
        let next = self.next();
        let after = next.checked_add(1).ok_or(Error::EntityLimit { limit: u32::MAX })?;
        self.next.store(after, Ordering::Relaxed);
        Ok(next)
    }

    pub(super) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }
}
