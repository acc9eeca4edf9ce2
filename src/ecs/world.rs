//! World: the one front over entities, components, groups and systems.

use std::any::type_name;
use std::fmt;

use super::column::{self, Column};
use super::group::{self, Groups};
use super::index::{ABSENT, Index, Limits};
use super::system::Scheduled;
use super::{Bundle, Component, ComponentType, Entity, Error, MAX_COMPONENT_TYPES, Signature};

/// Entities, their components in packed arrays, the groups that order these, and the systems that
/// run over them.
///
/// Every call that can be misused returns an [`Error`] and then has changed nothing.
pub struct World {
    pub(super) index: Index,
    pub(super) columns: Vec<Column>,
    pub(super) groups: Groups,
    pub(super) systems: Vec<Scheduled>,
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
            systems: Vec::new(),
        }
    }

    /// Registers a component type; the first one gets number 0. `O(entities)`.
    ///
    /// # Errors
    /// The type is registered already, or there are [`MAX_COMPONENT_TYPES`] already.
    pub fn register<T: Component>(&mut self) -> Result<ComponentType, Error> {
        let column = Column::new::<T>();
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
        let types = B::types(&self.columns)?;
        let signature = B::signature(&types, &self.columns)?;
        let slot = self.index.create()?;
        bundle.store(slot, &types, &mut self.index, &mut self.columns);
        self.enter_groups(slot, Signature::EMPTY, signature);
        Ok(self.index.entity(slot))
    }

    /// Ends the life of an entity and drops its components. `O(components)`.
    ///
    /// # Errors
    /// The entity does not exist (any more), or belongs to another world.
    pub fn despawn(&mut self, entity: Entity) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let signature = self.index.signature(slot);
        self.leave_groups(slot, signature, Signature::EMPTY);
        let mut removal = Removal {
            columns: &mut self.columns,
            remaining: signature,
            holes: [0; MAX_COMPONENT_TYPES],
        };
        for component in signature.iter() {
            removal.holes[component.index()] = self.index.detach(slot, component) as u32;
        }
        self.index.destroy(slot);
        removal.finish();
        Ok(())
    }

    /// Whether the entity lives in this world.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.index.check(entity).is_ok()
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

    /// Gives an entity one more component. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, the component is unknown,
    /// or the entity has one of its type already; the value is dropped then.
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) -> Result<(), Error> {
        let slot = self.index.check(entity)?;
        let component = self.component_type::<T>()?;
        let before = self.index.signature(slot);
        if before.contains(component) {
            return Err(Error::AlreadyPresent(entity, type_name::<T>()));
        }
        let after = before.with(component);
        self.leave_groups(slot, before, after);
        self.columns[component.index()].values_mut().push(value);
        self.index.attach(slot, component);
        self.enter_groups(slot, before, after);
        Ok(())
    }

    /// Takes a component from an entity and hands it out; the last element of its packed array
    /// moves into the hole. `O(groups)`.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or it has no such
    /// component.
    pub fn remove<T: Component>(&mut self, entity: Entity) -> Result<T, Error> {
        let (slot, component, _) = self.locate::<T>(entity)?;
        let before = self.index.signature(slot);
        let after = before.without(component);
        self.leave_groups(slot, before, after);
        let hole = self.index.detach(slot, component);
        let value = self.columns[component.index()].values_mut().swap_remove(hole);
        self.enter_groups(slot, before, after);
        Ok(value)
    }

    /// Puts `value` in the place of the component the entity has, and hands the old one out.
    ///
    /// # Errors
    /// As for [`remove`](Self::remove); the new value is dropped then.
    pub fn replace<T: Component>(&mut self, entity: Entity, value: T) -> Result<T, Error> {
        Ok(std::mem::replace(self.get_mut(entity)?, value))
    }

    /// The component of an entity.
    ///
    /// # Errors
    /// The entity does not exist (any more) or belongs to another world, or it has no such
    /// component.
    pub fn get<T: Component>(&self, entity: Entity) -> Result<&T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(&self.columns[component.index()].values()[dense])
    }

    /// The component of an entity, to be changed.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn get_mut<T: Component>(&mut self, entity: Entity) -> Result<&mut T, Error> {
        let (_, component, dense) = self.locate::<T>(entity)?;
        Ok(&mut self.columns[component.index()].values_mut()[dense])
    }

    /// Whether the entity lives in this world and has the component.
    #[must_use]
    pub fn has<T: Component>(&self, entity: Entity) -> bool {
        self.locate::<T>(entity).is_ok()
    }

    /// A number that grows whenever components of this type may have changed: in value, in order or
    /// in count. As long as it stays the same, a copy of the array (on a GPU, say) is up to date.
    ///
    /// # Errors
    /// The type is not registered.
    pub fn revision<T: Component>(&self) -> Result<u64, Error> {
        Ok(self.columns[self.component_type::<T>()?.index()].revision())
    }

    fn locate<T: Component>(&self, entity: Entity) -> Result<(u32, ComponentType, usize), Error> {
        let slot = self.index.check(entity)?;
        let component = self.component_type::<T>()?;
        match self.index.dense(slot)[component.index()] {
            ABSENT => Err(Error::Missing(entity, type_name::<T>())),
            dense => Ok((slot, component, dense as usize)),
        }
    }

    fn leave_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        let Self { index, columns, groups, .. } = self;
        group::leave(groups, index, columns, slot, [before, after]);
    }

    fn enter_groups(&mut self, slot: u32, before: Signature, after: Signature) {
        let Self { index, columns, groups, .. } = self;
        group::enter(groups, index, columns, slot, [before, after]);
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
            .field("systems", &self.system_names().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
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
