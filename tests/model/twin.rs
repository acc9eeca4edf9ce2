//! The model of a world, as simple as possible.

use super::op::{Bits, Op, Pick};

/// Last generation of a slot: so small that slots are retired often.
pub(crate) const LAST_GENERATION: u32 = 5;
/// Largest number of living entities: so small that checking everything is cheap.
pub(crate) const MOST: usize = 12;

/// Slot and generation.
pub(crate) type Handle = (u32, u32);
/// The values of A, B, C and D that an entity has.
pub(crate) type Values = [Option<u64>; 4];

/// A slot with the generation of its current or next entity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) generation: u32,
    pub(crate) values: Option<Values>,
}

/// The naive model of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Twin {
    pub(crate) slots: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    /// Slots that commands use first, and single spawns last.
    pub(crate) offered: Vec<u32>,
    /// All handles given out, in order.
    pub(crate) history: Vec<Handle>,
    /// Which groups exist.
    pub(crate) groups: [bool; 3],
    /// Entities whose C was taken with the group, and the values.
    pub(crate) taken_values: Vec<(Handle, u64)>,
    /// Value of the last component; each component has a different one.
    pub(crate) next: u64,
}

/// Result of an operation: handles of new entities, and the number of changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) spawned: Vec<Handle>,
    pub(crate) done: usize,
}

pub(crate) fn has(values: &Values, bits: Bits) -> bool {
    (0..4).all(|i| bits & (1 << i) == 0 || values[i].is_some())
}

/// Returns the components that are present.
pub(crate) fn bits_of(values: &Values) -> Bits {
    (0..4).filter(|&i| values[i].is_some()).map(|i| 1 << i).sum()
}

impl Twin {
    pub(crate) fn alive(&self) -> impl Iterator<Item = (Handle, &Values)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(i, slot)| Some(((i as u32, slot.generation), slot.values.as_ref()?)))
    }

    pub(crate) fn pick(&self, Pick(number): Pick) -> Option<Handle> {
        // The latest handles; about half of these are alive.
        let recent = self.history.len().min(2 * MOST);
        let offset = self.history.len() - recent;
        (recent > 0).then(|| self.history[offset + usize::from(number) % recent])
    }

    pub(crate) fn get(&mut self, (slot, generation): Handle) -> Option<&mut Values> {
        let slot = self.slots.get_mut(slot as usize)?;
        slot.values.as_mut().filter(|_| slot.generation == generation)
    }

    /// Returns `true` if the third group is created with the two others, in every other case. It depends
    /// on C and so disables the fast path of `take_group`.
    pub(crate) fn wants_third_group(&self) -> bool {
        self.history.len() % 2 == 1
    }

    /// Returns values for the components in `bits`, all different.
    pub(crate) fn values(&mut self, bits: Bits) -> Values {
        std::array::from_fn(|i| {
            (bits & (1 << i) != 0).then(|| {
                self.next += 1;
                self.next
            })
        })
    }

    fn spawn(&mut self, bits: Bits, by_commands: bool) -> Handle {
        let values = Some(self.values(bits));
        if !by_commands && self.free.is_empty() {
            self.free.append(&mut self.offered);
        }
        let reused = if by_commands { self.offered.pop() } else { self.free.pop() };
        let slot = reused.unwrap_or(self.slots.len() as u32);
        if reused.is_none() {
            self.slots.push(Slot { generation: 1, values: None });
        }
        self.slots[slot as usize].values = values;
        let handle = (slot, self.slots[slot as usize].generation);
        self.history.push(handle);
        handle
    }

    fn despawn(&mut self, handle: Handle) -> usize {
        if self.get(handle).is_none() {
            return 0;
        }
        let slot = &mut self.slots[handle.0 as usize];
        slot.values = None;
        if slot.generation < LAST_GENERATION {
            slot.generation += 1;
            self.free.push(handle.0);
        }
        1
    }

    /// Inserts a component if the entity lives and has none; returns the number of inserted ones.
    fn insert(&mut self, handle: Handle, component: u8) -> usize {
        self.next += 1;
        let next = self.next;
        match self.get(handle).map(|values| &mut values[usize::from(component)]) {
            Some(place @ None) => {
                *place = Some(next);
                1
            }
            _ => 0,
        }
    }

    /// Applies the operation as a world must.
    pub(crate) fn apply(&mut self, op: Op) -> Outcome {
        let mut outcome = Outcome::default();
        let room = MOST - self.alive().count();
        let picked = |twin: &Self, pick| twin.pick(pick);
        match op {
            Op::Spawn(bits) if room >= 1 => outcome.spawned.push(self.spawn(bits, false)),
            Op::SpawnBatch(bits, count) if room >= usize::from(count) => {
                outcome.spawned = (0..count).map(|_| self.spawn(bits, false)).collect();
            }
            Op::Commands { spawned, insert: (pick, component), despawn } if room >= 1 => {
                let (insert, despawn) = (picked(self, pick), picked(self, despawn));
                outcome.spawned.push(self.spawn(spawned, true));
                outcome.done += insert.map_or(0, |handle| self.insert(handle, component));
                outcome.done += despawn.map_or(0, |handle| self.despawn(handle));
                // As many slots as were used are offered to the next commands.
                self.offered.extend(self.free.pop());
            }
            Op::Despawn(pick) => {
                outcome.done = picked(self, pick).map_or(0, |handle| self.despawn(handle));
            }
            Op::Respawn(pick, bits) => {
                if let Some(handle) = picked(self, pick)
                    && let Some(values) = self.get(handle).copied()
                {
                    outcome.done = self.despawn(handle);
                    outcome.spawned.push(self.spawn(bits.unwrap_or(bits_of(&values)), false));
                }
            }
            Op::DespawnBatch(step) => {
                let batch: Vec<_> = self.history.iter().copied().step_by(step.into()).collect();
                outcome.done = batch.into_iter().map(|handle| self.despawn(handle)).sum();
            }
            Op::Insert(pick, component) => {
                let handle = picked(self, pick);
                outcome.done = handle.map_or(0, |handle| self.insert(handle, component));
            }
            Op::Remove(pick, component) => {
                let values = picked(self, pick).and_then(|handle| self.get(handle));
                let taken = values.and_then(|values| values[usize::from(component)].take());
                outcome.done = usize::from(taken.is_some());
            }
            Op::Replace(pick, component) => {
                self.next += 1;
                let next = self.next;
                let values = picked(self, pick).and_then(|handle| self.get(handle));
                let place = values.and_then(|values| values[usize::from(component)].as_mut());
                outcome.done = usize::from(place.map(|place| *place = next).is_some());
            }
            Op::Exchange(pick, c_for_d) => {
                self.next += 1;
                let next = self.next;
                let (old, new) = if c_for_d { (2, 3) } else { (3, 2) };
                let values = picked(self, pick).and_then(|handle| self.get(handle));
                if let Some(values) = values.filter(|v| v[old].is_some() && v[new].is_none()) {
                    (values[old], values[new]) = (None, Some(next));
                    outcome.done = 1;
                }
            }
            Op::Clear => {
                let everyone: Vec<_> = self.alive().map(|(handle, _)| handle).collect();
                outcome.done = everyone.into_iter().map(|handle| self.despawn(handle)).sum();
            }
            Op::Group => {
                self.groups = [true, true, self.groups[2] || self.wants_third_group()];
            }
            Op::RemoveGroup(number) => {
                let group = &mut self.groups[usize::from(number)];
                outcome.done = usize::from(std::mem::take(group));
            }
            Op::TakeGroup if self.groups[0] && self.taken_values.is_empty() => {
                for slot in 0..self.slots.len() as u32 {
                    let handle = (slot, self.slots[slot as usize].generation);
                    let whole = self.get(handle).filter(|values| has(values, 0b0111));
                    if let Some(value) = whole.and_then(|values| values[2].take()) {
                        self.taken_values.push((handle, value));
                    }
                }
                outcome.done = self.taken_values.len();
            }
            Op::RestoreGroup => {
                for (handle, value) in std::mem::take(&mut self.taken_values) {
                    if let Some(place @ None) = self.get(handle).map(|values| &mut values[2]) {
                        *place = Some(value);
                        outcome.done += 1;
                    }
                }
            }
            // Refused at the entity limit, nothing to take, or no change of the content.
            Op::Spawn(_)
            | Op::SpawnBatch(..)
            | Op::Commands { .. }
            | Op::TakeGroup
            | Op::Sort
            | Op::Foreign(_) => {}
        }
        outcome
    }
}
