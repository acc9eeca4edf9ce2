//! Values that are `Sync` because only a mutable reference reaches them.

use std::sync::{Mutex, PoisonError};

/// A value that is reached only through `&mut`, and so may be shared between threads without being
/// `Sync` itself. A system can own the receiver of a channel, and the world is `Sync` all the same.
pub(in crate::ecs) struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Returns the value without locking.
    #[inline]
    pub(super) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
