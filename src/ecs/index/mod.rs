//! The index of a world: which entities live, their components, and the dense index of each.

mod batch;
mod fresh;
#[cfg(feature = "serde")]
mod state;

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

pub(in crate::ecs) use self::fresh::FreshSlots;
#[cfg(feature = "serde")]
pub(in crate::ecs) use self::state::IndexState;
use super::{ComponentType, Entity, Error, Limits, Signature, WorldId};

/// Dense index of a component that the entity does not have; also the end of the free list.
pub(in crate::ecs) const ABSENT: u32 = u32::MAX;

/// Mark in the generation cell of a slot without an entity, so that no handle equals it.
const DEAD: u32 = Limits::MAX_GENERATION + 1;

// Cells of a row.
const GENERATION: usize = 0;
/// Signature of a living entity; for a dead slot, the next slot of the free list.
const SIGNATURE: usize = 1;
const DENSE: usize = 2;

/// Rows reserved when the first entity is created. The capacity doubles from there.
const FIRST_CAPACITY: usize = 256;

/// One row of cells per slot, and for each packed array its members: the slots of its elements.
///
/// ```text
///            generation  signature  dense index in array 0, 1, 2 ..
/// row 0      1           {0, 1}     0  1  -
/// row 1      DEAD|4      next free  -  -  -      a dead slot, part of the free list
/// row 2      3           {1}        -  0  -
///
/// members[0]  0          slot of each element of packed array 0
/// members[1]  2 0
/// ```
///
/// A row is in one or two cache lines. Checking a handle so also fetches every dense index of the
/// entity, and despawning reads one row instead of one sparse index per component type.
pub struct Index {
    world: WorldId,
    limits: Limits,
    fresh: Arc<FreshSlots>,
    /// Rows of the used slots. Slots reserved through `fresh` get their rows later.
    rows: Vec<u32>,
    /// Row of a slot that was never used.
    new_row: Vec<u32>,
    /// Cells per row: `DENSE` plus the number of component types.
    stride: usize,
    first_free: u32,
    /// Length of the free list.
    free: u32,
    alive: u32,
    members: Vec<Vec<u32>>,
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
            new_row: vec![1 | DEAD, Signature::EMPTY.bits()],
            stride: DENSE,
            first_free: ABSENT,
            free: 0,
            alive: 0,
            members: Vec::new(),
        }
    }

    pub(in crate::ecs) fn world(&self) -> WorldId {
        self.world
    }

    pub(in crate::ecs) fn alive(&self) -> u32 {
        self.alive
    }

    /// Returns the length of the free list.
    pub(in crate::ecs) fn free_slots(&self) -> u32 {
        self.free
    }

    fn slot_count(&self) -> u32 {
        (self.rows.len() / self.stride) as u32
    }

    /// Reserves memory for `additional` entities with `components`.
    pub(in crate::ecs) fn try_reserve(
        &mut self,
        components: Signature,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        for component in components.iter() {
            self.members[component.index()].try_reserve(additional)?;
        }
        let rows = additional.saturating_sub(self.free as usize);
        self.rows.try_reserve(rows.saturating_mul(self.stride))
    }

    /// Adds a cell for one more component type to every row. `O(slots)`.
    pub(in crate::ecs) fn add_component_type(&mut self) {
        let old = std::mem::take(&mut self.rows);
        self.rows.reserve(old.len() / self.stride * (self.stride + 1));
        for row in old.chunks_exact(self.stride) {
            self.rows.extend_from_slice(row);
            self.rows.push(ABSENT);
        }
        self.stride += 1;
        self.new_row.push(ABSENT);
        self.members.push(Vec::new());
    }

    /// Returns the slot of a living entity of this world.
    #[inline]
    pub(in crate::ecs) fn check(&self, entity: Entity) -> Result<u32, Error> {
        if entity.world() != self.world {
            return Err(if entity == Entity::NULL {
                Error::NoSuchEntity(entity)
            } else {
                Error::ForeignEntity(entity)
            });
        }
        let cell = entity.index() as usize * self.stride + GENERATION;
        if self.rows.get(cell) == Some(&entity.generation()) {
            Ok(entity.index())
        } else {
            Err(Error::NoSuchEntity(entity))
        }
    }

    /// Returns the dense index of a component of an entity; `None` if it has none or is not alive.
    #[inline]
    pub(in crate::ecs) fn find(&self, entity: Entity, component: ComponentType) -> Option<u32> {
        let row = self.rows.get(entity.index() as usize * self.stride..)?.get(..self.stride)?;
        let lives = row[GENERATION] == entity.generation() && entity.world() == self.world;
        let dense = row[DENSE + component.index()];
        (lives && dense != ABSENT).then_some(dense)
    }

    /// Creates an entity without components and returns its slot: the one that was freed last, or a
    /// new one.
    pub(in crate::ecs) fn create(&mut self) -> Result<u32, Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        let slot = if self.first_free == ABSENT {
            self.take_fresh()?
        } else {
            let slot = self.first_free;
            let next = &mut self.row_mut(slot)[SIGNATURE];
            self.first_free = std::mem::replace(next, Signature::EMPTY.bits());
            self.free -= 1;
            slot
        };
        self.row_mut(slot)[GENERATION] &= !DEAD;
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
            self.rows.reserve(FIRST_CAPACITY * self.stride);
        }
        let end = end as usize * self.stride;
        while self.rows.len() < end {
            self.rows.extend_from_slice(&self.new_row);
        }
    }

    /// Creates the entity of a reserved handle.
    pub(in crate::ecs) fn create_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        self.claim_reserved(entity)?;
        self.row_mut(entity.index())[GENERATION] = entity.generation();
        self.alive += 1;
        Ok(())
    }

    /// Frees the slot of a reserved handle whose entity will not be created.
    pub(in crate::ecs) fn give_up_reserved(&mut self, entity: Entity) {
        if self.claim_reserved(entity).is_ok() {
            self.free(entity.index());
        }
    }

    /// Ensures that a reserved handle has a row, still marked as dead.
    fn claim_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        let slot = entity.index();
        if slot < self.fresh.next() {
            self.add_dead_rows(slot + 1);
        }
        let reserved =
            self.slot_count() > slot && self.row(slot)[GENERATION] == entity.generation() | DEAD;
        // `false` if a snapshot was restored in the meantime in which the slot is not reserved.
        reserved.then_some(()).ok_or(Error::NoSuchEntity(entity))
    }

    pub(in crate::ecs) fn fresh(&self) -> &Arc<FreshSlots> {
        &self.fresh
    }

    /// Returns the number of rows, and their reserved memory in bytes.
    pub(in crate::ecs) fn rows_memory(&self) -> (usize, usize) {
        (self.slot_count() as usize, self.rows.capacity() * size_of::<u32>())
    }

    /// Returns for each packed array the number of members, and their reserved memory in bytes.
    pub(in crate::ecs) fn members_memory(&self) -> impl Iterator<Item = (usize, usize)> {
        let bytes = |members: &Vec<u32>| members.capacity() * size_of::<u32>();
        self.members.iter().map(move |members| (members.len(), bytes(members)))
    }

    pub(in crate::ecs) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.members.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Frees a slot whose components are all removed.
    pub(in crate::ecs) fn destroy(&mut self, slot: u32) {
        debug_assert!(self.dense(slot).iter().all(|&dense| dense == ABSENT));
        self.free(slot);
        self.alive -= 1;
    }

    /// Replaces the entity in a slot by one of the next generation with the same components.
    /// Returns `false`, without a change, if no generation is left.
    pub(in crate::ecs) fn renew(&mut self, slot: u32) -> bool {
        let limit = self.limits.generation;
        let generation = &mut self.row_mut(slot)[GENERATION];
        let renewed = *generation < limit;
        *generation += u32::from(renewed);
        renewed
    }

    pub(in crate::ecs) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the length of the longest packed array.
    pub(in crate::ecs) fn largest(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Adds a slot to the free list for its next generation, or retires it if none is left.
    fn free(&mut self, slot: u32) {
        let (first_free, limit) = (self.first_free, self.limits.generation);
        let row = self.row_mut(slot);
        let generation = row[GENERATION] & !DEAD;
        if generation >= limit {
            row[GENERATION] = generation | DEAD;
        } else {
            row[GENERATION] = (generation + 1) | DEAD;
            row[SIGNATURE] = first_free;
            self.first_free = slot;
            self.free += 1;
        }
    }

    #[inline]
    fn row(&self, slot: u32) -> &[u32] {
        &self.rows[slot as usize * self.stride..][..self.stride]
    }

    #[inline]
    fn row_mut(&mut self, slot: u32) -> &mut [u32] {
        &mut self.rows[slot as usize * self.stride..][..self.stride]
    }

    /// Returns the handle of the entity in `slot`.
    #[inline]
    pub(in crate::ecs) fn entity(&self, slot: u32) -> Entity {
        Entity::new(slot, self.row(slot)[GENERATION], self.world)
    }

    #[inline]
    pub(in crate::ecs) fn signature(&self, slot: u32) -> Signature {
        Signature::from_bits(self.row(slot)[SIGNATURE])
    }

    /// Returns the dense indices of the entity in `slot`, by component type; `ABSENT` for components
    /// that it does not have.
    #[inline]
    pub(in crate::ecs) fn dense(&self, slot: u32) -> &[u32] {
        &self.row(slot)[DENSE..]
    }

    /// Returns the slots of the elements of a packed array, in its order.
    #[inline]
    pub(in crate::ecs) fn members(&self, component: ComponentType) -> &[u32] {
        &self.members[component.index()]
    }

    /// Appends the entity in `slot` to several packed arrays.
    pub(in crate::ecs) fn add(&mut self, slot: u32, components: &[ComponentType]) {
        let Self { rows, members, stride, .. } = self;
        let row = &mut rows[slot as usize * *stride..][..*stride];
        let mut signature = Signature::from_bits(row[SIGNATURE]);
        for &component in components {
            let members = &mut members[component.index()];
            row[DENSE + component.index()] = members.len() as u32;
            members.push(slot);
            signature = signature.with(component);
        }
        row[SIGNATURE] = signature.bits();
    }

    /// Removes the entity in `slot` from a packed array by swap-remove. Returns its former dense
    /// index, which is that of the moved element now.
    #[inline]
    pub(in crate::ecs) fn remove(&mut self, slot: u32, component: ComponentType) -> usize {
        let row = self.row_mut(slot);
        row[SIGNATURE] = Signature::from_bits(row[SIGNATURE]).without(component).bits();
        let hole = std::mem::replace(&mut row[DENSE + component.index()], ABSENT) as usize;
        let members = &mut self.members[component.index()];
        members.swap_remove(hole);
        if let Some(&moved) = members.get(hole) {
            self.row_mut(moved)[DENSE + component.index()] = hole as u32;
        }
        hole
    }

    /// Swaps two elements of a packed array.
    #[inline]
    pub(in crate::ecs) fn swap(&mut self, component: ComponentType, a: usize, b: usize) {
        let members = &mut self.members[component.index()];
        members.swap(a, b);
        let (at_a, at_b) = (members[a], members[b]);
        self.row_mut(at_a)[DENSE + component.index()] = a as u32;
        self.row_mut(at_b)[DENSE + component.index()] = b as u32;
    }

    /// Returns the members of the smallest of several packed arrays; `None` for an empty set.
    pub(in crate::ecs) fn smallest(&self, components: Signature) -> Option<&[u32]> {
        let arrays = components.iter().map(|component| self.members(component));
        arrays.min_by_key(|members| members.len())
    }

    /// Returns all slots with a row.
    pub(in crate::ecs) fn slots(&self) -> Range<u32> {
        0..self.slot_count()
    }

    /// Returns `true` if a slot holds a living entity.
    pub(in crate::ecs) fn lives(&self, slot: u32) -> bool {
        self.row(slot)[GENERATION] & DEAD == 0
    }
}
