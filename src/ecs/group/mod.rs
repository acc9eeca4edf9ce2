//! Owning groups: the entities that have a set of components, kept as a common prefix of the arrays.
//!
//! ```text
//! group A owns {T, C}; group B, nested in A, owns {T, C, R}
//!
//! T:  b1 b2 b3 | a1 a2 | t1 t2        b: has T, C and R
//! C:  b1 b2 b3 | a1 a2 | c1           a: has T and C, no R
//! R:  b1 b2 b3 | r1                   t, c, r: has one of them only
//!     --- B --
//!     ------ A -------
//! ```
//!
//! A member has the same dense index in every owned array, so a system iterates over parallel slices
//! without any lookup. Groups that are nested one in the other share a list of members, with the members of the innermost
//! first. An entity enters by a swap to the boundary, `O(owned arrays)`, and leaves the same way.

mod creation;
mod membership;
mod removal;
mod view;

pub(super) use self::membership::swap_members;
pub use self::view::{Group, GroupMut};
use super::index::Index;
use super::signature::{Bits, ones};
use super::{Signature, WorldId};

/// Identifies an owning group of one world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GroupId {
    pub(super) world: WorldId,
    pub(super) number: u32,
}

/// Definition and length of an owning group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupInfo {
    /// Identifies the group in calls on its world.
    pub id: GroupId,
    /// Components whose arrays the group keeps in order.
    pub owned: Signature,
    /// Components that exclude an entity from the group.
    pub excluded: Signature,
    /// Number of members, which is the length of the common prefix of the owned arrays.
    pub len: usize,
    /// Owned arrays that no group around this one owns.
    pub(super) outermost: Signature,
    /// Bit `i`: the members are at the front of member list `i`.
    pub(super) lists: Bits,
}

impl GroupInfo {
    /// Iterates over the numbers of the member lists that the members are at the front of.
    pub(super) fn lists(&self) -> impl Iterator<Item = u8> {
        ones(self.lists)
    }

    /// Returns the slots of the members, in array order.
    pub(super) fn members<'i>(&self, index: &'i Index) -> &'i [u32] {
        &index.list(self.lists.trailing_zeros() as u8)[..self.len]
    }

    /// Returns `true` if the members are exactly the entities with `required` and without
    /// `excluded`.
    pub(super) fn is_of(&self, required: Signature, excluded: Signature) -> bool {
        self.owned == required && self.excluded == excluded
    }

    /// Returns `true` if membership depends on one of `components`.
    pub(super) fn concerns(&self, components: Signature) -> bool {
        !self.owned.union(self.excluded).is_disjoint(components)
    }

    /// Returns `true` if entities with `signature` are members.
    pub(super) fn matches(&self, signature: Signature) -> bool {
        signature.contains_all(self.owned) && signature.is_disjoint(self.excluded)
    }

    /// Returns `true` if `inner` is nested in this group, or equal to it.
    pub(super) fn is_around(&self, inner: &Self) -> bool {
        inner.owned.contains_all(self.owned) && inner.excluded.contains_all(self.excluded)
    }
}
