//! Index operations on the slots: creating entities, freeing slots and using them again.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use super::Index;
use super::row::{ABSENT, DEAD, RETIRED, Row};
#[cfg(parallel)]
use crate::ecs::ComponentType;
use crate::ecs::{Entity, Error, Signature};

/// Rows reserved when the first entity is created one by one. The capacity at least doubles from there.
const FIRST_CAPACITY: usize = 256;

impl Index {
    /// Returns the number of slots that are free, or offered to `Commands`.
    pub(in crate::ecs) fn free_slots(&self) -> usize {
        self.free as usize + self.fresh.offered()
    }

    /// Creates an entity without components and returns its slot: the one that was freed last, or a
    /// new one.
    pub(in crate::ecs) fn create(&mut self) -> Result<u32, Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        if self.fresh.has_returned() {
            self.free_returned();
        }
        let slot = match self.take_free() {
            Some(slot) => slot,
            None => self.take_fresh()?,
        };
        self.revive(slot);
        Ok(slot)
    }

    /// Takes the slot that was freed last; if none is free, one that is offered to `Commands`.
    #[inline]
    pub(super) fn take_free(&mut self) -> Option<u32> {
        if self.first_free == ABSENT && self.fresh.is_filled() {
            self.free_offered();
        }
        self.unlink()
    }

    /// Makes a dead slot, which is not free, that of an entity without components.
    #[inline]
    pub(super) fn revive(&mut self, slot: u32) {
        let row = self.row_mut(slot);
        *row = Row { generation: row.generation & !DEAD, position: ABSENT };
        self.alive += 1;
    }

    /// Takes a slot that was never used, and adds its row.
    fn take_fresh(&mut self) -> Result<u32, Error> {
        // Without `Commands`, no other thread can take a slot: none can be made while the index is
        // borrowed mutably. An atomic update would double the cost of creating an entity.
        let unshared = Arc::strong_count(&self.fresh) == 1;
        // Makes the slots visible that the last `Commands` took.
        fence(Ordering::Acquire);
        let slot = if unshared { self.fresh.take_unshared()? } else { self.fresh.take(1)? };
        if slot > 0 && self.slot_count() == slot {
            self.rows.push(Row::NEW);
            self.signatures.push(Signature::EMPTY);
        } else {
            self.add_dead_rows(slot + 1);
        }
        Ok(slot)
    }

    /// Adds dead rows for all slots below `end` that have none yet.
    pub(super) fn add_dead_rows(&mut self, end: u32) {
        if self.rows.capacity() == 0 {
            self.rows.reserve(FIRST_CAPACITY);
            self.signatures.reserve(FIRST_CAPACITY);
        }
        if self.rows.len() < end as usize {
            self.rows.resize(end as usize, Row::NEW);
            self.signatures.resize(end as usize, Signature::EMPTY);
        }
    }

    /// Creates the entity of a reserved handle.
    pub(in crate::ecs) fn create_reserved(&mut self, entity: Entity) -> Result<(), Error> {
        if self.alive >= self.limits.entities {
            return Err(Error::EntityLimit { limit: self.limits.entities });
        }
        self.claim_reserved(entity)?;
        *self.row_mut(entity.index()) = Row { generation: entity.generation(), position: ABSENT };
        self.alive += 1;
        Ok(())
    }

    /// Frees the slot of a reserved handle whose entity will not be created.
    pub(in crate::ecs) fn give_up_reserved(&mut self, entity: Entity) {
        if self.claim_reserved(entity).is_ok() {
            self.free(entity.index());
        }
    }

    /// Frees the slots that dropped `Commands` have returned. Others can reserve them.
    pub(super) fn free_returned(&mut self) {
        let before = self.free;
        for entity in self.fresh.take_returned() {
            self.give_up_reserved(entity);
        }
        self.offer_free((self.free - before) as usize);
    }

    /// Adds the slots that are offered to `Commands` to the free list.
    pub(super) fn free_offered(&mut self) {
        for entity in self.fresh.take_offered() {
            self.link(entity.index());
        }
    }

    /// Lets `Commands` reserve up to `count` slots of the free list.
    pub(in crate::ecs) fn offer(&mut self, count: usize) {
        self.free_returned();
        self.offer_free(count);
    }

    fn offer_free(&mut self, count: usize) {
        let mut offered = Vec::new();
        while offered.len() < count
            && let Some(slot) = self.unlink()
        {
            let generation = self.row(slot).generation & !DEAD;
            offered.push(Entity::new(slot, generation, self.world));
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

    /// Removes the first slot from the free list.
    #[inline]
    fn unlink(&mut self) -> Option<u32> {
        let slot = Some(self.first_free).filter(|&slot| slot != ABSENT)?;
        self.first_free = self.row(slot).position;
        self.free -= 1;
        Some(slot)
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

    /// Frees a slot whose components are all removed.
    pub(in crate::ecs) fn destroy(&mut self, slot: u32) {
        self.free(slot);
        self.alive -= 1;
    }

    /// Returns `true` if the slot has a generation left after that of its entity.
    fn can_renew(&self, slot: u32) -> bool {
        self.row(slot).generation < self.limits.generation
    }

    /// Returns the handle that the entity's slot has after it is renewed; `None` if the entity does not live,
    /// has another signature, or has no generation left.
    #[inline]
    pub(in crate::ecs) fn renewed(&self, entity: Entity, signature: Signature) -> Option<Entity> {
        let slot = self.check(entity).ok()?;
        let can = self.signature(slot) == signature && self.can_renew(slot);
        can.then(|| Entity::new(slot, entity.generation() + 1, self.world))
    }

    /// Renews entities, and replaces their handles, up to the first that cannot be [renewed](Self::renewed)
    /// or whose components have no common dense index after that of the entity before. Appends these dense
    /// indices.
    #[cfg(parallel)]
    pub(in crate::ecs) fn renew_in_order(
        &mut self,
        entities: &mut [Entity],
        components: &[ComponentType],
        signature: Signature,
        indices: &mut Vec<u32>,
    ) {
        let members = components.iter().map(|&it| self.array(it).members_of_list_0());
        let members = members.min().unwrap_or(0);
        let mut next = 0;
        for entity in entities {
            let Some(new) = self.renewed(*entity, signature) else { return };
            let row = self.row_mut(new.index());
            if row.position < next || row.position as usize >= members {
                return;
            }
            row.generation += 1;
            next = row.position + 1;
            indices.push(row.position);
            *entity = new;
        }
    }

    /// Replaces the entity in a slot, which [can be renewed](Self::can_renew), by one of the next
    /// generation with the same components.
    pub(in crate::ecs) fn renew(&mut self, slot: u32) {
        self.row_mut(slot).generation += 1;
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
}
