//! Slots that were never used.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::ecs::{Entity, Error, WorldId};

/// Counter of the slots that were ever used. Shared with `Commands`, which reserve slots while the
/// world is borrowed.
pub(in crate::ecs) struct FreshSlots {
    world: WorldId,
    /// The next slot; this and all later ones were never used.
    pub(super) next: AtomicU32,
    /// Handles that were reserved and will not be used.
    returned: Mutex<Vec<Entity>>,
    has_returned: AtomicBool,
}

impl FreshSlots {
    pub(super) const fn new(world: WorldId) -> Self {
        Self {
            world,
            next: AtomicU32::new(0),
            returned: Mutex::new(Vec::new()),
            has_returned: AtomicBool::new(false),
        }
    }

    /// Takes one slot and returns the handle of its first entity.
    pub(in crate::ecs) fn reserve(&self) -> Result<Entity, Error> {
        Ok(Entity::new(self.take(1)?, 1, self.world))
    }

    /// Returns reserved handles whose entities will not be created.
    pub(in crate::ecs) fn give_back(&self, entities: Vec<Entity>) {
        if !entities.is_empty() {
            self.returned.lock().unwrap_or_else(PoisonError::into_inner).extend(entities);
            self.has_returned.store(true, Ordering::Release);
        }
    }

    /// Takes the handles that were given back.
    #[inline]
    pub(super) fn take_returned(&self) -> Vec<Entity> {
        if !self.has_returned.load(Ordering::Acquire) {
            return Vec::new();
        }
        self.has_returned.store(false, Ordering::Relaxed);
        std::mem::take(&mut *self.returned.lock().unwrap_or_else(PoisonError::into_inner))
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
