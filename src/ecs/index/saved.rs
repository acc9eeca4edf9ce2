//! The part of the index that a snapshot holds.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Index;
use super::array::ArrayIndex;
use super::cells::{ABSENT, POSITION, SIGNATURE, set_signature, signature};
use super::state::{IndexState, aligned, lives};
use crate::ecs::{ComponentType, GroupInfo, MAX_COMPONENT_TYPES, Signature};

/// The state of an index, in the component types of its world. Positions in the member lists follow from
/// these, and are left out.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct SavedIndex {
    rows: Vec<u32>,
    first_free: u32,
    next_fresh: u32,
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
        if !self.rows.len().is_multiple_of(POSITION) {
            return None;
        }
        let stride = index.stride;
        let mut rows = Vec::with_capacity(self.rows.len() / POSITION * stride);
        for row in self.rows.chunks_exact(POSITION) {
            let start = rows.len();
            rows.extend_from_slice(row);
            if lives(row) {
                set_signature(&mut rows[start..], types(signature(row))?);
            } else {
                rows[start + SIGNATURE + 1..].fill(0);
            }
            rows.resize(start + stride, ABSENT);
        }
        let saved = self.lists.into_iter().map(|(arrays, slots)| Some((types(arrays)?, slots)));
        let saved: Vec<_> = saved.collect::<Option<_>>()?;
        let mut lists = vec![Vec::new(); index.lists.len()];
        for (number, (list, slots)) in index.lists.iter().zip(&mut lists).enumerate() {
            let longest = list.arrays.iter().max_by_key(|&array| aligned(array, groups));
            let Some(longest) = longest else { continue };
            // Which arrays share a list depends on the order in which the groups were created. The
            // members of a group are the first of each of its lists, in the same order.
            let (_, members) = saved.iter().find(|(arrays, _)| arrays.contains(longest))?;
            slots.extend_from_slice(members.get(..aligned(longest, groups))?);
            for (&slot, position) in slots.iter().zip(0..) {
                *rows.get_mut(slot as usize * stride + POSITION + number)? = position;
            }
        }
        let mut tails = vec![VecDeque::new(); index.arrays.len()];
        for (number, tail) in self.tails.into_iter().enumerate().filter(|(_, it)| !it.is_empty()) {
            let array = (number < MAX_COMPONENT_TYPES).then(|| ComponentType::new(number as u8))?;
            let array = types(Signature::EMPTY.with(array))?.iter().next()?;
            tails[array.index()] = tail;
        }
        let Self { first_free, next_fresh, .. } = self;
        Some(IndexState { rows, stride, first_free, next_fresh, lists, tails })
    }
}

impl Index {
    /// Copies the state, without the components in `left_out`, on which no group depends.
    pub(in crate::ecs) fn save(&self, left_out: Signature) -> SavedIndex {
        let next_fresh = self.fresh.next();
        // Reserved slots have rows in a snapshot.
        let reserved =
            std::iter::repeat_n(&self.new_row[..], (next_fresh - self.slot_count()) as usize);
        let mut rows = Vec::with_capacity(next_fresh as usize * POSITION);
        for row in self.rows.chunks_exact(self.stride).chain(reserved) {
            let start = rows.len();
            rows.extend_from_slice(&row[..POSITION]);
            if lives(row) {
                set_signature(&mut rows[start..], signature(row).difference(left_out));
            }
        }
        let tail = |(array, component): (&ArrayIndex, u8)| {
            let left_out = left_out.contains(ComponentType::new(component));
            if left_out { VecDeque::new() } else { array.tail().clone() }
        };
        SavedIndex {
            rows,
            first_free: self.first_free,
            next_fresh,
            lists: self.lists.iter().map(|list| (list.arrays, list.slots.clone())).collect(),
            tails: self.arrays.iter().zip(0..).map(tail).collect(),
        }
    }
}
