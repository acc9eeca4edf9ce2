//! Term: what a query or a call for slices asks of one component; and tuples of terms.

use super::column::{self, Column};
use super::index::ABSENT;
use super::loan::{Loan, Loans};
use super::{Component, ComponentType, Error, Signature};

/// One component of a query: `&T` to read it, `&mut T` to change it, `Option` of either where an
/// entity may lack it.
pub trait Term {
    /// The component asked for.
    type Component: Component;
    /// The whole packed array, as this term may use it.
    type View<'w>: Send;
    /// What a query hands out for one entity.
    type Item<'a>;

    /// Whether only entities that have the component match.
    #[doc(hidden)]
    const REQUIRED: bool;
    /// Whether it may change the component.
    #[doc(hidden)]
    const WRITES: bool;

    #[doc(hidden)]
    fn view(column: Loan<'_>) -> Self::View<'_>;

    /// The elements before a position, and those from there on.
    #[doc(hidden)]
    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>);

    /// The component at a dense index, which is `ABSENT` only where the term is optional.
    #[doc(hidden)]
    fn item<'a>(view: &'a mut Self::View<'_>, dense: u32) -> Self::Item<'a>;
}

/// A [`Term`] that only reads: `&T` or `Option<&T>`.
pub trait ReadTerm: Term {
    /// As [`Term::item`], for as long as the world is borrowed.
    #[doc(hidden)]
    fn read<'w>(view: &Self::View<'w>, dense: u32) -> Self::Item<'w>;
}

impl<T: Component> Term for &T {
    type Component = T;
    type View<'w> = &'w [T];
    type Item<'a> = &'a T;
    const REQUIRED: bool = true;
    const WRITES: bool = false;

    fn view(column: Loan<'_>) -> &[T] {
        column.read()
    }

    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>) {
        view.split_at(middle)
    }

    fn item<'a>(view: &'a mut &[T], dense: u32) -> &'a T {
        &view[dense as usize]
    }
}

impl<T: Component> ReadTerm for &T {
    fn read<'w>(view: &Self::View<'w>, dense: u32) -> Self::Item<'w> {
        &view[dense as usize]
    }
}

impl<T: Component> Term for &mut T {
    type Component = T;
    type View<'w> = &'w mut [T];
    type Item<'a> = &'a mut T;
    const REQUIRED: bool = true;
    const WRITES: bool = true;

    fn view(column: Loan<'_>) -> &mut [T] {
        column.write()
    }

    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>) {
        view.split_at_mut(middle)
    }

    fn item<'a>(view: &'a mut Self::View<'_>, dense: u32) -> &'a mut T {
        &mut view[dense as usize]
    }
}

impl<R: Term> Term for Option<R> {
    type Component = R::Component;
    type View<'w> = R::View<'w>;
    type Item<'a> = Option<R::Item<'a>>;
    const REQUIRED: bool = false;
    const WRITES: bool = R::WRITES;

    fn view(column: Loan<'_>) -> R::View<'_> {
        R::view(column)
    }

    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>) {
        R::split_at(view, middle)
    }

    fn item<'a>(view: &'a mut R::View<'_>, dense: u32) -> Option<R::Item<'a>> {
        (dense != ABSENT).then(|| R::item(view, dense))
    }
}

impl<R: ReadTerm> ReadTerm for Option<R> {
    fn read<'w>(view: &Self::View<'w>, dense: u32) -> Self::Item<'w> {
        (dense != ABSENT).then(|| R::read(view, dense))
    }
}

/// A tuple of one to eight [`Term`]s for different components.
pub trait Terms {
    /// One slice for each term.
    type Views<'w>: Send;
    /// What a query hands out for one entity: one item for each term.
    type Items<'a>;
    /// The numbers of the components, in the order of the tuple.
    #[doc(hidden)]
    type Types: AsRef<[ComponentType]> + Send + Sync + 'static;

    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Self::Types, Error>;

    /// The components an entity must have.
    #[doc(hidden)]
    fn required(types: &Self::Types) -> Signature;

    /// The components that may be changed.
    #[doc(hidden)]
    fn written(types: &Self::Types) -> Signature;

    #[doc(hidden)]
    fn views_mut<'w>(
        columns: &'w mut [Column],
        types: &Self::Types,
    ) -> Result<Self::Views<'w>, Error>;

    /// As [`views_mut`](Self::views_mut), of arrays that are partly lent to others; no component is
    /// named twice.
    #[doc(hidden)]
    fn lent_views<'w>(loans: Loans<'w>, types: &Self::Types) -> Self::Views<'w>;

    #[doc(hidden)]
    fn split_at(views: Self::Views<'_>, middle: usize) -> (Self::Views<'_>, Self::Views<'_>);

    #[doc(hidden)]
    fn items<'a>(
        views: &'a mut Self::Views<'_>,
        dense: &[u32],
        types: &Self::Types,
    ) -> Self::Items<'a>;
}

/// [`Terms`] that only read.
pub trait ReadTerms: Terms {
    #[doc(hidden)]
    fn views<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Views<'w>;

    /// As [`Terms::items`], for as long as the world is borrowed.
    #[doc(hidden)]
    fn read<'w>(views: &Self::Views<'w>, dense: &[u32], types: &Self::Types) -> Self::Items<'w>;
}

/// The components of terms, each of which must be named once.
pub(super) fn signature(columns: &[Column], types: &[ComponentType]) -> Result<Signature, Error> {
    let signature: Signature = types.iter().copied().collect();
    let distinct = signature.len() == types.len();
    distinct.then_some(signature).ok_or_else(|| Error::NamedTwice(repeated(columns, types)))
}

/// The first component that `types` names twice.
fn repeated(columns: &[Column], types: &[ComponentType]) -> &'static str {
    let twice = (1..types.len()).find(|&i| types[..i].contains(&types[i]));
    columns[types[twice.unwrap_or(0)].index()].name()
}

fn only_if(wanted: bool, component: ComponentType) -> Signature {
    if wanted { Signature::EMPTY.with(component) } else { Signature::EMPTY }
}

macro_rules! terms {
    ($count:literal: $($term:ident $column:ident $position:tt),+) => {
        impl<$($term: Term),+> Terms for ($($term,)+) {
            type Views<'w> = ($($term::View<'w>,)+);
            type Items<'a> = ($($term::Item<'a>,)+);
            type Types = [ComponentType; $count];

            fn types(columns: &[Column]) -> Result<Self::Types, Error> {
                Ok([$(column::find::<$term::Component>(columns)?),+])
            }

            fn required(types: &Self::Types) -> Signature {
                Signature::EMPTY$(.union(only_if($term::REQUIRED, types[$position])))+
            }

            fn written(types: &Self::Types) -> Signature {
                Signature::EMPTY$(.union(only_if($term::WRITES, types[$position])))+
            }

            fn views_mut<'w>(
                columns: &'w mut [Column],
                types: &Self::Types,
            ) -> Result<Self::Views<'w>, Error> {
                let name = repeated(columns, types);
                let [$($column),+] = columns
                    .get_disjoint_mut(types.map(ComponentType::index))
                    .map_err(|_| Error::NamedTwice(name))?;
                Ok(($($term::view(Loan::Exclusive($column)),)+))
            }

            fn lent_views<'w>(mut loans: Loans<'w>, types: &Self::Types) -> Self::Views<'w> {
                ($($term::view(loans.take(types[$position])),)+)
            }

            fn split_at(
                views: Self::Views<'_>,
                middle: usize,
            ) -> (Self::Views<'_>, Self::Views<'_>) {
                $(let $column = $term::split_at(views.$position, middle);)+
                (($($column.0,)+), ($($column.1,)+))
            }

            fn items<'a>(
                views: &'a mut Self::Views<'_>,
                dense: &[u32],
                types: &Self::Types,
            ) -> Self::Items<'a> {
                ($($term::item(&mut views.$position, dense[types[$position].index()]),)+)
            }
        }

        impl<$($term: ReadTerm),+> ReadTerms for ($($term,)+) {
            fn views<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Views<'w> {
                ($($term::view(Loan::Shared(&columns[types[$position].index()])),)+)
            }

            fn read<'w>(
                views: &Self::Views<'w>,
                dense: &[u32],
                types: &Self::Types,
            ) -> Self::Items<'w> {
                ($($term::read(&views.$position, dense[types[$position].index()]),)+)
            }
        }
    };
}

terms!(1: A a 0);
terms!(2: A a 0, B b 1);
terms!(3: A a 0, B b 1, C c 2);
terms!(4: A a 0, B b 1, C c 2, D d 3);
terms!(5: A a 0, B b 1, C c 2, D d 3, E e 4);
terms!(6: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);
terms!(7: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6);
terms!(8: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7);
