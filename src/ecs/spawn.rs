//! Spawning, despawning and respawning single entities.

use std::any::TypeId;

use super::bundle::Types;
use super::column::for_each_despite_panic;
use super::world::ResolvedBundle;
use super::{Bundle, ComponentTuple, Entity, Error, MAX_COMPONENT_TYPES, Signature, World};

impl World {
    /// Spawns an entity with the components of `bundle`. The slot that was freed last is reused
    /// first. `O(components + groups)`.
    ///
    /// # Errors
    /// The entity limit is reached, or a component is not registered or given twice.
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> Result<Entity, Error> {
        let (types, signature) = self.resolve_cached::<B>()?;
        let slot = self.index.create()?;
        self.give_to_slot(slot, bundle.into_components(), &types, signature);
        Ok(self.index.entity(slot))
    }

    /// Returns the component types of a bundle. Consecutive calls for the same bundle type look
    /// them up once.
    fn resolve_cached<B: Bundle>(&mut self) -> Result<(Types<B>, Signature), Error> {
        let id = TypeId::of::<B>();
        if let Some(last) = self.last_bundle.as_ref().filter(|last| last.id == id)
            && let Ok(types) = Types::<B>::try_from(&last.types)
        {
            return Ok((types, last.signature));
        }
        let (types, signature) = B::Components::resolve(&self.columns)?;
        self.last_bundle = Some(ResolvedBundle { id, types: types.as_ref().to_vec(), signature });
        Ok((types, signature))
    }

    /// Despawns an entity and drops its components. `O(components + groups)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world.
    pub fn despawn(&mut self, entity: Entity) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let signature = self.index.signature(slot);
        // Each group that the entity leaves fills the hole with its last member, from the innermost
        // group out. If a group has the whole array, the swap-remove below moves that member.
        for number in (0..self.groups.len()).rev() {
            let group = &mut self.groups[number];
            if !group.matches(signature) {
                continue;
            }
            group.len -= 1;
            let (owned, last) = (group.owned, group.len);
            for component in owned.iter() {
                if last + 1 < self.index.members(component).len() {
                    self.swap(component, self.index.dense(slot)[component.index()] as usize, last);
                }
            }
        }
        let mut holes = [0; MAX_COMPONENT_TYPES];
        for component in signature.iter() {
            holes[component.index()] = self.index.remove(slot, component);
        }
        self.index.destroy(slot);
        // Destructors run last: if one panics, the index is consistent.
        for_each_despite_panic(signature.iter(), |component| {
            self.columns[component.index()].swap_drop(holes[component.index()]);
        });
        self.observers.despawned(entity, signature);
        Ok(())
    }

    /// Despawns an entity and spawns one with the components of `bundle` in its slot. The handles
    /// are the same as with [`despawn`](Self::despawn) and [`spawn`](Self::spawn). If both entities
    /// have the same components, the values are replaced in place: `O(components)`, no array moves
    /// and no group changes.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or a component is not registered or
    /// given twice; nothing is changed then. Or the slot has no generation left and the entity limit
    /// is reached without it; the entity is despawned then.
    pub fn respawn<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<Entity, Error> {
        let slot = self.index.check(entity)?;
        let (types, signature) = self.resolve_cached::<B>()?;
        if self.index.signature(slot) != signature || !self.index.renew(slot) {
            self.despawn(entity)?;
            return self.spawn(bundle);
        }
        let components = bundle.into_components();
        components.overwrite(self.index.dense(slot), &types, &mut self.columns);
        let new = self.index.entity(slot);
        self.observers.despawned(entity, signature);
        self.observers.changed(new, Signature::EMPTY, signature);
        Ok(new)
    }
}
