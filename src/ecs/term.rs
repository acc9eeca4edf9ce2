//! Terms: the access to one component that a query or a call for slices asks for, and tuples of
//! these.

use super::column::{self, Column};
use super::index::{ABSENT, Row};
use super::tuples::for_each_tuple;
use super::{Component, ComponentType, Error, Signature};

/// Access to one component: `&T` to read it, `&mut T` to change it, `Option` of either for entities
/// that may lack it.
pub trait Term {
    /// The component.
    type Component: Component;
    /// The whole packed array.
    type View<'w>: Send;
    /// The component of one entity, as a query returns it.
    type Item<'a>;

    /// Whether only entities with the component match.
    #[doc(hidden)]
    const REQUIRED: bool;
    /// Whether the component may be changed.
    #[doc(hidden)]
    const WRITES: bool;

    /// Returns the array; the caller marks the changes.
    #[doc(hidden)]
    fn view_mut(column: &mut Column) -> Self::View<'_>;

    #[doc(hidden)]
    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>);

    /// Returns the component at a dense index, which may be `ABSENT` for an optional term.
    #[doc(hidden)]
    fn item<'a>(view: &'a mut Self::View<'_>, dense: u32) -> Self::Item<'a>;
}

/// A [`Term`] that only reads: `&T` or `Option<&T>`.
pub trait ReadTerm: Term {
    #[doc(hidden)]
    fn view(column: &Column) -> Self::View<'_>;

    /// Returns the same as [`Term::item`], valid as long as the world is borrowed.
    #[doc(hidden)]
    fn read<'w>(view: &Self::View<'w>, dense: u32) -> Self::Item<'w>;
}

impl<T: Component> Term for &T {
    type Component = T;
    type View<'w> = &'w [T];
    type Item<'a> = &'a T;
    const REQUIRED: bool = true;
    const WRITES: bool = false;

    fn view_mut(column: &mut Column) -> &[T] {
        column.values()
    }

    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>) {
        view.split_at(middle)
    }

    fn item<'a>(view: &'a mut &[T], dense: u32) -> &'a T {
        &view[dense as usize]
    }
}

impl<T: Component> ReadTerm for &T {
    fn view(column: &Column) -> &[T] {
        column.values()
    }

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

    fn view_mut(column: &mut Column) -> &mut [T] {
        column.values_unmarked()
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

    fn view_mut(column: &mut Column) -> R::View<'_> {
        R::view_mut(column)
    }

    fn split_at(view: Self::View<'_>, middle: usize) -> (Self::View<'_>, Self::View<'_>) {
        R::split_at(view, middle)
    }

    fn item<'a>(view: &'a mut R::View<'_>, dense: u32) -> Option<R::Item<'a>> {
        (dense != ABSENT).then(|| R::item(view, dense))
    }
}

impl<R: ReadTerm> ReadTerm for Option<R> {
    fn view(column: &Column) -> R::View<'_> {
        R::view(column)
    }

    fn read<'w>(view: &Self::View<'w>, dense: u32) -> Self::Item<'w> {
        (dense != ABSENT).then(|| R::read(view, dense))
    }
}

/// A tuple of one to eight [`Term`]s for different components.
pub trait Terms {
    /// One slice for each term.
    type Views<'w>: Send;
    /// The components of one entity, as a query returns them.
    type Items<'a>;
    /// The component types, in the order of the tuple.
    #[doc(hidden)]
    type Types: AsRef<[ComponentType]> + Send + Sync + 'static;

    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Self::Types, Error>;

    /// Returns the components that an entity must have to match.
    #[doc(hidden)]
    fn required(types: &Self::Types) -> Signature;

    /// Returns the components that may be changed.
    #[doc(hidden)]
    fn written(types: &Self::Types) -> Signature;

    #[doc(hidden)]
    fn views_mut<'w>(
        columns: &'w mut [Column],
        types: &Self::Types,
    ) -> Result<Self::Views<'w>, Error>;

    #[doc(hidden)]
    fn split_at(views: Self::Views<'_>, middle: usize) -> (Self::Views<'_>, Self::Views<'_>);

    #[doc(hidden)]
    fn items<'a>(
        views: &'a mut Self::Views<'_>,
        row: Row<'_>,
        types: &Self::Types,
    ) -> Self::Items<'a>;
}

/// [`Terms`] that only read.
pub trait ReadTerms: Terms {
    #[doc(hidden)]
    fn views<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Views<'w>;

    /// Returns the same as [`Terms::items`], valid as long as the world is borrowed.
    #[doc(hidden)]
    fn read<'w>(views: &Self::Views<'w>, row: Row<'_>, types: &Self::Types) -> Self::Items<'w>;
}

macro_rules! terms {
    ($(($term:ident $column:ident $position:tt))+) => {
        impl<$($term: Term),+> Terms for ($($term,)+) {
            type Views<'w> = ($($term::View<'w>,)+);
            type Items<'a> = ($($term::Item<'a>,)+);
            type Types = [ComponentType; [$($position),+].len()];

            fn types(columns: &[Column]) -> Result<Self::Types, Error> {
                Ok([$(column::find::<$term::Component>(columns)?),+])
            }

            fn required(types: &Self::Types) -> Signature {
                let terms = types.iter().zip([$($term::REQUIRED),+]);
                terms.filter(|(_, required)| *required).map(|(component, _)| *component).collect()
            }

            fn written(types: &Self::Types) -> Signature {
                let terms = types.iter().zip([$($term::WRITES),+]);
                terms.filter(|(_, writes)| *writes).map(|(component, _)| *component).collect()
            }

            fn views_mut<'w>(
                columns: &'w mut [Column],
                types: &Self::Types,
            ) -> Result<Self::Views<'w>, Error> {
                column::signature_of(columns, types)?;
                let [$($column),+] = columns
                    .get_disjoint_mut(types.map(ComponentType::index))
                    .expect("the components differ and are registered");
                Ok(($($term::view_mut($column),)+))
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
                row: Row<'_>,
                types: &Self::Types,
            ) -> Self::Items<'a> {
                ($($term::item(&mut views.$position, row.dense(types[$position])),)+)
            }
        }

        impl<$($term: ReadTerm),+> ReadTerms for ($($term,)+) {
            fn views<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Views<'w> {
                ($($term::view(&columns[types[$position].index()]),)+)
            }

            fn read<'w>(
                views: &Self::Views<'w>,
                row: Row<'_>,
                types: &Self::Types,
            ) -> Self::Items<'w> {
                ($($term::read(&views.$position, row.dense(types[$position])),)+)
            }
        }
    };
}

for_each_tuple!(
    terms! [(A a 0)] (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7)
);
