//! The world: entities, components in packed arrays, groups and systems.

use std::any::TypeId;

use super::change_times::Checkpoint;
use super::column_map::ColumnMap;
use super::index::Index;
use super::observers::Observers;
use super::system::Scheduled;
use super::{
    Bundle, Component, ComponentTuple, ComponentType, Entity, Error, GroupInfo, Limits,
    MapEntities, Resources, Signature, WorldId,
};

/// A collection of entities and their components.
///
/// Components are in packed arrays, which owning groups keep in order. Systems, resources and
/// observers belong to the world too.
///
/// A call that returns an [`Error`] has changed nothing, except that it may have registered the component types that it
/// names. The exceptions are [`respawn`](Self::respawn) and its batches, and a pass of systems, which keeps the changes of
/// earlier systems and those of the failed one before its error.
///
/// Component types are registered when they are first used.
///
/// # Panics
/// Unless it returns an error first, a call panics if a component type is a tuple or a reference, or if a bundle names a
/// type twice. So does a call with terms that change components and name a type twice; with `query_mut`, only the iteration
/// panics. A call that registers a component type panics if the world has
/// [`MAX_COMPONENT_TYPES`](super::MAX_COMPONENT_TYPES) others.
pub struct World {
    pub(super) index: Index,
    pub(super) columns: ColumnMap,
    /// An outer group comes before the groups nested in it.
    pub(super) groups: Vec<GroupInfo>,
    /// Every component that a group owns.
    pub(super) owned: Signature,
    /// Every component that excludes entities from a group.
    pub(super) excluded: Signature,
    /// Number of groups that were ever created.
    pub(super) groups_created: u32,
    /// In the order of their ids.
    pub(super) systems: Vec<Scheduled<World>>,
    /// Number of systems that were ever added.
    pub(super) systems_added: u64,
    pub(super) last_bundle: Option<ResolvedBundle>,
    pub(super) observers: Observers,
    pub(super) resources: Resources,
    /// Time of the changes that happen now.
    pub(super) now: Checkpoint,
    /// Values of a despawned entity that have destructors; kept to reuse the memory.
    pub(super) to_drop: Vec<(ComponentType, usize)>,
    /// Dense indices of the entities that respawn in parallel; kept to reuse the memory.
    #[cfg(parallel)]
    pub(super) renewed: Vec<u32>,
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
            columns: ColumnMap::new(),
            groups: Vec::new(),
            owned: Signature::EMPTY,
            excluded: Signature::EMPTY,
            groups_created: 0,
            systems: Vec::new(),
            systems_added: 0,
            last_bundle: None,
            observers: Observers::default(),
            resources: Resources::default(),
            now: Checkpoint(1),
            to_drop: Vec::new(),
            #[cfg(parallel)]
            renewed: Vec::new(),
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

    /// Registers a component type, unless it is registered already, and returns its number. Types
    /// are numbered from 0, in the order of their first use.
    #[cfg_attr(not(web), track_caller)]
    pub fn register<T: Component>(&mut self) -> ComponentType {
        self.columns.register::<T>(&mut self.index)
    }

    /// Registers a component that refers to entities. When a snapshot is restored, the handles in it
    /// become handles of this world.
    #[cfg_attr(not(web), track_caller)]
    pub fn register_references<T: Component + MapEntities>(&mut self) -> ComponentType {
        let component = self.register::<T>();
        self.columns[component.index()].enable_mapping::<T>();
        component
    }

    /// Makes the deserialized handles in a value outside of components, such as a resource, handles of this world. Other
    /// handles stay as they are.
    pub fn adopt<T: MapEntities + ?Sized>(&self, value: &mut T) {
        value.map_entities(&mut |entity| {
            let own = Entity::from_bits(entity.to_bits(), self.id());
            own.filter(|_| entity.world() == WorldId::NONE).unwrap_or(entity)
        });
    }

    /// Returns the number of a component type; `None` if it was never used in this world.
    #[cfg_attr(not(web), track_caller)]
    pub fn component_type<T: Component>(&self) -> Option<ComponentType> {
        self.columns.find::<T>()
    }

    /// Returns the components of `B` as a set.
    #[cfg_attr(not(web), track_caller)]
    pub fn signature_of<B: Bundle>(&mut self) -> Signature {
        self.resolve::<B::Components>().1
    }

    /// Returns the component types of a tuple, in order and as a set.
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn resolve<C: ComponentTuple>(&mut self) -> (C::Types, Signature) {
        C::resolve(&mut self.index, &mut self.columns)
    }

    /// Reserves memory for `additional` entities with the components of `B`, so that spawning them
    /// does not reallocate. Those in slots that were used before may still allocate, and so do change logs and
    /// the change times of tracked types.
    ///
    /// # Errors
    /// There is not enough memory. What was reserved until then stays reserved, and [`shrink_to`](Self::shrink_to) frees it.
    #[cfg_attr(not(web), track_caller)]
    pub fn reserve<B: Bundle>(&mut self, additional: usize) -> Result<(), Error> {
        let signature = self.signature_of::<B>();
        let mut reserved = self.index.try_reserve(signature, additional);
        for component in signature {
            let column = &mut self.columns[component.index()];
            reserved = reserved.and_then(|()| column.try_reserve(additional));
        }
        reserved.map_err(|_| Error::OutOfMemory { entities: additional })
    }

    /// Frees reserved memory that is not used. Arrays keep what they have reserved for up to `entities` values. Rows of
    /// dead entities stay, because they hold the generation of their slot.
    pub fn shrink_to(&mut self, entities: usize) {
        self.index.shrink_to(entities);
        self.columns.iter_mut().for_each(|column| column.shrink_to(entities));
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}
