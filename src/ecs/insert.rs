//! Which components an entity has: adding, removing and replacing them.

use std::any::type_name;

use super::{Bundle, Component, ComponentTuple, Entity, Error, Signature, World};

impl World {
    /// Returns `true` if the entity lives in this world.
    pub fn contains(&self, entity: Entity) -> bool {
        self.index.check(entity).is_ok()
    }

    /// Returns the set of components that an entity has.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world.
    pub fn signature(&self, entity: Entity) -> Result<Signature, Error> {
        Ok(self.index.signature(self.index.check(entity)?))
    }

    /// Returns `true` if the entity lives in this world and has the component.
    pub fn has<T: Component>(&self, entity: Entity) -> bool {
        let component = self.component_type::<T>();
        component.is_some_and(|component| self.index.find(entity, component).is_some())
    }

    /// Adds a component to an entity. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or it has a component of this type
    /// already. The value is dropped then.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) -> Result<(), Error> {
        self.insert_bundle(entity, (value,))
    }

    /// Adds several components to an entity, which enters each matching group once.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert), for any of the components. Nothing is added then.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub fn insert_bundle<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), Error> {
        self.insert_into_slot(self.index.check(entity)?, bundle)
    }

    #[cfg_attr(not(web), track_caller)]
    fn insert_into_slot<B: Bundle>(&mut self, slot: u32, bundle: B) -> Result<(), Error> {
        let (types, given) = self.resolve::<B::Components>();
        let present = self.index.signature(slot).intersection(given);
        if !present.is_empty() {
            let entity = self.index.entity(slot);
            return Err(Error::AlreadyPresent(entity, self.name_of_first(present)));
        }
        self.give_to_slot(slot, bundle.into_components(), &types, given);
        Ok(())
    }

    /// Removes a component from an entity and returns it. The packed array stays packed by
    /// swap-remove. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or it does not have the component.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub fn remove<T: Component>(&mut self, entity: Entity) -> Result<T, Error> {
        let (value,) = self.remove_bundle(entity)?;
        Ok(value)
    }

    /// Removes several components from an entity and returns them.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove), for any of the components. Nothing is removed then.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub fn remove_bundle<B: Bundle>(&mut self, entity: Entity) -> Result<B, Error> {
        self.remove_from_slot(self.index.check(entity)?)
    }

    #[cfg_attr(not(web), track_caller)]
    fn remove_from_slot<B: Bundle>(&mut self, slot: u32) -> Result<B, Error> {
        let (types, taken) = self.resolve::<B::Components>();
        let missing = taken.difference(self.index.signature(slot));
        if !missing.is_empty() {
            let entity = self.index.entity(slot);
            return Err(Error::Missing(entity, self.name_of_first(missing)));
        }
        self.notify_removed(slot, taken);
        let components = self.take_from_slot(slot, &types, taken);
        Ok(B::from_components(components))
    }

    /// Removes the component `Old` and adds `new` in one step. The entity stays in the groups that
    /// depend on neither of the two.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, has no `Old`, or has a `New` already.
    #[cfg_attr(not(web), track_caller)]
    pub fn exchange<Old: Component, New: Component>(
        &mut self,
        entity: Entity,
        new: New,
    ) -> Result<Old, Error> {
        let slot = self.index.check(entity)?;
        let (old_type, new_type) = (self.register::<Old>(), self.register::<New>());
        let before = self.index.signature(slot);
        if !before.contains(old_type) {
            return Err(Error::Missing(entity, type_name::<Old>()));
        }
        if before.contains(new_type) {
            return Err(Error::AlreadyPresent(entity, type_name::<New>()));
        }
        self.notify_removed(slot, Signature::EMPTY.with(old_type));
        let after = before.without(old_type).with(new_type);
        let removed = self.leave_groups(slot, before, after);
        let Self { index, columns, .. } = self;
        let (old,) = <(Old,)>::take(slot, &[old_type], removed, index, columns);
        columns[new_type.index()].push(new);
        let given = Signature::EMPTY.with(new_type);
        self.place(slot, before, after, given);
        self.notify_added(slot, given);
        Ok(old)
    }

    /// Replaces a component of an entity and returns the former value; adds it if there is none.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world. The value is dropped then.
    pub fn set<T: Component>(&mut self, entity: Entity, value: T) -> Result<Option<T>, Error> {
        if let Ok(present) = self.get_mut::<T>(entity) {
            return Ok(Some(std::mem::replace(present, value)));
        }
        self.insert(entity, value).map(|()| None)
    }

    /// Returns the component of an entity; adds the result of `make` first if there is none.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world.
    pub fn get_or_insert_with<T: Component>(
        &mut self,
        entity: Entity,
        make: impl FnOnce() -> T,
    ) -> Result<&mut T, Error> {
        self.index.check(entity)?;
        if !self.has::<T>(entity) {
            self.insert(entity, make())?;
        }
        self.get_mut(entity)
    }

    /// Adds components to the entity in `slot`, which has none of them.
    pub(super) fn give_to_slot<C: ComponentTuple>(
        &mut self,
        slot: u32,
        components: C,
        types: &C::Types,
        given: Signature,
    ) {
        let before = self.index.signature(slot);
        let after = before.union(given);
        if given.is_disjoint(self.owned.union(self.excluded)) {
            components.insert(slot, types, &mut self.index, &mut self.columns);
            self.index.set_signature(slot, after);
        } else {
            self.leave_groups(slot, before, after);
            components.push(types, &mut self.columns);
            self.place(slot, before, after, given);
        }
        self.notify_added(slot, given);
    }

    /// Gives the new entity in `slot` its components.
    pub(super) fn fill_slot<C: ComponentTuple>(
        &mut self,
        slot: u32,
        components: C,
        types: &C::Types,
        signature: Signature,
    ) {
        components.push(types, &mut self.columns);
        self.place_new(slot, signature);
        self.notify_added(slot, signature);
    }

    /// Removes components from the entity in `slot`, which has all of them, without notifying the
    /// observers.
    pub(super) fn take_from_slot<C: ComponentTuple>(
        &mut self,
        slot: u32,
        types: &C::Types,
        taken: Signature,
    ) -> C {
        let before = self.index.signature(slot);
        let after = before.difference(taken);
        let removed = self.leave_groups(slot, before, after);
        let components = C::take(slot, types, removed, &mut self.index, &mut self.columns);
        self.enter_groups(slot, before, after, Signature::EMPTY);
        components
    }

    /// Returns the name of one of the components, for an error.
    #[cold]
    fn name_of_first(&self, components: Signature) -> &'static str {
        components.iter().next().map_or("", |component| self.columns[component.index()].name())
    }
}
