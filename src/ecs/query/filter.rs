//! Which entities match a query, and in which order they are visited.

use std::collections::vec_deque;
use std::iter::Chain;
use std::ops::Range;
use std::{slice, vec};

use crate::ecs::change_times::Since;
use crate::ecs::column::Column;
use crate::ecs::index::Index;
use crate::ecs::{ComponentType, GroupInfo, Signature};

/// Condition that an entity must meet to match a query.
#[derive(Clone, Copy, Debug)]
pub(in crate::ecs) struct Filter {
    /// `None`: no entity matches, because a required component is not registered.
    pub(super) required: Option<Signature>,
    pub(super) excluded: Signature,
    /// Members of this group do not match.
    pub(super) outside: Option<GroupInfo>,
}

/// A component that must have been added or changed since a checkpoint.
pub(in crate::ecs) type Newer = (ComponentType, Since);

/// The entities that match a query.
pub(in crate::ecs) struct Matches<'w> {
    pub(in crate::ecs) slots: SlotIter<'w>,
    /// Components of which the dense indices ascend.
    pub(super) in_order: Signature,
}

impl Filter {
    pub(in crate::ecs) fn new(required: Option<Signature>) -> Self {
        Self { required, excluded: Signature::EMPTY, outside: None }
    }

    fn matches(&self, signature: Signature) -> bool {
        self.required.is_some_and(|required| signature.contains_all(required))
            && signature.is_disjoint(self.excluded)
            && !self.outside.is_some_and(|group| group.matches(signature))
    }

    /// Returns the number of entities at the front of a packed array that cannot match.
    fn skipped(&self, component: ComponentType) -> usize {
        self.outside.filter(|group| group.owned.contains(component)).map_or(0, |group| group.len)
    }

    /// Returns the entities that match, and of which all components in `newer` are.
    pub(super) fn newer_matches<'w>(
        self,
        newer: &[Newer],
        index: &'w Index,
        groups: &[GroupInfo],
        columns: &[Column],
    ) -> Matches<'w> {
        let mut matches = self.matches_in(index, groups);
        if !newer.is_empty() {
            let is_newer = |slot: &u32| {
                let located = index.located(*slot);
                newer.iter().all(|&(component, since)| {
                    let dense = located.dense(component) as usize;
                    columns[component.index()].changes().is_newer(dense, since)
                })
            };
            let slots: Vec<_> = matches.slots.filter(is_newer).collect();
            matches.slots = SlotIter::Collected(slots.into_iter());
        }
        matches
    }

    /// Returns the entities that match.
    pub(in crate::ecs) fn matches_in<'w>(
        self,
        index: &'w Index,
        groups: &[GroupInfo],
    ) -> Matches<'w> {
        let Some(required) = self.required else {
            return Matches { slots: SlotIter::Members([].iter()), in_order: Signature::EMPTY };
        };
        let mut groups = groups.iter();
        let group = groups.find(|group| group.is_of(required, self.excluded));
        if let Some(group) = group.filter(|_| self.outside.is_none()) {
            let slots = SlotIter::Members(group.members(index).iter());
            return Matches { slots, in_order: group.owned };
        }
        let candidates =
            |component: &ComponentType| index.array(*component).len() - self.skipped(*component);
        match required.iter().min_by_key(candidates) {
            Some(smallest) => {
                let (members, tail) = index.parts(smallest);
                let members = members.get(self.skipped(smallest)..).unwrap_or_default();
                let candidates = members.iter().chain(tail);
                Matches {
                    slots: SlotIter::InArray { index, filter: self, candidates },
                    in_order: Signature::EMPTY.with(smallest),
                }
            }
            None => Matches {
                slots: SlotIter::InRows { index, filter: self, candidates: index.slots() },
                in_order: Signature::EMPTY,
            },
        }
    }
}

/// Iterator over the slots of the entities that match a query.
#[derive(Clone)]
pub(in crate::ecs) enum SlotIter<'w> {
    /// All members of a group.
    Members(slice::Iter<'w, u32>),
    /// The matching entities of one packed array: of its members, then of its tail.
    InArray {
        index: &'w Index,
        filter: Filter,
        candidates: Chain<slice::Iter<'w, u32>, vec_deque::Iter<'w, u32>>,
    },
    /// The matching entities of the world, for a query that requires no component.
    InRows { index: &'w Index, filter: Filter, candidates: Range<u32> },
    /// Entities that were found before.
    Collected(vec::IntoIter<u32>),
}

impl Iterator for SlotIter<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Members(members) => members.next().copied(),
            Self::InArray { index, filter, candidates } => {
                candidates.find(|&&slot| filter.matches(index.signature(slot))).copied()
            }
            Self::InRows { index, filter, candidates } => {
                candidates.find(|&slot| index.lives(slot) && filter.matches(index.signature(slot)))
            }
            Self::Collected(slots) => slots.next(),
        }
    }

    /// Exact for the members of a group, otherwise an upper bound.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::InArray { candidates, .. } => (0, candidates.size_hint().1),
            Self::InRows { candidates, .. } => (0, Some(candidates.len())),
            Self::Collected(slots) => slots.size_hint(),
        }
    }
}
