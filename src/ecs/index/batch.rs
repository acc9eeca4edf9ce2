//! Index operations on many slots at once, array by array.

use std::collections::VecDeque;

use super::Index;
use super::row::{ABSENT, Row};
use crate::ecs::signature::{Bits, ones};
use crate::ecs::{ComponentType, Entity, Signature};

impl Index {
    /// Removes the components in `taken` from all members of a group, which are in `slots`. The group
    /// and those nested in it own them, and no group around it; `dissolved` are all arrays of which
    /// these groups are the outermost owners. The other elements keep their order.
    pub(in crate::ecs) fn take_group(
        &mut self,
        slots: &[u32],
        taken: Signature,
        dissolved: Signature,
    ) {
        for component in taken {
            self.array_mut(component).remove_members();
        }
        for component in dissolved.difference(taken) {
            self.array_mut(component).dissolve(slots);
        }
        for list in self.lists() {
            if dissolved.contains_all(self.arrays_of(list)) {
                self.truncate_list(list, 0);
            }
        }
        for &slot in slots {
            self.set_signature(slot, self.signature(slot).difference(taken));
        }
    }

    /// Adds the components in `given`, whose arrays are empty, to the entities in `slots`, which have
    /// the signature `after` then. `joined` are all arrays of which the groups that they enter are the
    /// outermost owners, and `lists` the member lists of these groups.
    pub(in crate::ecs) fn fill(
        &mut self,
        slots: &[u32],
        (given, after): (Signature, Signature),
        joined: Signature,
        lists: impl Iterator<Item = u8>,
    ) {
        for &slot in slots {
            self.set_signature(slot, after);
        }
        for component in given {
            let array = self.array_mut(component);
            if joined.contains(component) {
                array.replace(slots.len(), VecDeque::new());
            } else {
                array.extend(slots.iter().copied());
            }
        }
        for component in joined.difference(given) {
            self.array_mut(component).join_front(slots.len());
        }
        for list in lists {
            // In the list of a group around, the entities are the first members already.
            if self.list(list).is_empty() {
                for &slot in slots {
                    self.push_member(slot, list);
                }
            }
        }
    }

    /// Returns the number of entities that can still be created.
    pub(in crate::ecs) fn vacancies(&mut self) -> usize {
        self.free_returned();
        let slots = u64::from(ABSENT - self.fresh.next()) + self.free_slots() as u64;
        u64::from(self.limits.entities - self.alive).min(slots) as usize
    }

    /// Creates `count` entities with the signature `components`, whose values are at the end of their
    /// packed arrays already. Uses the same slots as `create`, and appends the handles to `entities`,
    /// which is empty.
    ///
    /// Appends them to the member lists in `lists`, of which they become the last members; then all
    /// arrays are complete. Without lists the entities must be added to their arrays one by one.
    pub(in crate::ecs) fn create_batch(
        &mut self,
        count: usize,
        components: Signature,
        lists: Option<Bits>,
        mut entities: Vec<Entity>,
    ) -> Vec<Entity> {
        let lists_to_append = ones(lists.unwrap_or(0));
        while entities.len() < count
            && let Some(slot) = self.take_free()
        {
            self.revive(slot);
            self.set_signature(slot, components);
            lists_to_append.clone().for_each(|list| self.push_member(slot, list));
            entities.push(self.entity(slot));
        }

        let fresh = (count - entities.len()) as u32;
        let Ok(first) = self.fresh.take(fresh) else { return entities };
        self.add_dead_rows(first);
        self.rows.resize((first + fresh) as usize, Row { generation: 1, position: ABSENT });
        self.signatures.resize((first + fresh) as usize, components);
        for list in lists_to_append {
            if list == 0 {
                let members = &mut self.lists[0].slots;
                let rows = &mut self.rows[first as usize..];
                for (row, position) in rows.iter_mut().zip(members.len() as u32..) {
                    row.position = position;
                }
                members.extend(first..first + fresh);
            } else {
                (first..first + fresh).for_each(|slot| self.push_member(slot, list));
            }
        }
        let world = self.world;
        entities.extend((first..first + fresh).map(|slot| Entity::new(slot, 1, world)));
        self.alive += fresh;
        if lists.is_some() {
            for component in components {
                let array = &mut self.arrays[component.index()];
                match array.list(components) {
                    Some(_) => array.grow_members(count),
                    None => array.extend(entities.iter().map(|entity| entity.index())),
                }
            }
        }
        entities
    }

    /// Removes destroyed entities from a packed array; the others keep their order. Calls
    /// `swap(to, from)` for each element that moves, in ascending order. The values of the destroyed
    /// entities are at the end afterwards. The list of its members must not be compacted yet.
    pub(in crate::ecs) fn compact(
        &mut self,
        component: ComponentType,
        mut swap: impl FnMut(usize, usize),
    ) {
        let tail = self.array_mut(component).take_tail();
        let (members, _) = self.parts(component);
        let (mut kept, mut moved_to) = (0, |from: usize, kept: usize| {
            if from != kept {
                swap(kept, from);
            }
        });
        let mut from = 0;
        for &slot in members {
            if self.lives(slot) {
                moved_to(from, kept);
                kept += 1;
            }
            from += 1;
        }
        let aligned = kept;
        let mut kept_tail = VecDeque::with_capacity(tail.len());
        for slot in tail {
            if self.lives(slot) {
                moved_to(from, kept);
                kept += 1;
                kept_tail.push_back(slot);
            }
            from += 1;
        }
        self.array_mut(component).replace(aligned, kept_tail);
    }

    /// Removes destroyed entities from a member list; the others keep their order. Calls `removed` with
    /// the position of each destroyed one.
    pub(in crate::ecs) fn compact_list(&mut self, list: u8, mut removed: impl FnMut(usize)) {
        let mut members = std::mem::take(&mut self.lists[list as usize].slots);
        let mut kept = 0;
        for from in 0..members.len() {
            let slot = members[from];
            if !self.lives(slot) {
                removed(from);
                continue;
            }
            if from != kept {
                self.set_position(slot, list, kept);
                members[kept] = slot;
            }
            kept += 1;
        }
        members.truncate(kept);
        self.lists[list as usize].slots = members;
    }
}
