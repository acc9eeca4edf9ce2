//! The part of a group that a snapshot holds, and its validation.

use serde::{Deserialize, Serialize};

use super::OwningGroup;
use crate::ecs::Signature;
use crate::ecs::index::IndexState;

/// Definition and length of a group.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct GroupState {
    owned: u32,
    excluded: u32,
    len: usize,
}

impl GroupState {
    /// Returns `true` if exactly the first `len` elements of the owned arrays are the members.
    pub(in crate::ecs) fn is_valid(&self, index: &IndexState) -> bool {
        let [owned, excluded] = [self.owned, self.excluded].map(Signature::from_bits);
        let mut arrays = owned.iter().map(|component| index.members(component));
        let Some(first) = arrays.next().and_then(|members| members.get(..self.len)) else {
            return false;
        };
        let matches =
            |signature: Signature| signature.contains_all(owned) && signature.is_disjoint(excluded);
        first.iter().all(|&slot| matches(index.signature(slot)))
            && arrays.all(|members| members.starts_with(first))
            && index.signatures().filter(|&signature| matches(signature)).count() == self.len
    }
}

impl OwningGroup {
    pub(in crate::ecs) fn state(&self) -> GroupState {
        GroupState { owned: self.owned.bits(), excluded: self.excluded.bits(), len: self.len }
    }

    /// Returns `true` if the state is of a group with the same definition.
    pub(in crate::ecs) fn is_defined_by(&self, state: &GroupState) -> bool {
        self.owned.bits() == state.owned && self.excluded.bits() == state.excluded
    }

    pub(in crate::ecs) fn restore(&mut self, state: &GroupState) {
        self.len = state.len;
    }
}
