//! Hash of entities and their components.

use bytemuck::Pod;
use xxhash_rust::xxh3::Xxh3Default;

use crate::ecs::{Component, Entity, World};

/// `XXH3-64` over entities and the bytes of their components, in storage order.
///
/// Equal hashes mean equal bits in equal order. Bytes are hashed in memory order, so hashes are
/// comparable between little-endian machines.
pub(super) struct StateHash {
    hash: Xxh3Default,
    /// Number of empty arrays since the last array with values.
    empty: u8,
}

impl StateHash {
    pub(super) fn new() -> Self {
        Self { hash: Xxh3Default::new(), empty: 0 }
    }

    /// Adds all entities with a `T`, each with its value. Empty arrays at the end do not change the
    /// hash, so a new component type without values keeps it.
    pub(super) fn array<T: Component + Pod>(&mut self, world: &World) {
        let mut values = world.query::<(Entity, &T)>().iter().peekable();
        if values.peek().is_none() {
            self.empty += 1;
            return;
        }
        if self.empty > 0 {
            let empty = std::mem::take(&mut self.empty);
            self.bytes(&[empty]);
        }
        for (entity, value) in values {
            self.one(entity, value);
        }
        // Marks the end of the array.
        self.bytes(&[0xFF]);
    }

    /// Adds one entity and one of its values.
    pub(super) fn one<T: Pod>(&mut self, entity: Entity, value: &T) {
        self.bytes(&entity.to_bits().to_le_bytes());
        self.bytes(bytemuck::bytes_of(value));
    }

    // `update` is large and always inlined: one copy for each call would be 200 kB of the page.
    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
    }

    pub(super) fn finish(&self) -> u64 {
        self.hash.digest()
    }
}
