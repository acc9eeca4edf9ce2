//! Templates: sets of components that are known only at run time.

use std::any::{Any, TypeId, type_name};
use std::fmt;

use super::column::Column;
use super::column_map::ColumnMap;
use super::index::Index;
use super::{Component, ComponentType, Entity, Error, Signature, World};

/// A set of component values that is put together at run time, for instance from a file. Each entity
/// that is spawned from it gets a clone of every value.
///
/// ```
/// use cubefall::ecs::{Template, World};
///
/// #[derive(Clone)]
/// struct Name(&'static str);
/// #[derive(Clone)]
/// struct Health(u32);
///
/// let mut guard = Template::new();
/// assert!(guard.insert(Name("guard")));
/// assert!(guard.insert(Health(80)));
///
/// let mut world = World::new();
/// let entity = world.spawn_template(&guard);
/// assert_eq!(world.get::<&Health>(entity).map(|health| health.0), Ok(80));
/// ```
#[derive(Clone, Default)]
pub struct Template {
    pub(super) values: Vec<Box<dyn Value>>,
}

/// Prints the names of the component types.
impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A component value with its type erased.
pub(super) trait Value: Any + Send + Sync {
    fn register(&self, index: &mut Index, columns: &mut ColumnMap) -> ComponentType;
    fn boxed_clone(&self) -> Box<dyn Value>;
    fn push(self: Box<Self>, column: &mut Column);
    fn type_name(&self) -> &'static str;
}

impl<T: Component + Clone> Value for T {
    fn register(&self, index: &mut Index, columns: &mut ColumnMap) -> ComponentType {
        columns.register::<T>(index)
    }

    fn boxed_clone(&self) -> Box<dyn Value> {
        Box::new(self.clone())
    }

    fn push(self: Box<Self>, column: &mut Column) {
        column.push::<T>(*self);
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }
}

impl Clone for Box<dyn Value> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl Template {
    /// Returns a template without components.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a component. Returns `false`, and drops the value, if there is one of its type already.
    #[must_use = "a value of a type that the template has already is dropped; `set` replaces the old one"]
    pub fn insert<T: Component + Clone>(&mut self, value: T) -> bool {
        let is_new = self.values.iter().all(|value| (**value).type_id() != TypeId::of::<T>());
        if is_new {
            self.values.push(Box::new(value));
        }
        is_new
    }

    /// Replaces the component of this type, or adds it if there is none. So a changed clone is a
    /// variant of a template.
    pub fn set<T: Component + Clone>(&mut self, value: T) {
        let mut values = self.values.iter_mut();
        match values.find(|old| (***old).type_id() == TypeId::of::<T>()) {
            Some(old) => *old = Box::new(value),
            None => self.values.push(Box::new(value)),
        }
    }

    /// Returns the Rust names of the component types, in the order in which they were added.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.values.iter().map(|value| (**value).type_name())
    }
}

impl World {
    /// Spawns an entity with clones of the components of a template.
    ///
    /// # Panics
    /// The entity limit is reached.
    #[cfg_attr(not(web), track_caller)]
    pub fn spawn_template(&mut self, template: &Template) -> Entity {
        // Cloned and registered first: if that panics, no entity is left without components.
        let values = template.values.clone();
        let types = self.register_values(&values);
        let entity = self.spawn(());
        let inserted = self.insert_values(entity, values, &types);
        inserted.expect("the new entity has no component");
        entity
    }

    /// Adds clones of the components of a template to an entity, which enters each matching group
    /// once.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or it has one of the components
    /// already. Nothing is added then.
    pub fn insert_template(&mut self, entity: Entity, template: &Template) -> Result<(), Error> {
        self.index.check(entity)?;
        let values = template.values.clone();
        let types = self.register_values(&values);
        self.insert_values(entity, values, &types)
    }

    pub(super) fn register_values(&mut self, values: &[Box<dyn Value>]) -> Vec<ComponentType> {
        let Self { index, columns, .. } = self;
        values.iter().map(|value| (**value).register(index, columns)).collect()
    }

    pub(super) fn insert_values(
        &mut self,
        entity: Entity,
        values: Vec<Box<dyn Value>>,
        types: &[ComponentType],
    ) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let before = self.index.signature(slot);
        if let Some(position) = types.iter().position(|&component| before.contains(component)) {
            return Err(Error::AlreadyPresent(entity, (*values[position]).type_name()));
        }
        let given: Signature = types.iter().copied().collect();
        let after = before.union(given);
        self.leave_groups(slot, before, after);
        for (value, &component) in values.into_iter().zip(types) {
            value.push(&mut self.columns[component.index()]);
        }
        self.place(slot, before, after, given);
        self.notify_added(slot, given);
        Ok(())
    }
}
