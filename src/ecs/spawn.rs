//! Spawning and despawning single entities.

use std::any::TypeId;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::bundle::Types;
use super::column::for_each_despite_panic;
use super::group::swap_members;
use super::signature::ones;
use super::world::ResolvedBundle;
use super::{Bundle, ComponentType, Entity, Error, Signature, World};

impl World {
    /// Spawns an entity with the components of `bundle`. The slot that was freed last is reused
    /// first, unless it is kept for [`Commands`](super::Commands). `O(components + groups)`.
    ///
    /// # Panics
    /// The entity limit is reached: [`try_spawn`](Self::try_spawn) returns an error instead.
    #[cfg_attr(not(web), track_caller)]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> Entity {
        match self.try_spawn(bundle) {
            Ok(entity) => entity,
            Err(error) => panic!("cannot spawn an entity: {error}"),
        }
    }

    /// Spawns an entity like [`spawn`](Self::spawn), for worlds with [`Limits`](super::Limits).
    ///
    /// # Errors
    /// The entity limit is reached.
    #[cfg_attr(not(web), track_caller)]
    pub fn try_spawn<B: Bundle>(&mut self, bundle: B) -> Result<Entity, Error> {
        let (types, signature) = self.resolve_cached::<B>();
        // Converted first: if that panics, nothing has changed.
        let components = bundle.into_components();
        let slot = self.index.create()?;
        self.fill_slot(slot, components, &types, signature);
        Ok(self.index.entity(slot))
    }

    /// Returns the component types of a bundle. Consecutive calls for the same bundle type look
    /// them up once.
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn resolve_cached<B: Bundle>(&mut self) -> (Types<B>, Signature) {
        let id = TypeId::of::<B>();
        if let Some(last) = self.last_bundle.as_ref().filter(|last| last.id == id)
            && let Ok(types) = Types::<B>::try_from(&last.types)
        {
            return (types, last.signature);
        }
        let (types, signature) = self.resolve::<B::Components>();
        self.last_bundle = Some(ResolvedBundle { id, types: types.as_ref().to_vec(), signature });
        (types, signature)
    }

    /// Despawns an entity and drops its components. `O(components + groups)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world.
    #[inline]
    pub fn despawn(&mut self, entity: Entity) -> Result<(), Error> {
        self.despawn_slot(self.index.check(entity)?);
        Ok(())
    }

    pub(super) fn despawn_slot(&mut self, slot: u32) {
        let entity = self.index.entity(slot);
        let signature = self.index.signature(slot);
        self.notify_removed(slot, signature);
        self.remove_from_arrays(slot, signature);
        self.index.destroy(slot);
        let Self { columns, to_drop, observers, .. } = self;
        if to_drop.is_empty() {
            return observers.despawned(entity);
        }
        // If a destructor panics, the index is consistent, and the observers are called before the
        // panic continues.
        let dropped = catch_unwind(AssertUnwindSafe(|| {
            for_each_despite_panic(to_drop.drain(..), |(component, hole)| {
                columns[component.index()].swap_drop(hole);
            });
        }));
        observers.despawned(entity);
        dropped.unwrap_or_else(|panic| resume_unwind(panic));
    }

    /// Removes the entity in `slot` from all groups and arrays, except for values with a destructor: these
    /// are to be dropped.
    fn remove_from_arrays(&mut self, slot: u32, signature: Signature) {
        // Each group that the entity leaves fills the hole with its last member, from the innermost
        // group out. The last member of a whole list follows below, in one step.
        let (mut outside, mut lists) = (signature, 0);
        let Self { index, columns, groups, .. } = self;
        for group in groups.iter_mut().rev().filter(|group| group.matches(signature)) {
            group.len -= 1;
            lists |= group.lists;
            outside = outside.difference(group.outermost);
            for list in group.lists() {
                if group.len + 1 < index.list(list).len() {
                    let arrays = group.owned.intersection(index.arrays_of(list));
                    let places = [index.position(slot, list), group.len];
                    swap_members(index, columns, (list, arrays), places);
                }
            }
        }
        for list in ones(lists) {
            let whole = self.index.list(list).len();
            let hole = self.index.remove_member(slot, list);
            let arrays = self.index.arrays_of(list).intersection(signature.difference(outside));
            for component in arrays {
                let array = self.index.array_mut(component);
                let last = array.aligned() - 1;
                // An inner group has moved the element to its own end already.
                let mut hole = if last + 1 == whole { hole } else { last };
                if array.pop_member() && hole != last {
                    self.columns[component.index()].swap(hole, last);
                    hole = last;
                }
                self.remove_value(component, hole);
            }
        }
        for component in outside {
            let hole = self.index.array_mut(component).swap_remove(slot);
            self.remove_value(component, hole);
        }
    }

    /// Removes a value by swap-remove, later if it has a destructor.
    #[inline]
    fn remove_value(&mut self, component: ComponentType, hole: usize) {
        let column = &mut self.columns[component.index()];
        if column.needs_drop() {
            self.to_drop.push((component, hole));
        } else {
            column.swap_drop(hole);
        }
    }
}
