//! Respawning: despawning entities and spawning others in their slots, one or many.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Bundle, ComponentTuple, Entity, Error, Signature, World};

impl World {
    /// Despawns an entity and spawns one with the components of `bundle` in its slot. The handles
    /// are the same as with [`despawn`](Self::despawn) and [`spawn`](Self::spawn). If both entities
    /// have the same components and the slot has a generation left, the values are replaced in place: `O(components)`, no
    /// array moves and no group changes. Otherwise no entity is spawned if a destructor of the old ones panics.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world; nothing is changed then. Or the slot has
    /// no generation left and the world has no other slot; the entity is despawned then.
    #[cfg_attr(not(web), track_caller)]
    pub fn respawn<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<Entity, Error> {
        self.index.check(entity)?;
        let (types, signature) = self.resolve_cached::<B>();
        // Converted first: if that panics, nothing has changed.
        let components = bundle.into_components();
        let mut new = entity;
        self.respawn_one(&mut new, &types, signature, |_| components)?;
        Ok(new)
    }

    /// Respawns entities one after the other, as [`respawn`](Self::respawn) does, and replaces each handle by
    /// that of the new entity. `make` returns the bundle for the entity at a position of the batch and its new
    /// handle. Handles, storage order and calls of observers are those of single calls; values are replaced in
    /// one pass.
    ///
    /// If `make` panics, the entities before that one are respawned. That one is unchanged if it has the components of
    /// `B` and a generation left, and despawned otherwise.
    ///
    /// # Errors
    /// As for [`respawn`](Self::respawn), for the first entity that is refused. Those before it are
    /// respawned then. Only the handles of respawned entities are replaced.
    #[cfg_attr(not(web), track_caller)]
    pub fn respawn_batch<B: Bundle>(
        &mut self,
        entities: &mut [Entity],
        mut make: impl FnMut(usize, Entity) -> B,
    ) -> Result<(), Error> {
        let (types, signature) = self.resolve::<B::Components>();
        let mut make = |position, new| make(position, new).into_components();
        let mut done = 0;
        loop {
            // Observers are called between the replacements.
            if !self.observers.concern_respawned(signature) {
                let Self { index, columns, .. } = self;
                let rest = &mut entities[done..];
                let make = |position, new| make(done + position, new);
                done += B::Components::renew(rest, &types, signature, index, columns, make);
            }
            let Some(entity) = entities.get_mut(done) else { return Ok(()) };
            self.respawn_one(entity, &types, signature, |new| make(done, new))?;
            done += 1;
        }
    }

    /// Respawns entities as [`respawn_batch`](Self::respawn_batch) does, on all threads of the current rayon pool.
    /// `make` is called in any order.
    ///
    /// Several threads respawn the first entities of the batch, as long as these are members of one group, in its order.
    /// That group must own all components of `B`, and be the first group that was created, a group around that one, or nested
    /// in these only. From the first other entity on, one thread respawns one after the other. So it does with the
    /// whole batch if an observer waits for these components or for despawned entities.
    ///
    /// If `make` or a destructor panics, some of the new entities have some or all components of the former ones.
    ///
    /// # Errors
    /// As for [`respawn_batch`](Self::respawn_batch).
    #[cfg(parallel)]
    #[cfg_attr(not(web), track_caller)]
    pub fn par_respawn_batch<B: Bundle>(
        &mut self,
        entities: &mut [Entity],
        make: impl Fn(usize, Entity) -> B + Sync,
    ) -> Result<(), Error> {
        let (types, signature) = self.resolve::<B::Components>();
        let Self { index, columns, renewed, observers, .. } = self;
        renewed.clear();
        if !observers.concern_respawned(signature) {
            index.renew_in_order(entities, types.as_ref(), signature, renewed);
        }
        let (in_order, rest) = entities.split_at_mut(renewed.len());
        let start = in_order.len();
        let make_components = |position, new| make(position, new).into_components();
        B::Components::par_renew(in_order, renewed, &types, columns, make_components);
        self.respawn_batch(rest, |position, new| make(start + position, new))
    }

    /// Replaces the components of an entity, which can be renewed, and its handle.
    fn replace_in_place<C: ComponentTuple>(
        &mut self,
        entity: &mut Entity,
        components: C,
        types: &C::Types,
        signature: Signature,
    ) {
        let slot = entity.index();
        self.notify_removed(slot, signature);
        self.index.renew(slot);
        let former = std::mem::replace(entity, self.index.entity(slot));
        let old = components.replace(self.index.located(slot), types, &mut self.columns);
        self.observers.despawned(former);
        self.notify_added(slot, signature);
        // Dropped last: if a destructor panics, all is done.
        drop(old);
    }

    /// Respawns an entity, and replaces its handle.
    fn respawn_one<C: ComponentTuple>(
        &mut self,
        entity: &mut Entity,
        types: &C::Types,
        signature: Signature,
        make: impl FnOnce(Entity) -> C,
    ) -> Result<(), Error> {
        if let Some(new) = self.index.renewed(*entity, signature) {
            let components = make(new);
            self.replace_in_place(entity, components, types, signature);
            return Ok(());
        }
        self.despawn_slot(self.index.check(*entity)?);
        let slot = self.index.create()?;
        let new = self.index.entity(slot);
        let result = catch_unwind(AssertUnwindSafe(|| make(new)));
        let components = result.unwrap_or_else(|panic| {
            self.index.destroy(slot);
            resume_unwind(panic)
        });
        *entity = new;
        self.fill_slot(slot, components, types, signature);
        Ok(())
    }
}
