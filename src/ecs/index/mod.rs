//! The index of a world: which entities live, their components, and the dense index of each.

mod array;
mod batch;
mod cells;
mod finder;
mod fresh;
mod lists;
mod member_list;
mod row;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
mod state;

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

pub(in crate::ecs) use self::array::{ArrayIndex, Owner};
pub(in crate::ecs) use self::cells::ABSENT;
use self::cells::{Cells, DEAD, RETIRED};
pub(in crate::ecs) use self::finder::Finder;
pub(in crate::ecs) use self::fresh::FreshSlots;
use self::member_list::MemberList;
pub(in crate::ecs) use self::row::Row;
#[cfg(feature = "serde")]
pub(in crate::ecs) use self::saved::SavedIndex;
use super::{ComponentType, Entity, Error, Limits, Signature, WorldId};

/// Rows reserved when the first entity is created one by one. The capacity at least doubles from there.
const FIRST_CAPACITY: usize = 256;

/// One row of cells per slot, one member list for all packed arrays that groups keep in the same order,
/// and for each packed array the entities of its other elements.
///
/// ```text
///            generation  position in list 0    signature
/// row 0      1           1                     {0, 1, 2}
/// row 1      DEAD|4      next free             {}         a dead slot, part of the free list
/// row 2      3           0                     {0, 1}
/// row 3      1           ABSENT                {1, 2}
///
/// list 0     2 0                       members of the group that owns arrays 0 and 1
/// array 0    2 0
/// array 1    2 0 | 3                   members first, then a tail with dense indices of its own
/// array 2    | 3 0                     in no group: only a tail
/// ```
///
/// Whether an entity is a member, and so where its dense index is, follows from its signature; in list 0
/// its position alone tells, because members of a group are the first of the list. An entity has one
/// position per list instead of one dense index per component type, and creating, despawning and moving it
/// changes one member list instead of one per array. Further lists have their positions beside their
/// members.
pub struct Index {
    world: WorldId,
    limits: Limits,
    fresh: Arc<FreshSlots>,
    /// Rows of the used slots. Slots reserved through `fresh` get their rows later.
    rows: Vec<Cells>,
    /// The components of the entity in each slot; empty for a dead slot.
    signatures: Vec<Signature>,
    first_free: u32,
    /// Length of the free list.
    free: u32,
    alive: u32,
    arrays: Vec<ArrayIndex>,
    lists: Vec<MemberList>,
}

impl Index {
    pub(in crate::ecs) fn new(limits: Limits) -> Self {
        let world = WorldId::unique();
        Self {
            world,
            fresh: Arc::new(FreshSlots::new(world)),
            limits: Limits {
                generation: limits.generation.clamp(1, Limits::MAX_GENERATION),
                ..limits
            },
            rows: Vec::new(),
            signatures: Vec::new(),
            first_free: ABSENT,
            free: 0,
            alive: 0,
            arrays: Vec::new(),
            lists: Vec::new(),
        }
    }

    pub(in crate::ecs) fn world(&self) -> WorldId {
        self.world
    }

    pub(in crate::ecs) fn alive(&self) -> u32 {
        self.alive
    }

    /// Returns the number of slots that are free, or offered to `Commands`.
    pub(in crate::ecs) fn free_slots(&self) -> usize {
        self.free as usize + self.fresh.offered()
    }

    fn slot_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Reserves memory for `additional` entities with `components`.
    pub(in crate::ecs) fn try_reserve(
        &mut self,
        components: Signature,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        let rows = additional.saturating_sub(self.free as usize);
        self.rows.try_reserve(rows)?;
        self.signatures.try_reserve(rows)?;
        let slots = self.fresh.next() as usize + rows;
        for component in components.iter() {
            let array = &mut self.arrays[component.index()];
            match array.list(components) {
                Some(list) => self.lists[list as usize].slots.try_reserve(additional)?,
                None => array.try_reserve(additional, slots)?,
            }
        }
        Ok(())
    }

    /// Adds a packed array.
    pub(in crate::ecs) fn add_array(&mut self) -> ComponentType {
        let component = ComponentType::new(self.arrays.len() as u8);
        self.arrays.push(ArrayIndex::new(component));
        component
    }

    /// Returns the slot of a living entity of this world.
    #[inline]
    pub(in crate::ecs) fn check(&self, entity: Entity) -> Result<u32, Error> {
        let row = self.rows.get(entity.index() as usize);
        let lives = row.is_some_and(|row| row.generation == entity.generation());
        if lives && entity.world() == self.world {
            Ok(entity.index())
        } else {
            Err(self.refuse(entity))
        }
    }

    /// Returns the error that a handle names no living entity of this world.
    #[cold]
    fn refuse(&self, entity: Entity) -> Error {
        if entity.world() == self.world || entity == Entity::NULL {
            Error::NoSuchEntity(entity)
        } else {
            Error::ForeignEntity(entity)
        }
    }

    /// Returns the dense index of a component of an entity; `None` if it has none or is not alive.
    #[inline]
    pub(in crate::ecs) fn find(&self, entity: Entity, component: ComponentType) -> Option<u32> {
        self.finder(component).find(entity)
    }

    /// Returns what finds a component of any entity.
    #[inline]
    pub(in crate::ecs) fn finder(&self, component: ComponentType) -> Finder<'_> {
        let members_of_list_0 = self.array(component).members_of_list_0();
        Finder { rows: &self.rows, world: self.world, members_of_list_0, index: self, component }
    }

    /// Returns the dense index of a component whose element does not belong to a member of list 0; `None`
    /// if the entity in `slot` does not have it. Not inlined, which keeps the common case short.
    #[inline(never)]
    fn dense_elsewhere(&self, slot: u32, component: ComponentType) -> Option<u32> {
        let (array, signature) = (self.array(component), self.signature(slot));
        match array.list(signature) {
            Some(list) => Some(self.lists[list as usize].position(slot)),
            None => signature.contains(component).then(|| array.in_tail(slot)),
        }
    }

    /// Creates an entity without components and returns its slot: the one that was freed last, or a
    /// new one.
    pub(in crate::ecs) fn create(&mut self) -> Result<u32, Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        if self.first_free == ABSENT && self.fresh.is_filled() {
            self.free_pool();
        }
        let slot = if self.first_free == ABSENT {
            self.take_fresh()?
        } else {
            let slot = self.first_free;
            self.first_free = self.row(slot).position;
            self.free -= 1;
            slot
        };
        let row = self.row_mut(slot);
        *row = Cells { generation: row.generation & !DEAD, position: ABSENT };
        self.alive += 1;
        Ok(slot)
    }

    /// Takes a slot that was never used, and adds its row.
    fn take_fresh(&mut self) -> Result<u32, Error> {
        // Without `Commands`, no other thread can take a slot: none can be made while the index is
        // borrowed mutably. An atomic update would double the cost of creating an entity.
        let unshared = Arc::strong_count(&self.fresh) == 1;
        // Makes the slots visible that the last `Commands` took.
        fence(Ordering::Acquire);
        let slot = if unshared { self.fresh.take_unshared()? } else { self.fresh.take(1)? };
        self.add_dead_rows(slot + 1);
        Ok(slot)
    }

    /// Adds dead rows for all slots below `end` that have none yet.
    fn add_dead_rows(&mut self, end: u32) {
        if self.rows.capacity() == 0 {
            self.rows.reserve(FIRST_CAPACITY);
            self.signatures.reserve(FIRST_CAPACITY);
        }
        if self.rows.len() < end as usize {
            self.rows.resize(end as usize, Cells::NEW);
            self.signatures.resize(end as usize, Signature::EMPTY);
        }
    }

    /// Creates the entity of a reserved handle.
    pub(in crate::ecs) fn create_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        self.claim_reserved(entity)?;
        *self.row_mut(entity.index()) = Cells { generation: entity.generation(), position: ABSENT };
        self.alive += 1;
        Ok(())
    }

    /// Frees the slot of a reserved handle whose entity will not be created.
    pub(in crate::ecs) fn give_up_reserved(&mut self, entity: Entity) {
        if self.claim_reserved(entity).is_ok() {
            self.free(entity.index());
        }
    }

    /// Adds the slots of the pool, of dropped `Commands` for instance, to the free list.
    fn free_pool(&mut self) {
        let pool = self.fresh.take_pool();
        for entity in pool.returned {
            self.give_up_reserved(entity);
        }
        for entity in pool.offered {
            self.link(entity.index());
        }
    }

    /// Lets `Commands` reserve up to `count` slots of the free list.
    pub(in crate::ecs) fn offer(&mut self, count: usize) {
        let mut offered = Vec::new();
        while offered.len() < count && self.first_free != ABSENT {
            let slot = self.first_free;
            let row = *self.row(slot);
            self.first_free = row.position;
            self.free -= 1;
            offered.push(Entity::new(slot, row.generation & !DEAD, self.world));
        }
        if !offered.is_empty() {
            // The slot that was freed last is reserved first.
            self.fresh.offer(offered.into_iter().rev());
        }
    }

    /// Adds a dead slot to the free list.
    fn link(&mut self, slot: u32) {
        self.row_mut(slot).position = self.first_free;
        self.first_free = slot;
        self.free += 1;
    }

    /// Ensures that a reserved handle has a row, still marked as dead.
    fn claim_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        let slot = entity.index();
        if slot < self.fresh.next() {
            self.add_dead_rows(slot + 1);
        }
        let reserved =
            self.slot_count() > slot && self.row(slot).generation == entity.generation() | DEAD;
        reserved.then_some(()).ok_or(Error::NoSuchEntity(entity))
    }

    pub(in crate::ecs) fn fresh(&self) -> &Arc<FreshSlots> {
        &self.fresh
    }

    /// Returns the number of rows, and their reserved memory in bytes.
    pub(in crate::ecs) fn rows_memory(&self) -> (usize, usize) {
        let signatures = self.signatures.capacity() * size_of::<Signature>();
        (self.rows.len(), self.rows.capacity() * size_of::<Cells>() + signatures)
    }

    /// Returns the number of members in all lists, and their reserved memory in bytes.
    pub(in crate::ecs) fn lists_memory(&self) -> (usize, usize) {
        let lists = self.lists.iter().map(|list| (list.slots.len(), list.bytes()));
        lists.fold((0, 0), |sum, list| (sum.0 + list.0, sum.1 + list.1))
    }

    /// Returns the reserved memory of what each packed array has of its own, in bytes.
    pub(in crate::ecs) fn arrays_memory(&self) -> impl Iterator<Item = usize> {
        self.arrays.iter().map(ArrayIndex::bytes)
    }

    pub(in crate::ecs) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.signatures.shrink_to_fit();
        self.lists.iter_mut().for_each(MemberList::shrink_to_fit);
        self.arrays.iter_mut().for_each(ArrayIndex::shrink_to_fit);
    }

    /// Frees a slot whose components are all removed.
    pub(in crate::ecs) fn destroy(&mut self, slot: u32) {
        self.free(slot);
        self.alive -= 1;
    }

    /// Returns `true` if the slot has a generation left after that of its entity.
    pub(in crate::ecs) fn can_renew(&self, slot: u32) -> bool {
        self.row(slot).generation < self.limits.generation
    }

    /// Replaces the entity in a slot, which [can be renewed](Self::can_renew), by one of the next
    /// generation with the same components.
    pub(in crate::ecs) fn renew(&mut self, slot: u32) {
        self.row_mut(slot).generation += 1;
    }

    pub(in crate::ecs) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the length of the longest packed array.
    pub(in crate::ecs) fn largest(&self) -> usize {
        self.arrays.iter().map(ArrayIndex::len).max().unwrap_or(0)
    }

    /// Adds a slot to the free list for its next generation, or retires it if none is left.
    pub(super) fn free(&mut self, slot: u32) {
        let limit = self.limits.generation;
        self.set_signature(slot, Signature::EMPTY);
        let row = self.row_mut(slot);
        let generation = row.generation & !DEAD;
        if generation >= limit {
            // Unlike that of any reserved slot.
            row.generation = RETIRED;
        } else {
            row.generation = (generation + 1) | DEAD;
            self.link(slot);
        }
    }

    #[inline]
    fn row(&self, slot: u32) -> &Cells {
        &self.rows[slot as usize]
    }

    #[inline]
    fn row_mut(&mut self, slot: u32) -> &mut Cells {
        &mut self.rows[slot as usize]
    }

    /// Returns the handle of the entity in `slot`.
    #[inline]
    pub(in crate::ecs) fn entity(&self, slot: u32) -> Entity {
        Entity::new(slot, self.row(slot).generation, self.world)
    }

    #[inline]
    pub(in crate::ecs) fn signature(&self, slot: u32) -> Signature {
        self.signatures[slot as usize]
    }

    #[inline]
    pub(in crate::ecs) fn set_signature(&mut self, slot: u32, signature: Signature) {
        self.signatures[slot as usize] = signature;
    }

    /// Returns the row of the entity in `slot`, which finds its dense indices.
    #[inline]
    pub(in crate::ecs) fn located(&self, slot: u32) -> Row<'_> {
        Row { slot, cells: *self.row(slot), index: self }
    }

    pub(in crate::ecs) fn array(&self, component: ComponentType) -> &ArrayIndex {
        &self.arrays[component.index()]
    }

    #[inline]
    pub(in crate::ecs) fn array_mut(&mut self, component: ComponentType) -> &mut ArrayIndex {
        &mut self.arrays[component.index()]
    }

    /// Returns the slots of the members and of the tail of a packed array: all its entities, in order.
    pub(in crate::ecs) fn parts(
        &self,
        component: ComponentType,
    ) -> (&[u32], &std::collections::VecDeque<u32>) {
        let array = self.array(component);
        let members = match array.owner() {
            Some(owner) => &self.list(owner.list)[..array.aligned()],
            None => &[],
        };
        (members, array.tail())
    }

    /// Returns the slots of the entities of a packed array, in its order.
    pub(in crate::ecs) fn slots_of(
        &self,
        component: ComponentType,
    ) -> impl ExactSizeIterator<Item = u32> + use<'_> {
        let (members, tail) = self.parts(component);
        (0..members.len() + tail.len())
            .map(move |dense| *members.get(dense).unwrap_or_else(|| &tail[dense - members.len()]))
    }

    /// Returns the slot of the entity at a dense index of a packed array.
    pub(in crate::ecs) fn slot_at(&self, component: ComponentType, dense: usize) -> u32 {
        let (members, tail) = self.parts(component);
        *members.get(dense).unwrap_or_else(|| &tail[dense - members.len()])
    }

    /// Removes a component of the entity in `slot`, whose element is in the tail, by swap-remove.
    /// Returns its former dense index, which is that of the moved element now.
    #[inline]
    pub(in crate::ecs) fn remove(&mut self, slot: u32, component: ComponentType) -> usize {
        self.set_signature(slot, self.signature(slot).without(component));
        self.array_mut(component).swap_remove(slot)
    }

    /// Returns the smallest of several packed arrays; `None` for an empty set.
    pub(in crate::ecs) fn smallest(&self, components: Signature) -> Option<ComponentType> {
        components.iter().min_by_key(|&component| self.array(component).len())
    }

    /// Returns all slots with a row.
    pub(in crate::ecs) fn slots(&self) -> Range<u32> {
        0..self.slot_count()
    }

    /// Returns `true` if a slot holds a living entity.
    pub(in crate::ecs) fn lives(&self, slot: u32) -> bool {
        self.row(slot).lives()
    }
}
