//! Index: which entities live, what each has, and where in each packed array it lies.

use std::collections::TryReserveError;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::entity::WorldId;
use super::{ComponentType, Entity, Error, Signature};

/// How many entities a world may hold, and how often a slot may be reused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most entities alive at once.
    pub entities: u32,
    /// Highest generation of a slot, at most [`Limits::MAX_GENERATION`]. A slot that has reached it
    /// is retired when its entity is despawned, so that no handle is ever valid twice.
    pub generation: u32,
}

impl Limits {
    /// Highest generation a row can store next to the mark of a dead slot.
    pub const MAX_GENERATION: u32 = DEAD - 1;
}

impl Default for Limits {
    /// As many as the index space holds: 4,294,967,295 entities, 2,147,483,647 generations each.
    fn default() -> Self {
        Self { entities: u32::MAX, generation: Self::MAX_GENERATION }
    }
}

/// Dense index of a component the entity does not have, and the end of the free list.
pub(super) const ABSENT: u32 = u32::MAX;

/// Set in the generation cell of a slot that holds no entity, so that no handle equals it.
const DEAD: u32 = 1 << 31;

// Cells of a row.
const GENERATION: usize = 0;
/// Signature of a live entity; of a dead slot, the next one in the free list.
const SIGNATURE: usize = 1;
const DENSE: usize = 2;

/// Rows preallocated when the first entity is created; doubled from there on.
const FIRST_CAPACITY: usize = 256;

/// Slots that were never used, shared with `Commands`, which hand out handles for them while the world
/// is borrowed.
pub(super) struct Fresh {
    world: WorldId,
    /// The next slot; all from here on are free.
    next: AtomicU32,
}

impl Fresh {
    /// Takes one slot; its entity will be the first to live there.
    pub(super) fn reserve(&self) -> Result<Entity, Error> {
        Ok(Entity::new(self.take(1)?, 1, self.world))
    }

    /// Takes `count` slots and returns the first.
    fn take(&self, count: u32) -> Result<u32, Error> {
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| next.checked_add(count));
        taken.map_err(|_| Error::EntityLimit { limit: ABSENT })
    }

    fn next(&self) -> u32 {
        self.next.load(Ordering::Relaxed)
    }
}

/// One row of cells per slot, and the way back from each packed array to the slots.
///
/// ```text
///            generation  signature  dense index in array 0, 1, 2 ..
/// row 0      1           {0, 1}     0  1  -
/// row 1      DEAD|4      next free  -  -  -      a despawned slot, part of the free list
/// row 2      3           {1}        -  0  -
///
/// members[0]  0          slot of each element of packed array 0
/// members[1]  2 0
/// ```
///
/// A row lies in one or two cache lines, so checking a handle also fetches every dense index of the
/// entity, and despawning reads one row instead of one map per component type.
pub struct Index {
    world: WorldId,
    limits: Limits,
    fresh: Arc<Fresh>,
    /// Rows of the slots used so far; those taken from `fresh` behind them have none yet.
    rows: Vec<u32>,
    /// Cells per row: `DENSE` plus the number of registered component types.
    stride: usize,
    first_free: u32,
    alive: u32,
    members: Vec<Vec<u32>>,
}

impl Index {
    pub(super) fn new(limits: Limits) -> Self {
        let world = WorldId::unique();
        Self {
            world,
            fresh: Arc::new(Fresh { world, next: AtomicU32::new(0) }),
            limits: Limits {
                generation: limits.generation.clamp(1, Limits::MAX_GENERATION),
                ..limits
            },
            rows: Vec::new(),
            stride: DENSE,
            first_free: ABSENT,
            alive: 0,
            members: Vec::new(),
        }
    }

    pub(super) fn world(&self) -> WorldId {
        self.world
    }

    pub(super) fn alive(&self) -> u32 {
        self.alive
    }

    fn slot_count(&self) -> u32 {
        (self.rows.len() / self.stride) as u32
    }

    /// Makes room for `additional` more slots, and as many elements in each of the packed arrays.
    pub(super) fn try_reserve(
        &mut self,
        components: Signature,
        additional: usize,
    ) -> Result<(), TryReserveError> {
        for component in components.iter() {
            self.members[component.index()].try_reserve(additional)?;
        }
        self.rows.try_reserve(additional.saturating_mul(self.stride))
    }

    /// Adds a cell for one more component type to every row: `O(slots)`.
    pub(super) fn add_component_type(&mut self) {
        let old = std::mem::take(&mut self.rows);
        self.rows.reserve(old.len() / self.stride * (self.stride + 1));
        for row in old.chunks_exact(self.stride) {
            self.rows.extend_from_slice(row);
            self.rows.push(ABSENT);
        }
        self.stride += 1;
        self.members.push(Vec::new());
    }

    /// Slot of a live entity of this world.
    pub(super) fn check(&self, entity: Entity) -> Result<u32, Error> {
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

    /// Where the component of an entity lies in its packed array.
    #[inline]
    pub(super) fn find(&self, entity: Entity, component: ComponentType) -> Option<u32> {
        let row = self.rows.get(entity.index() as usize * self.stride..)?.get(..self.stride)?;
        let lives = row[GENERATION] == entity.generation() && entity.world() == self.world;
        let dense = row[DENSE + component.index()];
        (lives && dense != ABSENT).then_some(dense)
    }

    /// Brings a slot to life, the most recently freed one first.
    pub(super) fn create(&mut self) -> Result<u32, Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        let slot = if self.first_free == ABSENT {
            self.grow()?
        } else {
            let slot = self.first_free;
            let row = self.row_mut(slot);
            row[GENERATION] &= !DEAD;
            let next = std::mem::replace(&mut row[SIGNATURE], Signature::EMPTY.bits());
            self.first_free = next;
            slot
        };
        self.alive += 1;
        Ok(slot)
    }

    fn grow(&mut self) -> Result<u32, Error> {
        let slot = self.fresh.take(1)?;
        self.add_row(slot);
        Ok(slot)
    }

    /// Adds the row of a slot from `fresh`, and those of slots reserved before it, which stay dead.
    fn add_row(&mut self, slot: u32) {
        if self.rows.capacity() == 0 {
            self.rows.reserve(FIRST_CAPACITY * self.stride);
        }
        while self.slot_count() <= slot {
            let generation = if self.slot_count() == slot { 1 } else { 1 | DEAD };
            self.rows.extend_from_slice(&[generation, Signature::EMPTY.bits()]);
            self.rows.resize(self.rows.len() + self.stride - DENSE, ABSENT);
        }
    }

    /// Brings the entity to life whose handle was reserved.
    pub(super) fn create_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        let slot = entity.index();
        if self.slot_count() <= slot {
            self.add_row(slot);
        } else {
            self.row_mut(slot)[GENERATION] &= !DEAD;
        }
        self.alive += 1;
        Ok(())
    }

    pub(super) fn fresh(&self) -> &Arc<Fresh> {
        &self.fresh
    }

    /// Slots with a row, and the memory reserved for rows in bytes.
    pub(super) fn rows_memory(&self) -> (usize, usize) {
        (self.slot_count() as usize, self.rows.capacity() * size_of::<u32>())
    }

    /// Elements of each packed array, and the memory reserved for their slots in bytes.
    pub(super) fn members_memory(&self) -> impl Iterator<Item = (usize, usize)> {
        let bytes = |members: &Vec<u32>| members.capacity() * size_of::<u32>();
        self.members.iter().map(move |members| (members.len(), bytes(members)))
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.members.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Ends the life in a slot whose components are all detached.
    pub(super) fn destroy(&mut self, slot: u32) {
        let (first_free, limit) = (self.first_free, self.limits.generation);
        let row = self.row_mut(slot);
        debug_assert!(row[DENSE..].iter().all(|&dense| dense == ABSENT));
        let retired = row[GENERATION] >= limit;
        if retired {
            row[GENERATION] |= DEAD;
        } else {
            row[GENERATION] = (row[GENERATION] + 1) | DEAD;
            row[SIGNATURE] = first_free;
            self.first_free = slot;
        }
        self.alive -= 1;
    }

    /// Room for so many more living entities.
    pub(super) fn vacancies(&self) -> usize {
        (self.limits.entities - self.alive).min(ABSENT - self.fresh.next()) as usize
    }

    /// Brings `count` slots to life, all with `components`, whose values lie at the end of their
    /// packed arrays already. Takes the slots that `create` would take.
    pub(super) fn create_batch(&mut self, count: usize, components: Signature) -> Vec<Entity> {
        let mut entities = Vec::with_capacity(count);
        while entities.len() < count && self.first_free != ABSENT {
            // The free list cannot run into the entity limit: the vacancies were counted.
            let Ok(slot) = self.create() else { break };
            for component in components.iter() {
                self.attach(slot, component);
            }
            entities.push(self.entity(slot));
        }

        let fresh = (count - entities.len()) as u32;
        let Ok(first) = self.fresh.take(fresh) else { return entities };
        let (mut row, mut step) = (vec![ABSENT; self.stride], vec![0; self.stride]);
        (row[GENERATION], row[SIGNATURE]) = (1, components.bits());
        for component in components.iter() {
            let members = &mut self.members[component.index()];
            row[DENSE + component.index()] = members.len() as u32;
            step[DENSE + component.index()] = 1;
            members.extend(first..first + fresh);
        }
        if let Some(reserved) = first.checked_sub(1).filter(|_| first > self.slot_count()) {
            self.add_row(reserved);
            self.row_mut(reserved)[GENERATION] |= DEAD;
        }
        self.rows.reserve(fresh as usize * self.stride);
        for slot in first..first + fresh {
            self.rows.extend_from_slice(&row);
            for (cell, step) in row.iter_mut().zip(&step) {
                *cell = cell.wrapping_add(*step);
            }
            entities.push(Entity::new(slot, 1, self.world));
        }
        self.alive += fresh;
        entities
    }

    /// Ends the life in a slot without taking it out of its packed arrays: [`compact`](Self::compact) must follow for
    /// each of these. Returns what it had.
    pub(super) fn destroy_later(&mut self, slot: u32) -> Signature {
        let signature = self.signature(slot);
        self.row_mut(slot)[DENSE..].fill(ABSENT);
        self.destroy(slot);
        signature
    }

    /// Closes the gaps of destroyed entities in a packed array, keeping the order of the others. Calls `swap(to, from)` for
    /// each element that moves, in ascending order, and `gone` for each that has to go; what has to go lies at the
    /// end afterwards. Returns how many stay.
    pub(super) fn compact(
        &mut self,
        component: ComponentType,
        mut swap: impl FnMut(usize, usize),
        mut gone: impl FnMut(usize),
    ) -> usize {
        let mut members = std::mem::take(&mut self.members[component.index()]);
        let mut kept = 0;
        for from in 0..members.len() {
            let slot = members[from];
            let row = self.row_mut(slot);
            if row[GENERATION] & DEAD != 0 {
                gone(from);
                continue;
            }
            if from != kept {
                row[DENSE + component.index()] = kept as u32;
                members[kept] = slot;
                swap(kept, from);
            }
            kept += 1;
        }
        members.truncate(kept);
        self.members[component.index()] = members;
        kept
    }

    /// Forgets the members of a packed array, all of which are destroyed.
    pub(super) fn forget_members(&mut self, component: ComponentType) {
        self.members[component.index()].clear();
    }

    /// Takes the first `count` elements of each packed array in `components` from their entities;
    /// what lies behind them moves up.
    pub(super) fn detach_front(&mut self, components: Signature, count: usize) {
        for component in components.iter() {
            let mut members = std::mem::take(&mut self.members[component.index()]);
            let cell = DENSE + component.index();
            for &slot in &members[..count] {
                let row = self.row_mut(slot);
                row[SIGNATURE] = Signature::from_bits(row[SIGNATURE]).without(component).bits();
                row[cell] = ABSENT;
            }
            for &slot in &members[count..] {
                self.row_mut(slot)[cell] -= count as u32;
            }
            members.drain(..count);
            self.members[component.index()] = members;
        }
    }

    /// Makes `slots` the members of each packed array in `components`, which are empty.
    pub(super) fn attach_front(&mut self, slots: &[u32], components: Signature) {
        for (dense, &slot) in slots.iter().enumerate() {
            let row = self.row_mut(slot);
            row[SIGNATURE] = Signature::from_bits(row[SIGNATURE]).union(components).bits();
            for component in components.iter() {
                row[DENSE + component.index()] = dense as u32;
            }
        }
        for component in components.iter() {
            self.members[component.index()].extend_from_slice(slots);
        }
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Length of the longest packed array.
    pub(super) fn largest(&self) -> usize {
        self.members.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn row(&self, slot: u32) -> &[u32] {
        &self.rows[slot as usize * self.stride..][..self.stride]
    }

    fn row_mut(&mut self, slot: u32) -> &mut [u32] {
        &mut self.rows[slot as usize * self.stride..][..self.stride]
    }

    /// The handle of the entity living in `slot`.
    pub(super) fn entity(&self, slot: u32) -> Entity {
        Entity::new(slot, self.row(slot)[GENERATION], self.world)
    }

    pub(super) fn signature(&self, slot: u32) -> Signature {
        Signature::from_bits(self.row(slot)[SIGNATURE])
    }

    /// Where each component of the entity in `slot` lies, by component type; `ABSENT` where it has
    /// none.
    pub(super) fn dense(&self, slot: u32) -> &[u32] {
        &self.row(slot)[DENSE..]
    }

    /// Slots of the elements of one packed array, in its order.
    pub(super) fn members(&self, component: ComponentType) -> &[u32] {
        &self.members[component.index()]
    }

    /// Appends the entity in `slot` to one packed array.
    pub(super) fn attach(&mut self, slot: u32, component: ComponentType) {
        let members = &mut self.members[component.index()];
        let dense = members.len() as u32;
        members.push(slot);
        let row = self.row_mut(slot);
        row[SIGNATURE] = Signature::from_bits(row[SIGNATURE]).with(component).bits();
        row[DENSE + component.index()] = dense;
    }

    /// Takes the entity in `slot` out of one packed array and returns the dense index it had: the
    /// hole that the last element moves into.
    pub(super) fn detach(&mut self, slot: u32, component: ComponentType) -> usize {
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

    /// Swaps two elements of one packed array.
    pub(super) fn swap(&mut self, component: ComponentType, a: usize, b: usize) {
        let members = &mut self.members[component.index()];
        members.swap(a, b);
        let (at_a, at_b) = (members[a], members[b]);
        self.row_mut(at_a)[DENSE + component.index()] = a as u32;
        self.row_mut(at_b)[DENSE + component.index()] = b as u32;
    }

    /// The smallest of the packed arrays in `components`; none if the set is empty.
    pub(super) fn smallest(&self, components: Signature) -> Option<&[u32]> {
        let arrays = components.iter().map(|component| self.members(component));
        arrays.min_by_key(|members| members.len())
    }

    /// All slots that have been used.
    pub(super) fn slots(&self) -> Range<u32> {
        0..self.slot_count()
    }

    /// Whether an entity lives in a slot.
    pub(super) fn lives(&self, slot: u32) -> bool {
        self.row(slot)[GENERATION] & DEAD == 0
    }
}
