//! State hash: one number for entities and their components.

use bytemuck::Pod;
use xxhash_rust::xxh3::Xxh3Default;

use crate::ecs::{Component, Entity, Error, World};

/// `XXH3-64` over entities and the bytes of their components.
///
/// Two simulations with the same hash hold the same bits in the same order. Components are hashed
/// as they lie in memory, so hashes compare between little-endian machines.
pub(super) struct StateHash {
    hash: Xxh3Default,
    /// Arrays without values since the last one that had some.
    empty: u8,
}

impl StateHash {
    pub(super) fn new() -> Self {
        Self { hash: Xxh3Default::new(), empty: 0 }
    }

    /// All entities that have a `T`, in the order of its array, each with its value. Arrays that are
    /// empty at the end leave no trace, so that a component nobody has changes no hash.
    pub(super) fn array<T: Component + Pod>(&mut self, world: &World) -> Result<(), Error> {
        let query = world.query::<(&T,)>()?;
        let mut values = query.iter().peekable();
        if values.peek().is_none() {
            self.empty += 1;
            return Ok(());
        }
        if self.empty > 0 {
            self.hash.update(&[std::mem::take(&mut self.empty)]);
        }
        for (entity, (value,)) in values {
            self.one(entity, value);
        }
        // Marks the end, so that an entity cannot slip from one array into the next.
        self.hash.update(&[0xFF]);
        Ok(())
    }

    /// One entity and a value that belongs to it.
    pub(super) fn one<T: Pod>(&mut self, entity: Entity, value: &T) {
        self.hash.update(&entity.to_bits().to_le_bytes());
        self.hash.update(bytemuck::bytes_of(value));
    }

    pub(super) fn finish(&self) -> u64 {
        self.hash.digest()
    }
}
