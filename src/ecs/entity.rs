//! Entity: the handle under which an entity is known.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Limits;

/// Identity of a world: handles of different worlds never compare equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct WorldId(u32);

impl WorldId {
    /// The next identity no world of this process has had.
    ///
    /// The counter is the one piece of state shared by all worlds: without it two worlds would hand
    /// out equal handles, and a handle used on the wrong one would silently hit another entity.
    pub(super) fn unique() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Where the count of an array's changes starts: so far from that of any other world that the
    /// two are never equal.
    pub(super) const fn first_revision(self) -> u64 {
        (self.0 as u64) << 40
    }
}

/// Handle of an entity: slot index, generation of that slot, and the world it belongs to.
///
/// A handle is plain data; it stays comparable and harmless after its entity is gone, because the
/// slot's generation has moved on by then and every call refuses the stale handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entity {
    index: u32,
    generation: u32,
    world: WorldId,
}

impl Entity {
    /// A handle no world ever gives out; every call refuses it.
    pub const NULL: Self = Self::new(u32::MAX, 0, WorldId(0));

    pub(super) const fn new(index: u32, generation: u32, world: WorldId) -> Self {
        Self { index, generation, world }
    }

    /// Slot index, reused after the entity is despawned.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How many entities have lived in the slot up to this one; starts at 1.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// The world this handle belongs to.
    #[must_use]
    pub const fn world(self) -> WorldId {
        self.world
    }

    /// Index in the low and generation in the high 32 bits; the world is left out, so the number is
    /// the same wherever the same operations are repeated.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        ((self.generation as u64) << 32) | self.index as u64
    }
}

impl Entity {
    /// The handle that [`to_bits`](Self::to_bits) was made of, for `world`; whether the entity
    /// lives is another question. `None` for a number that no handle has.
    #[must_use]
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

/// Reads bits. What is read belongs to no world, so that every call refuses it: which world it was
/// meant for knows who reads it, and makes a handle of that world
/// [from the bits](Entity::from_bits).
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Entity {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        Self::from_bits(bits, WorldId(0))
            .ok_or_else(|| serde::de::Error::custom("no handle has these bits"))
    }
}

/// Prints `3v1`: slot 3, generation 1.
impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}

/// Prints `3v1`: slot 3, generation 1.
impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
