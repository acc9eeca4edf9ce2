//! Which entities match a query, and in which order they are visited.

use std::collections::vec_deque;
use std::ops::Range;
use std::{mem, vec};

use crate::ecs::change_times::Since;
use crate::ecs::column::Column;
use crate::ecs::index::Index;
use crate::ecs::run::{Handles, Slots};
use crate::ecs::{ComponentType, GroupInfo, Signature, Terms};

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

/// Iterator over the slots of the entities that match a query.
#[derive(Clone)]
pub(in crate::ecs) struct Matches<'w> {
    /// The first of them.
    run: Run<'w>,
    rest: Rest<'w>,
    /// Components of which the dense indices ascend.
    pub(super) in_order: Signature,
}

/// Entities of which some components are consecutive elements of their packed arrays.
#[derive(Clone, Default)]
pub(super) struct Run<'w> {
    /// Dense index of the first one.
    first: usize,
    slots: Slots<'w>,
    /// The components that are consecutive elements.
    aligned: Signature,
}

impl<'w> Run<'w> {
    fn len(&self) -> usize {
        self.slots.size_hint().0
    }

    /// Returns the dense index after the last one.
    pub(super) fn end(&self) -> u32 {
        (self.first + self.len()) as u32
    }

    /// Returns the items of the entities, and the elements of the slices after these.
    pub(super) fn split<Q: Terms>(
        self,
        index: &'w Index,
        slices: Q::Slices<'w>,
    ) -> (Q::Runs<'w>, Q::Slices<'w>) {
        let len = self.len();
        let (_, slices) = Q::split_at(slices, self.first);
        let (these, rest) = Q::split_at(slices, len);
        (Q::runs(these, &Handles::new(index, self.slots)), rest)
    }
}

/// The entities after the run.
#[derive(Clone)]
enum Rest<'w> {
    None,
    /// Those of one packed array that match.
    InArray {
        index: &'w Index,
        filter: Filter,
        candidates: Slots<'w>,
    },
    /// Those of the world that match, for a query that requires no component.
    InRows {
        index: &'w Index,
        filter: Filter,
        candidates: Range<u32>,
    },
    /// Entities that were found before.
    Collected(vec::IntoIter<u32>),
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
        let Some((&(first, since), others)) = newer.split_first() else { return matches };
        let is_newer = |&(slot, dense): &(u32, usize)| {
            columns[first.index()].changes().is_newer(dense, since)
                && others.iter().all(|&(component, since)| {
                    let dense = index.located(slot).dense(component) as usize;
                    columns[component.index()].changes().is_newer(dense, since)
                })
        };
        // The dense indices of an aligned component are known without the rows.
        let aligned = matches.run.aligned.contains(first);
        let run = if aligned { mem::take(&mut matches.run) } else { Run::default() };
        let aligned = run.slots.copied().zip(run.first..);
        let rest = matches.by_ref().map(|slot| (slot, index.located(slot).dense(first) as usize));
        let newer = aligned.chain(rest).filter(is_newer).map(|(slot, _)| slot);
        matches.rest = Rest::Collected(newer.collect::<Vec<_>>().into_iter());
        matches
    }

    /// Returns the entities that match.
    pub(in crate::ecs) fn matches_in<'w>(
        self,
        index: &'w Index,
        groups: &[GroupInfo],
    ) -> Matches<'w> {
        let (run, none) = (Run::default(), Signature::EMPTY);
        let Some(required) = self.required else {
            return Matches { run, rest: Rest::None, in_order: none };
        };
        let candidates =
            |component: &ComponentType| index.array(*component).len() - self.skipped(*component);
        let Some(smallest) = required.iter().min_by_key(candidates) else {
            let rest = Rest::InRows { index, filter: self, candidates: index.slots() };
            return Matches { run, rest, in_order: none };
        };
        let (members, tail) = index.parts(smallest);
        let after = |len: usize| members.get(len..).unwrap_or_default().iter().chain(tail);
        let in_order = none.with(smallest);
        let first = self.skipped(smallest);
        // The members of a group that owns the array were skipped.
        let is_outside = self.outside.is_none_or(|group| group.owned.contains(smallest));
        if required == in_order && self.excluded.is_empty() && is_outside {
            let run = Run { first, slots: after(first), aligned: in_order };
            return Matches { run, rest: Rest::None, in_order };
        }
        // The outermost of them: they follow each other, from the outermost in.
        let group = groups.iter().find(|group| {
            group.owned.contains_all(required) && group.excluded.contains_all(self.excluded)
        });
        let group = group.filter(|_| self.outside.is_none());
        let Some(group) = group else {
            let rest = Rest::InArray { index, filter: self, candidates: after(first) };
            return Matches { run, rest, in_order };
        };
        // The members are the first elements of all these arrays.
        let slots = group.members(index).iter().chain(vec_deque::Iter::default());
        let run = Run { first: 0, slots, aligned: group.owned };
        if group.is_of(required, self.excluded) {
            return Matches { run, rest: Rest::None, in_order: group.owned };
        }
        let rest = Rest::InArray { index, filter: self, candidates: after(group.len) };
        Matches { run, rest, in_order }
    }
}

impl<'w> Matches<'w> {
    /// Returns `true` if no entity is left, without checking any.
    pub(super) fn are_over(&self) -> bool {
        self.run.len() == 0 && matches!(self.rest, Rest::None)
    }

    /// Removes the entities of the run if the component is aligned in it, and returns its dense indices; otherwise an empty
    /// range.
    pub(super) fn take_aligned(&mut self, component: ComponentType) -> Range<usize> {
        if !self.run.aligned.contains(component) {
            return 0..0;
        }
        let run = mem::take(&mut self.run);
        run.first..run.first + run.len()
    }

    /// Removes and returns the first entities for which the terms access only handles and aligned components.
    pub(super) fn take_run<Q: Terms>(
        &mut self,
        types: &Q::Types,
        index: &'w Index,
        groups: &[GroupInfo],
    ) -> Run<'w> {
        let run = &mut self.run;
        if Q::are_in_order(types, run.aligned) {
            return mem::take(run);
        }
        // The members of a group that owns more arrays come first.
        let group = groups.iter().find(|group| {
            group.owned.contains_all(run.aligned) && Q::are_in_order(types, group.owned)
        });
        let Some(group) =
            group.filter(|group| run.first == 0 && (1..=run.len()).contains(&group.len))
        else {
            return Run::default();
        };
        run.slots.nth(group.len - 1);
        let slots = group.members(index).iter().chain(vec_deque::Iter::default());
        Run { first: 0, slots, aligned: group.owned }
    }
}

impl Iterator for Matches<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if let Some(&slot) = self.run.slots.next() {
            return Some(slot);
        }
        match &mut self.rest {
            Rest::None => None,
            Rest::InArray { index, filter, candidates } => {
                candidates.find(|&&slot| filter.matches(index.signature(slot))).copied()
            }
            Rest::InRows { index, filter, candidates } => {
                candidates.find(|&slot| index.lives(slot) && filter.matches(index.signature(slot)))
            }
            Rest::Collected(slots) => slots.next(),
        }
    }

    /// Exact for entities that need not be checked, otherwise an upper bound.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let run = self.run.slots.size_hint().0;
        let (least, most) = match &self.rest {
            Rest::None => (0, 0),
            Rest::InArray { candidates, .. } => (0, candidates.size_hint().0),
            Rest::InRows { candidates, .. } => (0, candidates.len()),
            Rest::Collected(slots) => (slots.len(), slots.len()),
        };
        (run + least, Some(run + most))
    }
}
