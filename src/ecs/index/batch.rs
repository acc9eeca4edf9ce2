//! Batch: many slots at once, array by array.

use std::collections::TryReserveError;

use super::{ABSENT, DEAD, DENSE, GENERATION, Index, SIGNATURE};
use crate::ecs::{ComponentType, Entity, Signature};

impl Index {
    /// Takes the first `count` elements of each packed array in `components` from their entities;
    /// what lies behind them moves up.
    pub(in crate::ecs) fn remove_front(&mut self, components: Signature, count: usize) {
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
    pub(in crate::ecs) fn add_front(&mut self, slots: &[u32], components: Signature) {
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

    /// Room for so many more living entities.
    pub(in crate::ecs) fn vacancies(&self) -> usize {
        (self.limits.entities - self.alive).min(ABSENT - self.fresh.next()) as usize
    }

    /// Makes room for [`create_batch`](Self::create_batch), and for its handles.
    pub(in crate::ecs) fn try_reserve_batch(
        &mut self,
        count: usize,
        components: Signature,
    ) -> Result<Vec<Entity>, TryReserveError> {
        let mut entities = Vec::new();
        entities.try_reserve_exact(count)?;
        for component in components.iter() {
            self.members[component.index()].try_reserve(count)?;
        }
        let dead = (self.slot_count() - self.alive) as usize;
        self.rows.try_reserve(count.saturating_sub(dead).saturating_mul(self.stride))?;
        Ok(entities)
    }

    /// Brings `count` slots to life, all with `components`, whose values lie at the end of their
    /// packed arrays already. Takes the slots that `create` would take; their handles are appended
    /// to `entities`, which is empty.
    pub(in crate::ecs) fn create_batch(
        &mut self,
        count: usize,
        components: Signature,
        mut entities: Vec<Entity>,
    ) -> Vec<Entity> {
        while entities.len() < count && self.first_free != ABSENT {
            // The free list cannot run into the entity limit: the vacancies were counted.
            let Ok(slot) = self.create() else { break };
            for component in components.iter() {
                self.add(slot, component);
            }
            entities.push(self.entity(slot));
        }

        let fresh = (count - entities.len()) as u32;
        let Ok(first) = self.fresh.take(fresh) else { return entities };
        let (mut row, mut step) = (self.new_row.clone(), vec![0; self.stride]);
        row[SIGNATURE] = components.bits();
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

    /// Ends the life in a slot without taking it out of its packed arrays:
    /// [`compact`](Self::compact) must follow for each of these. Returns what it had.
    pub(in crate::ecs) fn destroy_uncompacted(&mut self, slot: u32) -> Signature {
        let signature = self.signature(slot);
        self.row_mut(slot)[DENSE..].fill(ABSENT);
        self.destroy(slot);
        signature
    }

    /// Closes the gaps of destroyed entities in a packed array, keeping the order of the others.
    /// Calls `swap(to, from)` for each element that moves, in ascending order, and `gone` for each
    /// that has to go; what has to go lies at the end afterwards. Returns how many stay.
    pub(in crate::ecs) fn compact(
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
    pub(in crate::ecs) fn clear_members(&mut self, component: ComponentType) {
        self.members[component.index()].clear();
    }
}
