//! State hash: one number for entities and their components.

use bytemuck::Pod;
use xxhash_rust::xxh3::Xxh3Default;

use crate::ecs::{Component, Entity, Error, World};

/// `XXH3-64` over entities and the bytes of their components.
///
/// Two simulations with the same hash hold the same bits in the same order. Components are hashed
/// as they lie in memory, so hashes compare between little-endian machines.
pub(super) struct StateHash(Xxh3Default);

impl StateHash {
    pub(super) fn new() -> Self {
        Self(Xxh3Default::new())
    }

    /// All entities that have a `T`, in the order of its array, each with its value.
    pub(super) fn array<T: Component + Pod>(&mut self, world: &World) -> Result<(), Error> {
        for (entity, (value,)) in world.query::<(&T,)>()?.iter() {
            self.one(entity, value);
        }
        // Marks the end, so that an entity cannot slip from one array into the next.
        self.0.update(&[0xFF]);
        Ok(())
    }

    /// One entity and a value that belongs to it.
    pub(super) fn one<T: Pod>(&mut self, entity: Entity, value: &T) {
        self.0.update(&entity.to_bits().to_le_bytes());
        self.0.update(bytemuck::bytes_of(value));
    }

    pub(super) fn finish(&self) -> u64 {
        self.0.digest()
    }
}
