//! A member list.

use crate::ecs::Signature;

/// The members of the outermost of several nested groups.
pub(super) struct MemberList {
    /// The slots; those of an inner group first.
    pub(super) slots: Vec<u32>,
    /// The packed arrays that have their elements in this order.
    pub(super) arrays: Signature,
}
