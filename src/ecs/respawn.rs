//! Respawn: one entity makes room for another of its kind, which takes its places in all arrays.

use super::{Bundle, Entity, Error, World};

impl World {
    /// Ends the life of an entity and brings one with the components of `bundle` to life in its
    /// slot: the handles are those that [`despawn`](Self::despawn) and [`spawn`](Self::spawn) would
    /// give. If both have the same components, the values are replaced where they lie: no array
    /// moves, no group is left. `O(components)`.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or a component is unknown
    /// or given twice; nothing is changed then. Or the slot was in use for the last time, and the
    /// entity limit is reached without it; the entity is despawned then.
    pub fn respawn<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<Entity, Error> {
        let slot = self.index.check(entity)?;
        let (types, signature) = self.remembered::<B>()?;
        if self.index.signature(slot) != signature || !self.index.renew(slot) {
            self.despawn(entity)?;
            return self.spawn(bundle);
        }
        bundle.overwrite(self.index.dense(slot), &types, &mut self.columns);
        let new = self.index.entity(slot);
        if !self.observers.is_empty() {
            self.observers.despawned(entity, signature);
            self.observers.gained(&[new], signature);
        }
        Ok(new)
    }
}
