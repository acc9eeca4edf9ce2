//! Runs: consecutive elements of packed arrays, over which a query iterates without the rows of their entities.

use std::collections::vec_deque;
use std::iter::Chain;
use std::slice;

use super::Entity;
use super::index::Index;
use super::tuples::for_each_tuple;

/// The slots of the entities of a run: of members, then of a tail.
pub(super) type Slots<'w> = Chain<slice::Iter<'w, u32>, vec_deque::Iter<'w, u32>>;

/// Iterator over the handles of a run.
#[derive(Clone, Debug)]
pub struct Handles<'w> {
    index: &'w Index,
    slots: Slots<'w>,
}

impl<'w> Handles<'w> {
    pub(super) fn new(index: &'w Index, slots: Slots<'w>) -> Self {
        Self { index, slots }
    }
}

impl Iterator for Handles<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        self.slots.next().map(|&slot| self.index.entity(slot))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

/// Iterator over the elements of a run for a term that entities may lack: these have it.
#[derive(Clone, Debug)]
pub struct Present<I>(pub(super) I);

impl<I: Iterator> Iterator for Present<I> {
    type Item = Option<I::Item>;

    #[inline]
    fn next(&mut self) -> Option<Option<I::Item>> {
        self.0.next().map(Some)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// Iterators over the same run of several arrays, which advance together.
#[derive(Clone, Debug)]
pub struct Together<T>(pub(super) T);

macro_rules! together {
    ($(($run:ident $position:tt))+) => {
        impl<$($run: Iterator),+> Iterator for Together<($($run,)+)> {
            type Item = ($($run::Item,)+);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                Some(($(self.0.$position.next()?,)+))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.0.size_hint()
            }
        }
    };
}

for_each_tuple!(
    together! [(A 0)] (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7)
);
