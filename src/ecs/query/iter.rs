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
    run: Q::Runs<'w>,
    /// The entities after these, if there are any. In a box: a compiler keeps an iterator in registers if no call gets a
    /// reference to a part of it.
    rest: Option<Box<InRows<'w, Q, A>>>,
}

/// Entities whose components are found through their rows.
pub(super) struct InRows<'w, Q: Terms, A> {
    pub(super) matches: Matches<'w>,
    pub(super) index: &'w Index,
    pub(super) arrays: A,
    /// How many elements are before those of `arrays`.
    pub(super) before: u32,
    pub(super) types: Q::Types,
}

impl<'w, Q: Terms, A> Left<'w, Q, A> {
    pub(super) fn new(run: Q::Runs<'w>, rest: InRows<'w, Q, A>) -> Self {
        Self { run, rest: (!rest.matches.are_over()).then(|| Box::new(rest)) }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let run = self.run.size_hint().0;
        let rest = self.rest.as_ref().map(|rest| rest.matches.size_hint());
        let (least, most) = rest.unwrap_or((0, Some(0)));
        (run + least, most.map(|most| run + most))
    }
}

impl<'w, Q: Terms, A> InRows<'w, Q, A> {
    #[inline]
    fn next_located(&mut self) -> Option<Located<'w>> {
        Some(self.index.located(self.matches.next()?).after(self.before))
    }
}

impl<'w, Q: Terms> InRows<'w, Q, Q::Slices<'w>> {
    /// Returns the next items, which borrow the arrays.
    #[inline]
    pub(super) fn next_in_place(&mut self) -> Option<Q::Items<'_>> {
        let located = self.next_located()?;
        Some(Q::items(&mut self.arrays, located, &self.types))
    }
}

impl<'w, Q: ReadTerms> InRows<'w, Q, Q::Slices<'w>> {
    #[inline]
    fn next(&mut self) -> Option<Q::Items<'w>> {
        let located = self.next_located()?;
        Q::read(&self.arrays, located, &self.types)
    }
}

impl<'w, Q: Terms> InRows<'w, Q, Q::Rests<'w>> {
    #[inline]
    fn next_mut(&mut self) -> Option<Q::Items<'w>> {
        let located = self.next_located()?;
        Some(Q::next(&mut self.arrays, located, &self.types))
    }
}

impl<'w, Q: ReadTerms> Clone for Iter<'w, Q>
where
    Q::Slices<'w>: Clone,
    Q::Runs<'w>: Clone,
{
    fn clone(&self) -> Self {
        let rest = self.0.rest.as_ref().map(|rest| {
            let InRows { matches, index, arrays, before, types } = &**rest;
            let (matches, arrays) = (matches.clone(), arrays.clone());
            Box::new(InRows { matches, index, arrays, before: *before, types: *types })
        });
        Self(Left { run: self.0.run.clone(), rest })
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
        self.0.run.next().or_else(|| self.0.rest.as_mut()?.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    /// At least as fast as a loop, and faster over several arrays.
    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, start: A, mut add: F) -> A {
        let mut sum = self.0.run.fold(start, &mut add);
        let Some(mut rest) = self.0.rest else { return sum };
        while let Some(items) = rest.next() {
            sum = add(sum, items);
        }
        sum
    }
}

impl<'w, Q: Terms> Iterator for IterMut<'w, Q> {
    type Item = Q::Items<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.run.next().or_else(|| self.0.rest.as_mut()?.next_mut())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    /// At least as fast as a loop, and faster over several arrays.
    #[inline]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, start: A, mut add: F) -> A {
        let mut sum = self.0.run.fold(start, &mut add);
        let Some(mut rest) = self.0.rest else { return sum };
        while let Some(items) = rest.next_mut() {
            sum = add(sum, items);
        }
        sum
    }
}
