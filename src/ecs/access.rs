//! Access to the components of one entity.

use std::any::type_name;

use super::index::ABSENT;
use super::{Bundle, Component, ComponentTuple, ComponentType, Entity, Error, Signature, World};

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

    /// Adds a component to an entity. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, the component is not registered, or
    /// the entity has one of its type already. The value is dropped then.
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) -> Result<(), Error> {
        self.insert_bundle(entity, (value,))
    }

    /// Adds several components to an entity, which enters each matching group once.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert), for any of the components; or one is given twice. Nothing
    /// is added then.
    pub fn insert_bundle<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let (types, given) = B::Components::resolve(&self.columns)?;
        let present = self.index.signature(slot).intersection(given);
        if !present.is_empty() {
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
    pub fn remove<T: Component>(&mut self, entity: Entity) -> Result<T, Error> {
        let (value,) = self.remove_bundle(entity)?;
        Ok(value)
    }

    /// Removes several components from an entity and returns them.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove), for any of the components; or one is named twice. Nothing
    /// is removed then.
    pub fn remove_bundle<B: Bundle>(&mut self, entity: Entity) -> Result<B, Error> {
        let slot = self.index.check(entity)?;
        let (types, taken) = B::Components::resolve(&self.columns)?;
        let before = self.index.signature(slot);
        let missing = taken.difference(before);
        if !missing.is_empty() {
            return Err(Error::Missing(entity, self.name_of_first(missing)));
        }
        let components = self.take_from_slot(slot, &types, taken);
        self.observers.changed(entity, before, before.difference(taken));
        Ok(B::from_components(components))
    }

    /// Removes the component `Old` and adds `new` in one step. The entity stays in the groups that
    /// depend on neither of the two.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, has no `Old`, or has a `New` already.
    pub fn exchange<Old: Component, New: Component>(
        &mut self,
        entity: Entity,
        new: New,
    ) -> Result<Old, Error> {
        let (slot, old_type, _) = self.locate::<Old>(entity)?;
        if self.has::<New>(entity) {
            return Err(Error::AlreadyPresent(entity, type_name::<New>()));
        }
        let new_type = self.component_type::<New>()?;
        let before = self.index.signature(slot);
        let after = before.without(old_type).with(new_type);
        self.leave_groups(slot, before, after);
        let Self { index, columns, .. } = self;
        let hole = index.remove(slot, old_type);
        let old = columns[old_type.index()].swap_remove(hole);
        columns[new_type.index()].push(new);
        self.enter_groups(slot, before, after, Signature::EMPTY.with(new_type));
        self.observers.changed(entity, before, after);
        Ok(old)
    }

    /// Returns the component of an entity; adds the result of `make` first if there is none.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or the component is not registered.
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

    /// Returns the component of an entity.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or it does not have the component.
    pub fn get<T: Component>(&self, entity: Entity) -> Result<&T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(&self.columns[component.index()].values()[dense])
    }

    /// Returns the component of an entity, for changing it.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn get_mut<T: Component>(&mut self, entity: Entity) -> Result<&mut T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(self.columns[component.index()].value_mut(dense))
    }

    /// Returns the components of several different entities, for changing them.
    ///
    /// # Errors
    /// As for [`get`](Self::get), for any of the entities; or two of them are the same.
    pub fn get_many_mut<T: Component, const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[&mut T; N], Error> {
        let component = self.component_type::<T>()?;
        let mut dense = [0; N];
        for (i, &entity) in entities.iter().enumerate() {
            (_, _, dense[i]) = self.locate::<T>(entity)?;
            if entities[..i].contains(&entity) {
                return Err(Error::EntityTwice(entity));
            }
        }
        let column = &mut self.columns[component.index()];
        for &dense in &dense {
            column.mark(dense);
        }
        let values = column.values_unmarked().get_disjoint_mut(dense);
        Ok(values.expect("the entities are different, and each has the component"))
    }

    /// Returns `true` if the entity lives in this world and has the component.
    pub fn has<T: Component>(&self, entity: Entity) -> bool {
        self.locate::<T>(entity).is_ok()
    }

    /// Returns slot, component type and dense index of a component.
    fn locate<T: Component>(&self, entity: Entity) -> Result<(u32, ComponentType, usize), Error> {
        let slot = self.index.check(entity)?;
        let component = self.component_type::<T>()?;
        match self.index.located(slot).dense(component) {
            ABSENT => Err(Error::Missing(entity, type_name::<T>())),
            dense => Ok((slot, component, dense as usize)),
        }
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
        if !before.is_empty() {
            self.leave_groups(slot, before, after);
        }
        components.push(types, &mut self.columns);
        self.enter_groups(slot, before, after, given);
        if !self.observers.is_empty() {
            self.observers.changed(self.index.entity(slot), before, after);
        }
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
        self.leave_groups(slot, before, after);
        let components = C::take(slot, types, &mut self.index, &mut self.columns);
        self.enter_groups(slot, before, after, Signature::EMPTY);
        components
    }

    /// Returns the name of one of the components, for an error.
    #[cold]
    fn name_of_first(&self, components: Signature) -> &'static str {
        components.iter().next().map_or("", |component| self.columns[component.index()].name())
    }
}
