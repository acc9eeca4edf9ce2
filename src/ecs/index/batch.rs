//! Index operations on many slots at once, array by array.

use super::{ABSENT, DEAD, DENSE, GENERATION, Index, SIGNATURE};
use crate::ecs::{ComponentType, Entity, Signature};

impl Index {
    /// Removes the first `count` elements of each packed array in `components`. The other elements
    /// keep their order.
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

    /// Fills the packed arrays in `components`, which are empty, with the entities in `slots`.
    pub(in crate::ecs) fn fill(&mut self, slots: &[u32], components: Signature) {
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

    /// Returns the number of entities that can still be created.
    pub(in crate::ecs) fn vacancies(&self) -> usize {
        (self.limits.entities - self.alive).min(ABSENT - self.fresh.next()) as usize
    }

    /// Creates `count` entities with `components`, whose values are at the end of their packed
    /// arrays already. Uses the same slots as `create`, and appends the handles to `entities`, which
    /// is empty.
    pub(in crate::ecs) fn create_batch(
        &mut self,
        count: usize,
        components: &[ComponentType],
        mut entities: Vec<Entity>,
    ) -> Vec<Entity> {
        while entities.len() < count && self.first_free != ABSENT {
            // Cannot fail: the caller has checked the vacancies.
            let Ok(slot) = self.create() else { break };
            self.add(slot, components);
            entities.push(self.entity(slot));
        }

        let fresh = (count - entities.len()) as u32;
        let Ok(first) = self.fresh.take(fresh) else { return entities };
        // Each row is the one before it, with every dense index increased by `step`.
        let (mut row, mut step) = (self.new_row.clone(), vec![0; self.stride]);
        row[GENERATION] &= !DEAD;
        row[SIGNATURE] = components.iter().copied().collect::<Signature>().bits();
        for component in components {
            let members = &mut self.members[component.index()];
            row[DENSE + component.index()] = members.len() as u32;
            step[DENSE + component.index()] = 1;
            members.extend(first..first + fresh);
        }
        self.add_dead_rows(first);
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

    /// Frees a slot but leaves its elements in the packed arrays, and returns its signature.
    /// [`compact`](Self::compact) must follow for each of these arrays.
    pub(in crate::ecs) fn destroy_uncompacted(&mut self, slot: u32) -> Signature {
        let signature = self.signature(slot);
        self.row_mut(slot)[DENSE..].fill(ABSENT);
        self.destroy(slot);
        signature
    }

    /// Removes destroyed entities from a packed array; the others keep their order. Calls
    /// `swap(to, from)` for each element that moves, in ascending order, and `removed` with the
    /// dense index of each destroyed one. The values of these are at the end afterwards.
    pub(in crate::ecs) fn compact(
        &mut self,
        component: ComponentType,
        mut swap: impl FnMut(usize, usize),
        mut removed: impl FnMut(usize),
    ) {
        let mut members = std::mem::take(&mut self.members[component.index()]);
        let mut kept = 0;
        for from in 0..members.len() {
            let slot = members[from];
            let row = self.row_mut(slot);
            if row[GENERATION] & DEAD != 0 {
                removed(from);
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
    }

    /// Clears the members of a packed array, all of which are destroyed.
    pub(in crate::ecs) fn clear_members(&mut self, component: ComponentType) {
        self.members[component.index()].clear();
    }
}
