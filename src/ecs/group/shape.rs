//! Shape: what a snapshot keeps of a group, and whether that could be true.

use serde::{Deserialize, Serialize};

use super::Group;
use crate::ecs::Signature;
use crate::ecs::index::IndexState;

/// What decides who is a member, and how many there are.
#[derive(Serialize, Deserialize)]
pub(in crate::ecs) struct GroupShape {
    owned: u32,
    excluded: u32,
    len: usize,
}

impl GroupShape {
    /// Whether the first `len` elements of the owned arrays, and no others, are the members.
    pub(in crate::ecs) fn is_sound(&self, index: &IndexState) -> bool {
        let [owned, excluded] = [self.owned, self.excluded].map(Signature::from_bits);
        let mut arrays = owned.iter().map(|component| index.members(component));
        let Some(first) = arrays.next().and_then(|members| members.get(..self.len)) else {
            return false;
        };
        let fits =
            |signature: Signature| signature.contains_all(owned) && signature.is_disjoint(excluded);
        first.iter().all(|&slot| fits(index.signature(slot)))
            && arrays.all(|members| members.starts_with(first))
            && index.signatures().filter(|&signature| fits(signature)).count() == self.len
    }
}

impl Group {
    pub(in crate::ecs) fn shape(&self) -> GroupShape {
        GroupShape { owned: self.owned.bits(), excluded: self.excluded.bits(), len: self.len }
    }

    pub(in crate::ecs) fn has_shape(&self, shape: &GroupShape) -> bool {
        self.owned.bits() == shape.owned && self.excluded.bits() == shape.excluded
    }

    pub(in crate::ecs) fn restore(&mut self, shape: &GroupShape) {
        self.len = shape.len;
    }
}
