//! Errors of the calls on a world.

use std::fmt;

use super::{Entity, MAX_COMPONENT_TYPES};

/// Reason why a call failed. Components are identified by their Rust type name.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The entity of the handle was despawned, or the handle was never given out.
    NoSuchEntity(Entity),
    /// The handle belongs to another world.
    ForeignEntity(Entity),
    /// [`Limits::entities`](super::Limits::entities) entities are alive, or no slot is left.
    EntityLimit {
        /// The limit that was reached.
        limit: u32,
    },
    /// There is not enough memory for so many more entities.
    OutOfMemory {
        /// Requested number of entities.
        entities: usize,
    },
    /// [`MAX_COMPONENT_TYPES`] component types are registered already.
    ComponentLimit(&'static str),
    /// The component type is registered already.
    AlreadyRegistered(&'static str),
    /// The component type is not registered with this world.
    NotRegistered(&'static str),
    /// The entity has a component of this type already.
    AlreadyPresent(Entity, &'static str),
    /// The entity has no component of this type.
    Missing(Entity, &'static str),
    /// A bundle, a query or a group names a component type twice.
    NamedTwice(&'static str),
    /// Another group owns the component, and neither group is nested in the other.
    GroupsOverlap(&'static str),
    /// The group owns no component, or one that it excludes.
    MalformedGroup,
    /// The group belongs to another world.
    NoSuchGroup,
    /// The system belongs to another world.
    NoSuchSystem,
    /// The query excludes the members of a group already.
    OutsideTwice,
    /// The group does not own the component.
    NotOwned(&'static str),
    /// An entity occurs twice where all must be different.
    EntityTwice(Entity),
    /// A group owns the array and determines its order.
    OwnedByGroup(&'static str),
    /// The snapshot type lacks a registered component.
    NotNamed(&'static str),
    /// The snapshot is damaged, or of a world with other components, groups or limits.
    SnapshotMismatch,
    /// A component of a snapshot has a value that no program gives it.
    OutOfRange(Entity, &'static str),
    /// The world has no resource of this type.
    NoResource(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchEntity(entity) => write!(f, "entity {entity} does not exist"),
            Self::ForeignEntity(entity) => write!(f, "entity {entity} belongs to another world"),
            Self::EntityLimit { limit } => write!(f, "the limit of {limit} entities is reached"),
            Self::OutOfMemory { entities } => {
                write!(f, "not enough memory for {entities} more entities")
            }
            Self::ComponentLimit(name) => write!(
                f,
                "cannot register component {name}: the limit of {MAX_COMPONENT_TYPES} component \
                 types is reached"
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
                "component {name} is owned by another group, and neither group is nested in the \
                 other"
            ),
            Self::MalformedGroup => {
                f.write_str("a group must own at least one component, and none that it excludes")
            }
            Self::NoSuchGroup => f.write_str("the group belongs to another world"),
            Self::NoSuchSystem => f.write_str("the system belongs to another world"),
            Self::OutsideTwice => f.write_str("a query can exclude the members of one group only"),
            Self::NotOwned(name) => write!(f, "component {name} is not owned by the group"),
            Self::EntityTwice(entity) => write!(f, "entity {entity} occurs twice"),
            Self::OwnedByGroup(name) => {
                write!(f, "component {name} is owned by a group: sort the group instead")
            }
            Self::NotNamed(name) => {
                write!(f, "component {name} is registered, but the snapshot does not name it")
            }
            Self::SnapshotMismatch => f.write_str(
                "the snapshot is damaged, or of a world with other components, groups or limits",
            ),
            Self::OutOfRange(entity, name) => {
                write!(f, "component {name} of entity {entity} is out of range")
            }
            Self::NoResource(name) => write!(f, "the world has no resource {name}"),
        }
    }
}

impl std::error::Error for Error {}
