//! Resources: values of which a world has one, not one to an entity.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

use super::{Component, Error, World};

/// One value of each type.
#[derive(Default)]
pub(super) struct Resources(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl World {
    /// Puts a value in the world; the one of its type that was there is handed out.
    pub fn insert_resource<T: Component>(&mut self, value: T) -> Option<T> {
        let old = self.resources.0.insert(TypeId::of::<T>(), Box::new(value))?;
        old.downcast().ok().map(|old| *old)
    }

    /// The value of a type.
    ///
    /// # Errors
    /// The world has none.
    pub fn resource<T: Component>(&self) -> Result<&T, Error> {
        let found = self.resources.0.get(&TypeId::of::<T>());
        let found = found.and_then(|found| found.downcast_ref());
        found.ok_or(Error::NoResource(type_name::<T>()))
    }

    /// The value of a type, to be changed.
    ///
    /// # Errors
    /// The world has none.
    pub fn resource_mut<T: Component>(&mut self) -> Result<&mut T, Error> {
        let found = self.resources.0.get_mut(&TypeId::of::<T>());
        let found = found.and_then(|found| found.downcast_mut());
        found.ok_or(Error::NoResource(type_name::<T>()))
    }

    /// Takes the value of a type out of the world. A system that needs it next to components takes
    /// it and puts it back.
    ///
    /// # Errors
    /// The world has none.
    pub fn remove_resource<T: Component>(&mut self) -> Result<T, Error> {
        let found = self.resources.0.remove(&TypeId::of::<T>());
        let found = found.and_then(|found| found.downcast().ok());
        found.map(|found| *found).ok_or(Error::NoResource(type_name::<T>()))
    }
}
