//! Slots that `Commands` can reserve.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ecs::{Entity, Error, WorldId};

/// Counter of the slots that were ever used, and the slots that `Commands` reserve first. Shared with
/// these, which reserve slots while the world is borrowed.
pub(in crate::ecs) struct FreshSlots {
    world: WorldId,
    /// The next slot; this and all later ones were never used.
    pub(super) next: AtomicU32,
    pool: Mutex<Pool>,
    is_filled: AtomicBool,
    has_returned: AtomicBool,
}

/// Handles of slots that are neither used nor in the free list.
#[derive(Clone)]
pub(super) struct Pool {
    /// Never handed out.
    pub(super) offered: Vec<Entity>,
    /// Handed out, but they will not be used.
    pub(super) returned: Vec<Entity>,
}

impl FreshSlots {
    pub(super) const fn new(world: WorldId) -> Self {
        Self {
            world,
            next: AtomicU32::new(0),
            pool: Mutex::new(Pool { offered: Vec::new(), returned: Vec::new() }),
            is_filled: AtomicBool::new(false),
            has_returned: AtomicBool::new(false),
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the slot of an offered handle, or one that was never used, and returns its handle.
    pub(in crate::ecs) fn reserve(&self) -> Result<Entity, Error> {
        if self.is_filled()
            && let Some(entity) = self.pool().offered.pop()
        {
            return Ok(entity);
        }
        Ok(Entity::new(self.take(1)?, 1, self.world))
    }

    /// Returns reserved handles whose entities will not be created.
    pub(in crate::ecs) fn give_back(&self, entities: Vec<Entity>) {
        if !entities.is_empty() {
            self.pool().returned.extend(entities);
            self.has_returned.store(true, Ordering::Release);
        }
    }

    /// Adds handles that were never handed out.
    pub(super) fn offer(&self, entities: impl IntoIterator<Item = Entity>) {
        self.pool().offered.extend(entities);
        self.is_filled.store(true, Ordering::Release);
    }

    /// Returns `true` if the pool may hold a handle that is offered.
    #[inline]
    pub(super) fn is_filled(&self) -> bool {
        self.is_filled.load(Ordering::Acquire)
    }

    /// Returns `true` if the pool may hold a handle that was returned.
    #[inline]
    pub(super) fn has_returned(&self) -> bool {
        self.has_returned.load(Ordering::Acquire)
    }

    /// Takes the offered handles out of the pool.
    pub(super) fn take_offered(&self) -> Vec<Entity> {
        self.is_filled.store(false, Ordering::Relaxed);
        std::mem::take(&mut self.pool().offered)
    }

    /// Takes the returned handles out of the pool.
    pub(super) fn take_returned(&self) -> Vec<Entity> {
        // Before the pool is emptied: a handle that another thread returns afterwards sets the flag again.
        self.has_returned.store(false, Ordering::Relaxed);
        std::mem::take(&mut self.pool().returned)
    }

    /// Returns the number of offered handles.
    pub(super) fn offered(&self) -> usize {
        self.pool().offered.len()
    }

    /// Replaces the pool, of which no other thread knows yet.
    #[cfg(feature = "serde")]
    pub(super) fn fill_pool(&self, pool: Pool) {
        *self.pool() = pool;
        self.is_filled.store(true, Ordering::Release);
        self.has_returned.store(true, Ordering::Release);
    }

    /// Returns a copy of the pool.
    #[cfg(feature = "serde")]
    pub(super) fn copy_pool(&self) -> Pool {
        self.pool().clone()
    }

    /// Takes `count` slots and returns the first.
    pub(super) fn take(&self, count: u32) -> Result<u32, Error> {
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(count));
        taken.map_err(|_| Error::EntityLimit { limit: u32::MAX })
    }

    /// Takes one slot, with a plain load and store: no other thread may take one at the same time.
    pub(super) fn take_unshared(&self) -> Result<u32, Error> {
        let next = self.next();
        let after = next.checked_add(1).ok_or(Error::EntityLimit { limit: u32::MAX })?;
        self.next.store(after, Ordering::Relaxed);
        Ok(next)
    }

    pub(in crate::ecs) fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }
}
