//! The index of a world: which entities live, their components, and the dense index of each.

mod array;
mod batch;
mod finder;
mod fresh;
mod lists;
mod located;
mod member_list;
mod row;
#[cfg(feature = "serde")]
mod saved;
mod slots;
#[cfg(feature = "serde")]
mod state;

use std::collections::TryReserveError;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub(in crate::ecs) use self::array::{ArrayIndex, Owner};
pub(in crate::ecs) use self::finder::Finder;
pub(in crate::ecs) use self::fresh::FreshSlots;
pub(in crate::ecs) use self::located::Located;
use self::member_list::MemberList;
pub(in crate::ecs) use self::row::ABSENT;
use self::row::Row;
#[cfg(feature = "serde")]
pub(in crate::ecs) use self::saved::SavedIndex;
use super::{ComponentType, Entity, Error, Limits, Signature, WorldId};

/// One row per slot, one member list for all packed arrays that groups keep in the same order,
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
    rows: Vec<Row>,
    /// The components of the entity in each slot; empty for a dead slot.
    signatures: Vec<Signature>,
    first_free: u32,
    /// Length of the free list.
    free: u32,
    alive: u32,
    arrays: Vec<ArrayIndex>,
    lists: Vec<MemberList>,
}

/// Prints the number of entities.
impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("alive", &self.alive).finish_non_exhaustive()
    }
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

    fn slot_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Reserves memory for `additional` entities with `components`.
    pub(in crate::ecs) fn try_reserve(
        &mut self,
        components: Signature,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        let slots = self.fresh.next() as usize + additional.saturating_sub(self.free as usize);
        // Slots that commands have reserved have no row yet.
        let rows = slots.saturating_sub(self.rows.len());
        self.rows.try_reserve(rows)?;
        self.signatures.try_reserve(rows)?;
        for component in components {
            let array = &mut self.arrays[component.index()];
            match array.list(components) {
                Some(number) => {
                    let list = &mut self.lists[number as usize];
                    list.slots.try_reserve(additional)?;
                    if number > 0 {
                        list.try_reserve_positions(slots)?;
                    }
                }
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
    pub(in crate::ecs) fn refuse(&self, entity: Entity) -> Error {
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

    pub(in crate::ecs) fn fresh(&self) -> &Arc<FreshSlots> {
        &self.fresh
    }

    /// Returns the number of rows, and their reserved memory in bytes.
    pub(in crate::ecs) fn rows_memory(&self) -> (usize, usize) {
        let signatures = self.signatures.capacity() * size_of::<Signature>();
        (self.rows.len(), self.rows.capacity() * size_of::<Row>() + signatures)
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

    pub(in crate::ecs) fn shrink_to(&mut self, capacity: usize) {
        self.rows.shrink_to(capacity);
        self.signatures.shrink_to(capacity);
        self.lists.iter_mut().for_each(|list| list.shrink_to(capacity));
        self.arrays.iter_mut().for_each(|array| array.shrink_to(capacity));
    }

    pub(in crate::ecs) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the length of the longest packed array.
    pub(in crate::ecs) fn largest(&self) -> usize {
        self.arrays.iter().map(ArrayIndex::len).max().unwrap_or(0)
    }

    #[inline]
    fn row(&self, slot: u32) -> &Row {
        &self.rows[slot as usize]
    }

    #[inline]
    fn row_mut(&mut self, slot: u32) -> &mut Row {
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

    /// Locates the entity in `slot`.
    #[inline]
    pub(in crate::ecs) fn located(&self, slot: u32) -> Located<'_> {
        Located { slot, row: *self.row(slot), before: 0, index: self }
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
