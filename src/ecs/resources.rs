//! Resources: values that a world holds once, instead of once per entity.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;

use super::Component;

/// At most one value of each type; reached by
/// [`World::resources`](super::World::resources).
#[derive(Default)]
pub struct Resources {
    pub(super) values: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

/// Prints the number of values.
impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resources").field("len", &self.values.len()).finish_non_exhaustive()
    }
}

impl Resources {
    /// Inserts a value and returns the previous value of its type.
    pub fn insert<T: Component>(&mut self, value: T) -> Option<T> {
        let old = self.values.insert(TypeId::of::<T>(), Box::new(value))?;
        old.downcast().ok().map(|old| *old)
    }

    /// Removes the value of type `T` and returns it.
    pub fn remove<T: Component>(&mut self) -> Option<T> {
        self.values.remove(&TypeId::of::<T>())?.downcast().ok().map(|value| *value)
    }

    /// Returns the value of type `T`.
    pub fn get<T: Component>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Returns the value of type `T`, for changing it.
    pub fn get_mut<T: Component>(&mut self) -> Option<&mut T> {
        self.values.get_mut(&TypeId::of::<T>())?.downcast_mut()
    }
}
