//! Access: the components of one entity, given, taken, read and changed.

use std::any::type_name;

use super::index::ABSENT;
use super::{Bundle, Component, ComponentType, Entity, Error, Signature, World};

impl World {
    /// Gives an entity one more component. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, the component is unknown,
    /// or the entity has one of its type already; the value is dropped then.
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) -> Result<(), Error> {
        self.insert_bundle(entity, (value,))
    }

    /// Gives an entity several more components at once: it enters each group it now belongs to
    /// once.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert), for any of the components; or one is given twice. Nothing
    /// is added then.
    pub fn insert_bundle<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let types = B::types(&self.columns)?;
        let given = B::signature(&types, &self.columns)?;
        let before = self.index.signature(slot);
        if !before.is_disjoint(given) {
            return Err(Error::AlreadyPresent(
                entity,
                self.name_of_first(before.intersection(given)),
            ));
        }
        self.give_to_slot(slot, bundle, &types, given);
        Ok(())
    }

    /// Takes a component from an entity and hands it out; the last element of its packed array
    /// moves into the hole. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or it has no such
    /// component.
    pub fn remove<T: Component>(&mut self, entity: Entity) -> Result<T, Error> {
        let (value,) = self.remove_bundle(entity)?;
        Ok(value)
    }

    /// Takes several components from an entity at once and hands them out.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove), for any of the components; or one is named twice. Nothing
    /// is taken then.
    pub fn remove_bundle<B: Bundle>(&mut self, entity: Entity) -> Result<B, Error> {
        let slot = self.index.check(entity)?;
        let types = B::types(&self.columns)?;
        let taken = B::signature(&types, &self.columns)?;
        let before = self.index.signature(slot);
        if !before.contains_all(taken) {
            return Err(Error::Missing(entity, self.name_of_first(taken.difference(before))));
        }
        let bundle = self.take_from_slot(slot, &types, taken);
        self.observers.changed(entity, before, before.difference(taken));
        Ok(bundle)
    }

    /// Takes the component `Old` and gives `new` in one step, so that a group that takes no notice
    /// of either is not left and entered again.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, has no `Old`, or has a
    /// `New` already; nothing is changed then.
    pub fn exchange<Old: Component, New: Component>(
        &mut self,
        entity: Entity,
        new: New,
    ) -> Result<Old, Error> {
        let (slot, ..) = self.locate::<Old>(entity)?;
        if self.has::<New>(entity) {
            return Err(Error::AlreadyPresent(entity, type_name::<New>()));
        }
        let (old_types, new_types) =
            (<(Old,)>::types(&self.columns)?, <(New,)>::types(&self.columns)?);
        let before = self.index.signature(slot);
        let after = before.without(old_types[0]).with(new_types[0]);
        self.leave_groups(slot, before, after);
        let Self { index, columns, .. } = self;
        let (old,) = <(Old,)>::take(slot, &old_types, index, columns);
        (new,).store(slot, &new_types, index, columns);
        self.enter_groups(slot, before, after);
        self.observers.changed(entity, before, after);
        Ok(old)
    }

    /// The component of an entity, to be changed; made by `make` if the entity has none.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or the component is
    /// unknown.
    pub fn get_or_insert_with<T: Component>(
        &mut self,
        entity: Entity,
        make: impl FnOnce() -> T,
    ) -> Result<&mut T, Error> {
        if let Err(Error::Missing(..)) = self.locate::<T>(entity) {
            self.insert(entity, make())?;
        }
        self.get_mut(entity)
    }

    /// Puts `value` in the place of the component the entity has, and hands the old one out.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove); the new value is dropped then.
    pub fn replace<T: Component>(&mut self, entity: Entity, value: T) -> Result<T, Error> {
        Ok(std::mem::replace(self.get_mut(entity)?, value))
    }

    /// The component of an entity.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or it has no such
    /// component.
    pub fn get<T: Component>(&self, entity: Entity) -> Result<&T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(&self.columns[component.index()].values()[dense])
    }

    /// The component of an entity, to be changed.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn get_mut<T: Component>(&mut self, entity: Entity) -> Result<&mut T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(self.columns[component.index()].value_mut(dense))
    }

    /// Whether the entity lives in this world and has the component.
    #[must_use]
    pub fn has<T: Component>(&self, entity: Entity) -> bool {
        self.locate::<T>(entity).is_ok()
    }

    fn locate<T: Component>(&self, entity: Entity) -> Result<(u32, ComponentType, usize), Error> {
        let slot = self.index.check(entity)?;
        let component = self.component_type::<T>()?;
        match self.index.dense(slot)[component.index()] {
            ABSENT => Err(Error::Missing(entity, type_name::<T>())),
            dense => Ok((slot, component, dense as usize)),
        }
    }

    /// Gives the entity in `slot`, which has none of them, the components of a bundle.
    pub(super) fn give_to_slot<B: Bundle>(
        &mut self,
        slot: u32,
        bundle: B,
        types: &B::Types,
        given: Signature,
    ) {
        let before = self.index.signature(slot);
        let after = before.union(given);
        if !before.is_empty() {
            self.leave_groups(slot, before, after);
        }
        bundle.store(slot, types, &mut self.index, &mut self.columns);
        self.enter_groups(slot, before, after);
        if !self.observers.is_empty() {
            self.observers.changed(self.index.entity(slot), before, after);
        }
    }

    /// Takes the components of a bundle from the entity in `slot`, which has them all. Observers
    /// are not told.
    pub(super) fn take_from_slot<B: Bundle>(
        &mut self,
        slot: u32,
        types: &B::Types,
        taken: Signature,
    ) -> B {
        let before = self.index.signature(slot);
        let after = before.difference(taken);
        self.leave_groups(slot, before, after);
        let bundle = B::take(slot, types, &mut self.index, &mut self.columns);
        self.enter_groups(slot, before, after);
        bundle
    }

    /// Name of one of the components in a set; only to say what is wrong.
    #[cold]
    fn name_of_first(&self, components: Signature) -> &'static str {
        components.iter().next().map_or("", |component| self.columns[component.index()].name())
    }
}
