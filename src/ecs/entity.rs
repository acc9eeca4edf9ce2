//! Entity handles, and the limits of a world.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// Identity of a world. Handles of different worlds never compare equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WorldId(u32);

impl WorldId {
    /// The world of deserialized handles, which is none.
    pub(super) const NONE: Self = Self(0);

    /// Returns an identity that no other world of this process has.
    ///
    /// The counter is the only state that worlds share. Without it two worlds would give out equal
    /// handles, and a handle used with the wrong world would silently name another entity.
    pub(super) fn unique() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Returns the first revision of the change logs: so far from those of the next 16 million worlds
    /// that revisions of two worlds in use are never equal.
    pub(super) const fn first_revision(self) -> u64 {
        (self.0 as u64) << 40
    }
}

/// [`Entity::NULL`].
impl Default for Entity {
    fn default() -> Self {
        Self::NULL
    }
}

/// Handle of an entity: the index of its slot, the generation of the slot, and the world.
///
/// A handle is plain data. After its entity is despawned it stays comparable, and every call refuses
/// it, because the generation of the slot has increased.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    index: u32,
    generation: u32,
    world: WorldId,
}

impl Entity {
    /// A handle that no world gives out; every call refuses it.
    pub const NULL: Self = Self::new(u32::MAX, 0, WorldId::NONE);

    pub(super) const fn new(index: u32, generation: u32, world: WorldId) -> Self {
        Self { index, generation, world }
    }

    /// Returns the index of the slot, which is reused after the entity is despawned.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Returns the generation of the slot: 1 for its first entity, 1 more for each later one, and for each entity
    /// that was to use the slot but was not spawned, such as one of dropped or failed [`Commands`](super::Commands).
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Returns the world that the handle belongs to.
    pub const fn world(self) -> WorldId {
        self.world
    }

    /// Returns the index in the low and the generation in the high 32 bits. The world is left out,
    /// so repeating the same operations gives the same bits.
    pub const fn to_bits(self) -> u64 {
        ((self.generation as u64) << 32) | self.index as u64
    }

    /// Returns the handle with these [bits](Self::to_bits) in `world`; `None` if no world gives out a handle with them, as
    /// for [`NULL`](Self::NULL). The entity need not be alive.
    pub const fn from_bits(bits: u64, world: WorldId) -> Option<Self> {
        let (index, generation) = (bits as u32, (bits >> 32) as u32);
        let valid = generation >= 1 && generation <= Limits::MAX_GENERATION && index != u32::MAX;
        if valid { Some(Self::new(index, generation, world)) } else { None }
    }
}

/// Writes the [bits](Entity::to_bits).
#[cfg(feature = "serde")]
impl serde::Serialize for Entity {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_bits().serialize(serializer)
    }
}

/// Reads the bits. The handle belongs to no world, and every call refuses it.
/// [`World::register_references`](super::World::register_references) or [`World::adopt`](super::World::adopt) makes it
/// one of the right world.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Entity {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        if bits == Self::NULL.to_bits() {
            return Ok(Self::NULL);
        }
        Self::from_bits(bits, WorldId::NONE)
            .ok_or_else(|| serde::de::Error::custom("no entity handle has these bits"))
    }
}

/// Prints `3v1`: slot 3, generation 1. [`Entity::NULL`] is `NULL`.
impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NULL {
            return f.write_str("NULL");
        }
        write!(f, "{}v{}", self.index, self.generation)
    }
}

/// Prints the same as [`Debug`](fmt::Debug).
impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Limits of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Largest number of living entities.
    pub entities: u32,
    /// Highest generation of a slot, clamped to 1 to [`Limits::MAX_GENERATION`]. A slot that has reached it
    /// is retired when its entity is despawned, so that no handle is ever valid twice.
    pub generation: u32,
}

impl Limits {
    /// Highest generation that a row can store beside its mark for dead slots.
    pub const MAX_GENERATION: u32 = (1 << 31) - 1;
}

impl Default for Limits {
    /// Returns the largest possible limits: 4,294,967,295 entities, 2,147,483,647 generations.
    fn default() -> Self {
        Self { entities: u32::MAX, generation: Self::MAX_GENERATION }
    }
}
