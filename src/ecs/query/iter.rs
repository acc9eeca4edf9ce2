//! Iterators over the entities that match a query.

use std::fmt;

use super::filter::Matches;
use crate::ecs::index::{Index, Located};
use crate::ecs::{ReadTerms, Terms};

/// Iterator of a query that reads; returned by [`Query::iter`](super::Query::iter).
pub struct Iter<'w, Q: ReadTerms>(pub(super) Left<'w, Q, Q::Slices<'w>>);

/// Iterator of a query that may change components.
pub struct IterMut<'w, Q: Terms>(pub(super) Left<'w, Q, Q::Rests<'w>>);

/// The entities that are left.
pub(super) struct Left<'w, Q: Terms, A> {
    /// The items of the next entities, which are consecutive elements of the arrays.
    pub(super) run: Q::Runs<'w>,
    /// The entities after these, whose components are found through their rows.
    pub(super) matches: Matches<'w>,
    pub(super) index: &'w Index,
    pub(super) arrays: A,
    /// How many elements are before those of `arrays`.
    pub(super) before: u32,
    pub(super) types: Q::Types,
}

impl<'w, Q: Terms, A> Left<'w, Q, A> {
    #[inline]
    fn next_located(&mut self) -> Option<Located<'w>> {
        Some(self.index.located(self.matches.next()?).after(self.before))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let run = self.run.size_hint().0;
        let (least, most) = self.matches.size_hint();
        (run + least, most.map(|most| run + most))
    }
}

impl<'w, Q: ReadTerms> Clone for Iter<'w, Q>
where
    Q::Slices<'w>: Clone,
    Q::Runs<'w>: Clone,
{
    fn clone(&self) -> Self {
        let Left { run, matches, index, arrays, before, types } = &self.0;
        let (run, matches, arrays) = (run.clone(), matches.clone(), arrays.clone());
        Self(Left { run, matches, index, arrays, before: *before, types: *types })
    }
}

/// Prints how many entities are left at most.
impl<Q: ReadTerms> fmt::Debug for Iter<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("left", &self.0.size_hint().1).finish_non_exhaustive()
    }
}

/// Prints how many entities are left at most.
impl<Q: Terms> fmt::Debug for IterMut<'_, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IterMut").field("left", &self.0.size_hint().1).finish_non_exhaustive()
    }
}

impl<'w, Q: ReadTerms> Iterator for Iter<'w, Q> {
    type Item = Q::Items<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.run.next().or_else(|| {
            let located = self.0.next_located()?;
            Q::read(&self.0.arrays, located, &self.0.types)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'w, Q: Terms> Iterator for IterMut<'w, Q> {
    type Item = Q::Items<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.run.next().or_else(|| {
            let located = self.0.next_located()?;
            Some(Q::next(&mut self.0.arrays, located, &self.0.types))
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
