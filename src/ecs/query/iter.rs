//! Iterators over the entities that match a query.

use std::fmt;

use super::filter::SlotIter;
use crate::ecs::index::Index;
use crate::ecs::{ReadTerms, Terms};

/// Iterator of a query that reads; returned by [`Query::iter`](super::Query::iter).
pub struct Iter<'w, Q: ReadTerms> {
    pub(super) index: &'w Index,
    pub(super) slots: SlotIter<'w>,
    pub(super) slices: Q::Slices<'w>,
    pub(super) types: Q::Types,
}

impl<'w, Q: ReadTerms> Clone for Iter<'w, Q>
where
    Q::Slices<'w>: Clone,
{
    fn clone(&self) -> Self {
        let Self { index, slots, slices, types } = self;
        Self { index, slots: slots.clone(), slices: slices.clone(), types: *types }
    }
}

/// Prints how many entities are left at most.
impl<Q: ReadTerms> fmt::Debug for Iter<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("left", &self.slots.size_hint().1).finish_non_exhaustive()
    }
}

impl<'w, Q: ReadTerms> Iterator for Iter<'w, Q> {
    type Item = Q::Items<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let located = self.index.located(self.slots.next()?);
        Q::read(&self.slices, located, &self.types)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

/// Iterator of a query that may change components.
pub struct IterMut<'w, Q: Terms> {
    pub(super) index: &'w Index,
    pub(super) slots: SlotIter<'w>,
    pub(super) rests: Q::Rests<'w>,
    pub(super) types: Q::Types,
}

/// Prints how many entities are left at most.
impl<Q: Terms> fmt::Debug for IterMut<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("left", &self.slots.size_hint().1).finish_non_exhaustive()
    }
}

impl<'w, Q: Terms> Iterator for IterMut<'w, Q> {
    type Item = Q::Items<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let located = self.index.located(self.slots.next()?);
        Some(Q::next(&mut self.rests, located, &self.types))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}
