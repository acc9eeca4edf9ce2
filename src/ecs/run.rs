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

/// Nests patterns in pairs.
macro_rules! pairs {
    ($all:tt) => { $all };
    ($all:tt $next:tt $($rest:tt)*) => { pairs!(($all, $next) $($rest)*) };
}

macro_rules! together {
    (($first:ident $a:ident 0) $(($run:ident $b:ident $position:tt))*) => {
        impl<$first: Iterator $(, $run: Iterator)*> Iterator for Together<($first, $($run,)*)> {
            type Item = ($first::Item, $($run::Item,)*);

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                Some((self.0.0.next()?, $(self.0.$position.next()?,)*))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.0.size_hint()
            }

            /// Checks once for all slices whether they end, which lets the compiler vectorize what is done with their elements.
            #[inline]
            fn fold<All, Add: FnMut(All, Self::Item) -> All>(self, start: All, mut add: Add) -> All {
                let ($a, $($b,)*) = self.0;
                $a$(.zip($b))*.fold(start, |all, pairs!($a $($b)*)| add(all, ($a, $($b,)*)))
            }
        }
    };
}

for_each_tuple!(
    together! [(A a 0)] (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7)
);
