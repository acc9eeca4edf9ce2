//! Errors of the calls on a world: those that depend on data. A mistake in the program panics instead.

use std::fmt;

use super::{Entity, WorldId};

/// Reason why a call failed. Components are identified by their Rust type name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The entity of the handle was despawned, or the handle was never given out.
    NoSuchEntity(Entity),
    /// The handle belongs to another world; to none if it was deserialized.
    ForeignEntity(Entity),
    /// [`Limits::entities`](super::Limits::entities) entities are alive, or no slot is left.
    EntityLimit {
        /// The limit that was reached.
        limit: u32,
    },
    /// There is not enough memory for an operation on so many entities.
    OutOfMemory {
        /// Number of entities.
        entities: usize,
    },
    /// The entity has a component of this type already.
    AlreadyPresent(Entity, &'static str),
    /// The entity has no component of this type.
    Missing(Entity, &'static str),
    /// Not exactly one entity matches a query for a single one.
    NotSingle {
        /// 0, or 2 for any larger number.
        found: usize,
    },
    /// The group was removed, or belongs to another world.
    NoSuchGroup,
    /// The system was removed, or belongs to another world.
    NoSuchSystem,
    /// The observer was removed, or belongs to another world.
    NoSuchObserver,
    /// An entity occurs twice where all must be different.
    EntityTwice(Entity),
    /// The snapshot is damaged, or of a world with other groups, or exceeds the limits of this one.
    SnapshotMismatch,
    /// A component of a snapshot has a value that no program gives it.
    OutOfRange(Entity, &'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => write!(f, "entity {entity} does not exist"),
            Self::ForeignEntity(entity) if entity.world() == WorldId::NONE => write!(
                f,
                "entity {entity} was deserialized and belongs to no world: call `register_references` before \
                 `restore`, or `adopt` for a value outside of components"
            ),
            Self::ForeignEntity(entity) => write!(f, "entity {entity} belongs to another world"),
            Self::EntityLimit { limit } => write!(f, "the limit of {limit} entities is reached"),
            Self::OutOfMemory { entities: 1 } => f.write_str("not enough memory for 1 entity"),
            Self::OutOfMemory { entities } => {
                write!(f, "not enough memory for {entities} entities")
            }
            Self::AlreadyPresent(entity, name) => write!(f, "entity {entity} already has {name}"),
            Self::Missing(entity, name) => write!(f, "entity {entity} has no {name}"),
            Self::NotSingle { found: 0 } => f.write_str("no entity matches the query"),
            Self::NotSingle { .. } => f.write_str("several entities match the query"),
            Self::NoSuchGroup => f.write_str("the group was removed, or belongs to another world"),
            Self::NoSuchSystem => {
                f.write_str("the system was removed, or belongs to another world")
            }
            Self::NoSuchObserver => {
                f.write_str("the observer was removed, or belongs to another world")
            }
            Self::EntityTwice(entity) => write!(f, "entity {entity} occurs twice"),
            Self::SnapshotMismatch => f.write_str(
                "the snapshot is damaged, or of a world with other groups, or exceeds the limits of this one",
            ),
            Self::OutOfRange(entity, name) => {
                write!(f, "component {name} of entity {entity} is out of range")
            }
        }
    }
}

impl std::error::Error for Error {}
