//! World: the one front over entities, components, groups and systems.

use std::any::TypeId;
use std::fmt;

use super::column::{self, Column};
use super::group::{self, Groups};
use super::index::{Index, Limits};
use super::observers::Observers;
use super::resources::Resources;
use super::system::Scheduled;
use super::{
    Bundle, Component, ComponentType, Entity, Error, MAX_COMPONENT_TYPES, Signature, WorldId,
};

/// Entities, their components in packed arrays, the groups that order these, and the systems that
/// run over them.
///
/// Every call that can be misused returns an [`Error`] and then has changed nothing; only a run of
/// systems keeps what was done before one of them failed.
pub struct World {
    pub(super) index: Index,
    pub(super) columns: Vec<Column>,
    pub(super) groups: Groups,
    /// Every component that decides about the membership in some group.
    pub(super) watched: Signature,
    pub(super) systems: Vec<Scheduled>,
    last_bundle: Option<BundleTypes>,
    pub(super) observers: Observers,
    pub(super) resources: Resources,
}

impl World {
    /// An empty world that holds as many entities as the index space allows.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// An empty world that holds no more than `limits` allows.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            index: Index::new(limits),
            columns: Vec::new(),
            groups: Groups::new(),
            watched: Signature::EMPTY,
            systems: Vec::new(),
            last_bundle: None,
            observers: Observers::default(),
            resources: Resources::default(),
        }
    }

    /// Registers a component type; the first one gets number 0. `O(entities)`.
    ///
    /// # Errors
    /// The type is registered already, or there are [`MAX_COMPONENT_TYPES`] already.
    pub fn register<T: Component>(&mut self) -> Result<ComponentType, Error> {
        let column = Column::new::<T>(self.id());
        if self.component_type::<T>().is_ok() {
            return Err(Error::AlreadyRegistered(column.name()));
        }
        if self.columns.len() == MAX_COMPONENT_TYPES {
            return Err(Error::ComponentLimit(column.name()));
        }
        self.index.add_component_type();
        self.columns.push(column);
        self.component_type::<T>()
    }

    /// The number a component type got when it was registered.
    ///
    /// # Errors
    /// The type is not registered.
    pub fn component_type<T: Component>(&self) -> Result<ComponentType, Error> {
        column::find::<T>(&self.columns)
    }

    /// The set of the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn signature_of<B: Bundle>(&self) -> Result<Signature, Error> {
        B::signature(&B::types(&self.columns)?, &self.columns)
    }

    /// Makes room for `additional` entities with the components of `B`, so that spawning them moves
    /// no array.
    ///
    /// # Errors
    /// A component is unknown or named twice, or there is not enough memory.
    pub fn reserve<B: Bundle>(&mut self, additional: usize) -> Result<(), Error> {
        let signature = self.signature_of::<B>()?;
        let mut reserved = self.index.try_reserve(signature, additional);
        for component in signature.iter() {
            reserved = reserved.and(self.columns[component.index()].try_reserve(additional));
        }
        reserved.map_err(|_| Error::OutOfMemory { entities: additional })
    }

    /// Brings an entity with the components of `bundle` to life; the slot freed last is reused
    /// first.
    ///
    /// # Errors
    /// The entity limit is reached, or a component is unknown or given twice.
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> Result<Entity, Error> {
        let (types, signature) = self.remembered::<B>()?;
        let slot = self.index.create()?;
        self.give_to_slot(slot, bundle, &types, signature);
        Ok(self.index.entity(slot))
    }

    /// The component types of a bundle, looked up once for as long as bundles of one type are
    /// spawned.
    pub(super) fn remembered<B: Bundle>(&mut self) -> Result<(B::Types, Signature), Error> {
        if let Some(last) = self.last_bundle.as_ref().filter(|last| last.id == TypeId::of::<B>())
            && let Ok(types) = B::Types::try_from(&last.types)
        {
            return Ok((types, last.signature));
        }
        let types = B::types(&self.columns)?;
        let signature = B::signature(&types, &self.columns)?;
        let remembered = types.as_ref().to_vec();
        self.last_bundle =
            Some(BundleTypes { id: TypeId::of::<B>(), types: remembered, signature });
        Ok((types, signature))
    }

    /// Ends the life of an entity and drops its components. `O(components + groups)`.
    ///
    /// # Errors
    /// The entity does not exist (any more), or belongs to another world.
    pub fn despawn(&mut self, entity: Entity) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let signature = self.index.signature(slot);
        let Self { index, columns, groups, .. } = self;
        let mut removal =
            Removal { columns, remaining: signature, holes: [0; MAX_COMPONENT_TYPES] };
        // Each group the entity leaves fills the hole with its last member, from the innermost out.
        // Where a group holds the whole array, the removal itself moves the last member.
        for group in groups.iter_mut().rev().filter(|group| group.matches(signature)) {
            let last = group.len() - 1;
            for component in group.owned().iter() {
                let hole = index.dense(slot)[component.index()] as usize;
                if hole != last && group.len() < index.members(component).len() {
                    index.swap(component, hole, last);
                    removal.columns[component.index()].swap(hole, last);
                }
            }
            group.lose();
        }
        for component in signature.iter() {
            removal.holes[component.index()] = index.detach(slot, component) as u32;
        }
        self.index.destroy(slot);
        removal.finish();
        drop(removal);
        self.observers.despawned(entity, signature);
        Ok(())
    }

    /// Whether the entity lives in this world.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.index.check(entity).is_ok()
    }

    /// The identity that all handles of this world carry.
    #[must_use]
    pub fn id(&self) -> WorldId {
        self.index.world()
    }

    /// The Rust name of a component type; `None` if this world has no such number.
    #[must_use]
    pub fn component_name(&self, component: ComponentType) -> Option<&'static str> {
        self.columns.get(component.index()).map(Column::name)
    }

    /// How many entities live.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.alive() as usize
    }

    /// Whether no entity lives.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The set of components an entity has.
    ///
    /// # Errors
    /// The entity does not exist (any more), or belongs to another world.
    pub fn signature(&self, entity: Entity) -> Result<Signature, Error> {
        Ok(self.index.signature(self.index.check(entity)?))
    }

    #[inline]
    pub(super) fn leave_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        if !self.watched.is_disjoint(before.symmetric_difference(after)) {
            let Self { index, columns, groups, .. } = self;
            group::leave(groups, index, columns, slot, [before, after]);
        }
    }

    #[inline]
    pub(super) fn enter_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        if !self.watched.is_disjoint(before.symmetric_difference(after)) {
            let Self { index, columns, groups, .. } = self;
            group::enter(groups, index, columns, slot, [before, after]);
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints how much a world holds, not what.
impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components: Vec<_> = self.columns.iter().map(Column::name).collect();
        f.debug_struct("World")
            .field("entities", &self.len())
            .field("components", &components)
            .field("groups", &self.groups.len())
            .field("systems", &self.systems().map(|system| system.name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// What was found out about a type of bundle.
struct BundleTypes {
    id: TypeId,
    types: Vec<ComponentType>,
    signature: Signature,
}

/// Drops the values of a despawned entity out of their arrays, the others too if one destructor
/// panics.
struct Removal<'w> {
    columns: &'w mut [Column],
    remaining: Signature,
    /// By component type, where the value to drop lies.
    holes: [u32; MAX_COMPONENT_TYPES],
}

impl Removal<'_> {
    fn finish(&mut self) {
        while let Some(component) = self.remaining.iter().next() {
            self.remaining = self.remaining.without(component);
            let hole = self.holes[component.index()] as usize;
            self.columns[component.index()].swap_drop(hole);
        }
    }
}

impl Drop for Removal<'_> {
    fn drop(&mut self) {
        self.finish();
    }
}
