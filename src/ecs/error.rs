//! Error: every way a call on a world can be refused.

use std::fmt;

use super::{Entity, MAX_COMPONENT_TYPES};

/// Why a call was refused. A refused call leaves the world as it was.
///
/// Components are named by their Rust type.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The handle's entity has been despawned, or the handle was never given out.
    NoSuchEntity(Entity),
    /// The handle belongs to another world.
    ForeignEntity(Entity),
    /// As many entities live as [`Limits::entities`](super::Limits::entities) allows, or the index
    /// space is used up.
    EntityLimit {
        /// The limit that was reached.
        limit: u32,
    },
    /// There is not enough memory to make room for so many more entities.
    OutOfMemory {
        /// How many were asked for.
        entities: usize,
    },
    /// [`MAX_COMPONENT_TYPES`] component types are registered already.
    ComponentLimit(&'static str),
    /// The component type is registered already.
    AlreadyRegistered(&'static str),
    /// The component type has not been registered with this world.
    NotRegistered(&'static str),
    /// The entity has a component of this type already.
    AlreadyPresent(Entity, &'static str),
    /// The entity has no component of this type.
    Missing(Entity, &'static str),
    /// A bundle, a query or a group names one component type twice.
    NamedTwice(&'static str),
    /// A group that owns an array must be nested in, or around, every other group that owns it.
    GroupsOverlap(&'static str),
    /// A group must own at least one component, and none that it excludes.
    MalformedGroup,
    /// The group belongs to another world.
    NoSuchGroup,
    /// The system belongs to another world.
    NoSuchSystem,
    /// A query is outside of one group already.
    OutsideTwice,
    /// Slices were asked of a group for a component that it does not own.
    NotOwned(&'static str),
    /// One entity is named twice where each must be another.
    EntityTwice(Entity),
    /// A group owns the array, so its order is not free.
    OwnedByGroup(&'static str),
    /// A snapshot must name every component that is registered.
    NotNamed(&'static str),
    /// The snapshot is damaged, or of a world with other components, groups or limits.
    SnapshotMismatch,
    /// The world holds no value of this type.
    NoResource(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => write!(f, "entity {entity} does not exist (any more)"),
            Self::ForeignEntity(entity) => write!(f, "entity {entity} belongs to another world"),
            Self::EntityLimit { limit } => {
                write!(f, "no more than {limit} entities can live at once")
            }
            Self::OutOfMemory { entities } => {
                write!(f, "not enough memory for {entities} more entities")
            }
            Self::ComponentLimit(name) => write!(
                f,
                "component {name} is one too many: a world holds {MAX_COMPONENT_TYPES} types"
            ),
            Self::AlreadyRegistered(name) => write!(f, "component {name} is registered already"),
            Self::NotRegistered(name) => {
                write!(f, "component {name} is not registered with this world")
            }
            Self::AlreadyPresent(entity, name) => write!(f, "entity {entity} already has {name}"),
            Self::Missing(entity, name) => write!(f, "entity {entity} has no {name}"),
            Self::NamedTwice(name) => write!(f, "component {name} is named twice"),
            Self::GroupsOverlap(name) => write!(
                f,
                "component {name} is owned by another group that is neither inside nor around \
                 this one"
            ),
            Self::MalformedGroup => {
                f.write_str("a group owns at least one component and none that it excludes")
            }
            Self::NoSuchGroup => f.write_str("the group belongs to another world"),
            Self::NoSuchSystem => f.write_str("the system belongs to another world"),
            Self::OutsideTwice => f.write_str("a query can be outside of one group only"),
            Self::NotOwned(name) => write!(f, "component {name} is not owned by the group"),
            Self::EntityTwice(entity) => write!(f, "entity {entity} is named twice"),
            Self::OwnedByGroup(name) => {
                write!(f, "component {name} is owned by a group: sort the group instead")
            }
            Self::NotNamed(name) => {
                write!(f, "component {name} is registered, but the snapshot does not name it")
            }
            Self::SnapshotMismatch => f.write_str(
                "the snapshot is damaged, or of a world with other components, groups or limits",
            ),
            Self::NoResource(name) => write!(f, "the world holds no resource {name}"),
        }
    }
}

impl std::error::Error for Error {}
