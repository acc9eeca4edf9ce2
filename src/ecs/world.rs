//! The world: entities, components in packed arrays, groups and systems.

use std::any::TypeId;

use super::column::{self, Column};
use super::index::Index;
use super::system::Scheduled;
use super::{
    Bundle, Component, ComponentTuple, ComponentType, Error, GroupInfo, Limits,
    MAX_COMPONENT_TYPES, Observers, Resources, Signature, WorldId,
};

/// A collection of entities and their components.
///
/// Components are in packed arrays, which owning groups keep in order. Systems, resources and
/// observers belong to the world too; they are reached by [`schedule`](Self::schedule),
/// [`resources`](Self::resources) and [`observers_mut`](Self::observers_mut).
///
/// A call that returns an [`Error`] has changed nothing. The exceptions are a pass of systems,
/// which keeps what earlier systems did, and [`respawn`](Self::respawn).
pub struct World {
    pub(super) index: Index,
    pub(super) columns: Vec<Column>,
    /// An outer group comes before the groups nested in it.
    pub(super) groups: Vec<GroupInfo>,
    /// Every component that the membership in a group depends on.
    pub(super) grouped: Signature,
    pub(super) systems: Vec<Scheduled<World>>,
    pub(super) last_bundle: Option<ResolvedBundle>,
    pub(super) observers: Observers,
    resources: Resources,
}

/// The component types of a bundle type.
pub(super) struct ResolvedBundle {
    pub(super) id: TypeId,
    pub(super) types: Vec<ComponentType>,
    pub(super) signature: Signature,
}

impl World {
    /// Returns an empty world with the default [`Limits`].
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// Returns an empty world.
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            index: Index::new(limits),
            columns: Vec::new(),
            groups: Vec::new(),
            grouped: Signature::EMPTY,
            systems: Vec::new(),
            last_bundle: None,
            observers: Observers::default(),
            resources: Resources::default(),
        }
    }

    /// Returns the identity that all handles of this world carry.
    pub fn id(&self) -> WorldId {
        self.index.world()
    }

    /// Returns the number of living entities.
    pub fn len(&self) -> usize {
        self.index.alive() as usize
    }

    /// Returns `true` if no entity is alive.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Registers a component type. Types are numbered from 0. `O(1)`.
    ///
    /// # Errors
    /// The type is registered already, or [`MAX_COMPONENT_TYPES`] types are.
    pub fn register<T: Component>(&mut self) -> Result<ComponentType, Error> {
        let column = Column::new::<T>(self.id());
        if self.component_type::<T>().is_ok() {
            return Err(Error::AlreadyRegistered(column.name()));
        }
        if self.columns.len() == MAX_COMPONENT_TYPES {
            return Err(Error::ComponentLimit(column.name()));
        }
        self.index.add_array();
        self.columns.push(column);
        self.component_type::<T>()
    }

    /// Returns the number of a registered component type.
    ///
    /// # Errors
    /// The type is not registered.
    pub fn component_type<T: Component>(&self) -> Result<ComponentType, Error> {
        column::find::<T>(&self.columns)
    }

    /// Returns the components of `B` as a set.
    ///
    /// # Errors
    /// A component is not registered or named twice.
    pub fn signature_of<B: Bundle>(&self) -> Result<Signature, Error> {
        Ok(B::Components::resolve(&self.columns)?.1)
    }

    /// Reserves memory for `additional` entities with the components of `B`, so that spawning them
    /// does not reallocate.
    ///
    /// # Errors
    /// A component is not registered or named twice, or there is not enough memory.
    pub fn reserve<B: Bundle>(&mut self, additional: usize) -> Result<(), Error> {
        let signature = self.signature_of::<B>()?;
        let mut reserved = self.index.try_reserve(signature, additional);
        for component in signature.iter() {
            reserved = reserved.and(self.columns[component.index()].try_reserve(additional));
        }
        reserved.map_err(|_| Error::OutOfMemory { entities: additional })
    }

    /// Frees memory that is reserved but not used. Rows of dead entities stay, because they hold
    /// the generation of their slot.
    pub fn shrink_to_fit(&mut self) {
        self.index.shrink_to_fit();
        self.columns.iter_mut().for_each(Column::shrink_to_fit);
    }

    /// Returns the resources.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Returns the resources, for changing them.
    pub fn resources_mut(&mut self) -> &mut Resources {
        &mut self.resources
    }

    /// Returns the observers, for adding one.
    pub fn observers_mut(&mut self) -> &mut Observers {
        &mut self.observers
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}
