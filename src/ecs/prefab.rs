//! Prefab: an entity as the pattern for others.

use super::batch::Unfinished;
use super::column::Column;
use super::{Component, ComponentType, Entity, Error, Signature, World};

/// Appends a copy of the value at a position.
pub(super) type CloneValue = fn(&mut Column, usize);

fn clone_value<T: Component + Clone>(column: &mut Column, position: usize) {
    let copy = column.values::<T>()[position].clone();
    column.push(copy);
}

impl World {
    /// As [`register`](Self::register), for a component that [`spawn_clone`](Self::spawn_clone) may
    /// copy.
    ///
    /// # Errors
    /// As for [`register`](Self::register).
    pub fn register_cloneable<T: Component + Clone>(&mut self) -> Result<ComponentType, Error> {
        let component = self.register::<T>()?;
        self.columns[component.index()].set_clone(clone_value::<T>);
        Ok(component)
    }

    /// Spawns an entity with copies of all components of another one, the prefab.
    ///
    /// # Errors
    /// The prefab does not exist (any more) or belongs to another world, the entity limit is
    /// reached, or a component was not registered as cloneable.
    pub fn spawn_clone(&mut self, prefab: Entity) -> Result<Entity, Error> {
        let pattern = self.index.check(prefab)?;
        let signature = self.index.signature(pattern);
        for component in signature.iter() {
            let column = &self.columns[component.index()];
            if column.clone_value().is_none() {
                return Err(Error::NotCloneable(prefab, column.name()));
            }
        }
        if self.index.vacancies() == 0 {
            return Err(Error::EntityLimit { limit: self.index.limits().entities });
        }
        // Copies are made before the entity is, so that one that panics leaves nothing half done.
        let types: Vec<_> = signature.iter().collect();
        let copies = Unfinished { columns: &mut self.columns, index: &self.index, types: &types };
        for &component in &types {
            let position = self.index.dense(pattern)[component.index()] as usize;
            if let Some(clone_value) = copies.columns[component.index()].clone_value() {
                clone_value(&mut copies.columns[component.index()], position);
            }
        }
        std::mem::forget(copies);
        let slot = self.index.create().expect("there was a vacancy");
        self.index.attach_all(slot, &types);
        self.enter_groups(slot, Signature::EMPTY, signature);
        let entity = self.index.entity(slot);
        self.observers.changed(entity, Signature::EMPTY, signature);
        Ok(entity)
    }
}
