//! Spawning, despawning and respawning single entities.

use std::any::TypeId;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

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
        // Converted first: if that panics, nothing has changed.
        let components = bundle.into_components();
        let slot = self.index.create()?;
        self.give_to_slot(slot, components, &types, signature);
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
        let holes = self.remove_from_arrays(slot, signature);
        self.index.destroy(slot);
        // If a destructor panics, the index is consistent, and the observers are called first.
        let dropped = catch_unwind(AssertUnwindSafe(|| {
            for_each_despite_panic(signature.iter(), |component| {
                self.columns[component.index()].swap_drop(holes[component.index()]);
            });
        }));
        self.observers.despawned(entity, signature);
        dropped.unwrap_or_else(|panic| resume_unwind(panic));
        Ok(())
    }

    /// Removes the entity in `slot` from all groups and arrays. Returns the index, by component type,
    /// from which its value is to be removed by swap-remove.
    fn remove_from_arrays(
        &mut self,
        slot: u32,
        signature: Signature,
    ) -> [usize; MAX_COMPONENT_TYPES] {
        let mut holes = [0; MAX_COMPONENT_TYPES];
        // Each group that the entity leaves fills the hole with its last member, from the innermost
        // group out. The last member of a whole list follows below, in one step.
        let (mut outside, mut lists) = (signature, 0);
        for number in (0..self.groups.len()).rev() {
            let group = &mut self.groups[number];
            if !group.matches(signature) {
                continue;
            }
            group.len -= 1;
            let group = *group;
            for list in group.lists() {
                let last = group.len;
                if last + 1 < self.index.list(list).len() {
                    let arrays = group.owned.intersection(self.index.arrays_of(list));
                    self.swap_members(list, arrays, self.index.position(slot, list), last);
                }
            }
            lists |= group.lists;
            outside = outside.difference(group.outermost);
        }
        for list in (0..u32::BITS as u8).filter(|list| lists >> list & 1 != 0) {
            let whole = self.index.list(list).len();
            let hole = self.index.remove_member(slot, list);
            let arrays = self.index.arrays_of(list).intersection(signature.difference(outside));
            for component in arrays.iter() {
                let array = self.index.array_mut(component);
                let last = array.aligned() - 1;
                // An inner group has moved the element to its own end already.
                let hole = if last + 1 == whole { hole } else { last };
                if array.pop_member() && hole != last {
                    self.columns[component.index()].swap(hole, last);
                    holes[component.index()] = last;
                } else {
                    holes[component.index()] = hole;
                }
            }
        }
        for component in outside.iter() {
            holes[component.index()] = self.index.array_mut(component).swap_remove(slot);
        }
        holes
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
        // Converted first: if that panics, nothing has changed.
        let components = bundle.into_components();
        if self.index.signature(slot) != signature || !self.index.renew(slot) {
            self.despawn(entity)?;
            let slot = self.index.create()?;
            self.give_to_slot(slot, components, &types, signature);
            return Ok(self.index.entity(slot));
        }
        let old = components.replace(self.index.located(slot), &types, &mut self.columns);
        let new = self.index.entity(slot);
        self.observers.despawned(entity, signature);
        self.observers.changed(new, Signature::EMPTY, signature);
        // Dropped last: if a destructor panics, all is done.
        drop(old);
        Ok(new)
    }
}
