//! The part of the index that a snapshot holds.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Index;
use super::array::ArrayIndex;
use super::row::Row;
use super::state::{IndexState, aligned};
use crate::ecs::signature::Bits;
use crate::ecs::{ComponentType, Entity, GroupInfo, MAX_COMPONENT_TYPES, Signature};

/// The state of an index, in the component types of its world. Positions in the member lists follow from
/// these, and are left out.
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::ecs) struct SavedIndex {
    /// Generation and signature of each slot; of a dead one, the next slot of the free list.
    rows: Vec<(u32, Bits)>,
    first_free: u32,
    next_fresh: u32,
    /// Slots of the pool of `Commands`, which are dead and not in the free list.
    offered: Vec<u32>,
    returned: Vec<u32>,
    /// The packed arrays of each member list, and its members.
    lists: Vec<(Signature, Vec<u32>)>,
    tails: Vec<VecDeque<u32>>,
}

impl SavedIndex {
    /// Returns the state for the component types, groups and member lists of `index`, which may have been
    /// created in another order. `types` returns a set of types in the numbers of `index`; `None` if it
    /// contains one that has none. Returns `None` if the state cannot be of such an index.
    pub(in crate::ecs) fn translate(
        self,
        types: impl Fn(Signature) -> Option<Signature>,
        index: &Index,
        groups: &[GroupInfo],
    ) -> Option<IndexState> {
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut signatures = Vec::with_capacity(self.rows.len());
        for (generation, bits) in self.rows {
            let mut row = Row { generation, ..Row::NEW };
            let mut signature = Signature::EMPTY;
            if row.lives() {
                signature = types(Signature::from_bits(bits))?;
            } else {
                row.position = u32::try_from(bits).ok()?;
            }
            rows.push(row);
            signatures.push(signature);
        }
        let saved = self.lists.into_iter().map(|(arrays, slots)| Some((types(arrays)?, slots)));
        let saved: Vec<_> = saved.collect::<Option<_>>()?;
        let mut lists = vec![Vec::new(); index.lists.len()];
        for (list, slots) in index.lists.iter().zip(&mut lists) {
            let longest = list.arrays.iter().max_by_key(|&array| aligned(array, groups));
            let Some(longest) = longest else { continue };
            // Which arrays share a list depends on the order in which the groups were created. The
            // members of a group are the first of each of its lists, in the same order.
            let (_, members) = saved.iter().find(|(arrays, _)| arrays.contains(longest))?;
            slots.extend_from_slice(members.get(..aligned(longest, groups))?);
        }
        let mut tails = vec![VecDeque::new(); index.arrays.len()];
        for (number, tail) in self.tails.into_iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let array = (number < MAX_COMPONENT_TYPES).then(|| ComponentType::new(number as u8))?;
            let array = types(Signature::EMPTY.with(array))?.iter().next()?;
            tails[array.index()] = tail;
        }
        let Self { first_free, next_fresh, offered, returned, .. } = self;
        Some(IndexState {
            rows,
            signatures,
            first_free,
            next_fresh,
            offered,
            returned,
            lists,
            tails,
        })
    }
}

impl Index {
    /// Copies the state, without the components in `left_out`, on which no group depends.
    pub(in crate::ecs) fn save(&self, left_out: Signature) -> SavedIndex {
        // Before the counter: another thread may reserve a slot and return it to the pool meanwhile.
        let pool = self.fresh.copy_pool();
        let next_fresh = self.fresh.next();
        // Reserved slots have rows in a snapshot.
        let reserved = (next_fresh - self.slot_count()) as usize;
        let used = self.rows.iter().zip(&self.signatures).map(|(row, signature)| {
            let signature = signature.difference(left_out);
            (row.generation, if row.lives() { signature.bits() } else { row.position.into() })
        });
        let Row { generation, position } = Row::NEW;
        let rows =
            used.chain(std::iter::repeat_n((generation, position.into()), reserved)).collect();
        let slots = |entities: Vec<Entity>| entities.into_iter().map(Entity::index).collect();
        let tail = |(array, component): (&ArrayIndex, u8)| {
            let left_out = left_out.contains(ComponentType::new(component));
            if left_out { VecDeque::new() } else { array.tail().clone() }
        };
        SavedIndex {
            rows,
            first_free: self.first_free,
            next_fresh,
            offered: slots(pool.offered),
            returned: slots(pool.returned),
            lists: self.lists.iter().map(|list| (list.arrays, list.slots.clone())).collect(),
            tails: self.arrays.iter().zip(0..).map(tail).collect(),
        }
    }
}
