//! Resources: values that a world holds once, instead of once per entity.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

use super::{Component, Error};

/// At most one value of each type; reached by [`World::resources`](super::World::resources).
#[derive(Default)]
pub struct Resources {
    values: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Resources {
    /// Inserts a value and returns the previous value of its type.
    pub fn insert<T: Component>(&mut self, value: T) -> Option<T> {
        let old = self.values.insert(TypeId::of::<T>(), Box::new(value))?;
        old.downcast().ok().map(|old| *old)
    }

    /// Returns the value of type `T`.
    ///
    /// # Errors
    /// There is no value of this type.
    pub fn get<T: Component>(&self) -> Result<&T, Error> {
        let value = self.values.get(&TypeId::of::<T>());
        value.and_then(|value| value.downcast_ref()).ok_or(Error::NoResource(type_name::<T>()))
    }

    /// Returns the value of type `T`, for changing it.
    ///
    /// # Errors
    /// There is no value of this type.
    pub fn get_mut<T: Component>(&mut self) -> Result<&mut T, Error> {
        let value = self.values.get_mut(&TypeId::of::<T>());
        value.and_then(|value| value.downcast_mut()).ok_or(Error::NoResource(type_name::<T>()))
    }
}
