//! The terms of a query: one, or a tuple of several.

use super::column::Column;
use super::column_map::ColumnMap;
use super::index::{ABSENT, Index, Located};
use super::run::{Handles, Together};
use super::tuples::for_each_tuple;
use super::{ComponentType, ReadTerm, Signature, Term};

/// A [`Term`], or a tuple of up to eight for different components.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of terms",
    note = "terms are `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` and `Entity`, at most eight; write `&T` instead of `T`, and `Entity` if you need no component"
)]
pub trait Terms {
    /// One slice for each term.
    type Slices<'w>: Send;
    /// The items of one entity.
    type Items<'a>;
    /// The remaining elements of the arrays during an iteration.
    #[doc(hidden)]
    type Rests<'w>;
    /// The items of consecutive entities.
    #[doc(hidden)]
    type Runs<'w>: Iterator<Item = Self::Items<'w>>;
    /// The component types, in the order of the terms; `None` for a handle, and for a type that is not
    /// registered.
    #[doc(hidden)]
    type Types: AsRef<[Option<ComponentType>]> + Copy + Send + Sync + 'static;

    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn find(columns: &ColumnMap) -> Self::Types;

    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn register(index: &mut Index, columns: &mut ColumnMap) -> Self::Types;

    /// Returns the components that an entity must have to match; `None` if no entity can.
    #[doc(hidden)]
    fn required(types: &Self::Types) -> Option<Signature>;

    /// Returns the Rust name of the first required component that is not in `present`.
    #[doc(hidden)]
    fn first_missing(types: &Self::Types, present: Signature) -> &'static str;

    /// Returns the components that may be changed.
    #[doc(hidden)]
    fn written(types: &Self::Types) -> Signature;

    /// # Panics
    /// A component is named twice.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn slices_mut<'w>(columns: &'w mut [Column], types: &Self::Types) -> Self::Slices<'w>;

    #[doc(hidden)]
    fn split_at(slices: Self::Slices<'_>, middle: usize) -> (Self::Slices<'_>, Self::Slices<'_>);

    #[doc(hidden)]
    fn items<'a>(
        slices: &'a mut Self::Slices<'_>,
        located: Located<'_>,
        types: &Self::Types,
    ) -> Self::Items<'a>;

    /// Calls `order` with each component that may be changed, for the dense indices of its elements;
    /// `None` if these ascend.
    #[doc(hidden)]
    fn rests<'w>(
        slices: Self::Slices<'w>,
        types: &Self::Types,
        order: impl FnMut(ComponentType) -> Option<Vec<u32>>,
    ) -> Self::Rests<'w>;

    #[doc(hidden)]
    fn next<'w>(
        rests: &mut Self::Rests<'w>,
        located: Located<'_>,
        types: &Self::Types,
    ) -> Self::Items<'w>;

    /// Returns whether [`runs`](Self::runs) is possible for entities in the order of these components.
    #[doc(hidden)]
    fn are_in_order(types: &Self::Types, in_order: Signature) -> bool;

    /// Returns the items of slices that have exactly the components of the entities.
    #[doc(hidden)]
    fn runs<'w>(slices: Self::Slices<'w>, handles: &Handles<'w>) -> Self::Runs<'w>;
}

/// [`Terms`] that only read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of terms that only read",
    note = "terms that read are `&T`, `Option<&T>` and `Entity`, at most eight: write `&T` instead of \
            `T`, and `Entity` if you need no component; to change components, use `query_mut`, `single_mut`, \
            `get_mut::<T>` or `query_one_mut`"
)]
pub trait ReadTerms: Terms {
    #[doc(hidden)]
    fn slices<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Slices<'w>;

    /// Returns the same as [`Terms::items`], valid as long as the world is borrowed; `None` if a required
    /// component is missing.
    #[doc(hidden)]
    fn read<'w>(
        slices: &Self::Slices<'w>,
        located: Located<'_>,
        types: &Self::Types,
    ) -> Option<Self::Items<'w>>;
}

#[inline]
fn dense(located: Located<'_>, component: Option<ComponentType>) -> u32 {
    component.map_or(ABSENT, |component| located.dense(component))
}

/// Returns a mutable reference to the column of each type.
///
/// # Panics
/// A type is named twice.
#[inline]
#[cfg_attr(not(web), track_caller)]
pub(super) fn disjoint<const N: usize>(
    columns: &mut [Column],
    types: [Option<ComponentType>; N],
) -> [Option<&mut Column>; N] {
    if types.iter().all(Option::is_some) {
        let numbers = types.map(|component| component.map_or(0, ComponentType::index));
        if columns.get_disjoint_mut(numbers).is_ok() {
            // The same call again: a reference that was returned only sometimes would stay borrowed.
            return columns.get_disjoint_mut(numbers).expect("it succeeded before").map(Some);
        }
    }
    disjoint_of_some(columns, types)
}

#[cold]
#[cfg_attr(not(web), track_caller)]
fn disjoint_of_some<const N: usize>(
    columns: &mut [Column],
    types: [Option<ComponentType>; N],
) -> [Option<&mut Column>; N] {
    let mut columns: Vec<_> = columns.iter_mut().map(Some).collect();
    let mut found = [const { None }; N];
    for (position, component) in types.iter().enumerate() {
        let Some(component) = component else { continue };
        if let Some(twice) = types[..position].iter().position(|other| *other == Some(*component)) {
            let name = found[twice].as_ref().map_or("", |column: &&mut Column| column.name());
            panic!("component {name} is named twice");
        }
        found[position] = columns[component.index()].take();
    }
    found
}

/// Returns the components of the terms with a `true`.
fn selected<const N: usize>(types: &[Option<ComponentType>; N], terms: [bool; N]) -> Signature {
    let terms = types.iter().zip(terms);
    terms.filter(|(_, selected)| *selected).filter_map(|(component, _)| *component).collect()
}

macro_rules! terms {
    ($(($term:ident $column:ident $position:tt))+) => {
        impl<$($term: Term),+> Terms for ($($term,)+) {
            type Slices<'w> = ($($term::Slice<'w>,)+);
            type Items<'a> = ($($term::Item<'a>,)+);
            type Rests<'w> = ($($term::Rest<'w>,)+);
            type Runs<'w> = Together<($($term::Run<'w>,)+)>;
            type Types = [Option<ComponentType>; [$($position),+].len()];

            fn find(columns: &ColumnMap) -> Self::Types {
                [$($term::find(columns)),+]
            }

            fn register(index: &mut Index, columns: &mut ColumnMap) -> Self::Types {
                [$($term::register(index, columns)),+]
            }

            fn required(types: &Self::Types) -> Option<Signature> {
                let required = [$($term::REQUIRED),+];
                let known = types.iter().zip(required).all(|(it, required)| it.is_some() || !required);
                known.then(|| selected(types, required))
            }

            #[cold]
            fn first_missing(types: &Self::Types, present: Signature) -> &'static str {
                let terms = [$(($term::REQUIRED, $term::NAME)),+];
                let mut terms = types.iter().zip(terms).filter(|(_, (required, _))| *required);
                let missing = terms.find(|(component, _)| {
                    component.is_none_or(|component| !present.contains(component))
                });
                missing.map_or("", |(_, (_, name))| name())
            }

            fn written(types: &Self::Types) -> Signature {
                selected(types, [$($term::WRITES),+])
            }

            fn slices_mut<'w>(columns: &'w mut [Column], types: &Self::Types) -> Self::Slices<'w> {
                let [$($column),+] = disjoint(columns, *types);
                ($($term::slice_mut($column),)+)
            }

            fn split_at(
                slices: Self::Slices<'_>,
                middle: usize,
            ) -> (Self::Slices<'_>, Self::Slices<'_>) {
                $(let $column = $term::split_at(slices.$position, middle);)+
                (($($column.0,)+), ($($column.1,)+))
            }

            fn items<'a>(
                slices: &'a mut Self::Slices<'_>,
                located: Located<'_>,
                types: &Self::Types,
            ) -> Self::Items<'a> {
                ($($term::item(&mut slices.$position, located, dense(located, types[$position])),)+)
            }

            fn rests<'w>(
                slices: Self::Slices<'w>,
                types: &Self::Types,
                mut order: impl FnMut(ComponentType) -> Option<Vec<u32>>,
            ) -> Self::Rests<'w> {
                ($({
                    let written = types[$position].filter(|_| $term::WRITES);
                    $term::rest(slices.$position, written.and_then(&mut order))
                },)+)
            }

            fn next<'w>(
                rests: &mut Self::Rests<'w>,
                located: Located<'_>,
                types: &Self::Types,
            ) -> Self::Items<'w> {
                ($($term::next(&mut rests.$position, located, dense(located, types[$position])),)+)
            }

            fn are_in_order(types: &Self::Types, in_order: Signature) -> bool {
                $($term::is_in_order(types[$position], in_order))&&+
            }

            fn runs<'w>(slices: Self::Slices<'w>, handles: &Handles<'w>) -> Self::Runs<'w> {
                Together(($($term::run(slices.$position, handles),)+))
            }
        }

        impl<$($term: ReadTerm),+> ReadTerms for ($($term,)+) {
            fn slices<'w>(columns: &'w [Column], types: &Self::Types) -> Self::Slices<'w> {
                ($($term::slice(types[$position].map(|component| &columns[component.index()])),)+)
            }

            fn read<'w>(
                slices: &Self::Slices<'w>,
                located: Located<'_>,
                types: &Self::Types,
            ) -> Option<Self::Items<'w>> {
                Some(($($term::read(&slices.$position, located, dense(located, types[$position]))?,)+))
            }
        }
    };
}

for_each_tuple!(
    terms! [(A a 0)] (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7)
);

/// A single term, equivalent to a tuple of one.
impl<R: Term> Terms for R {
    type Slices<'w> = R::Slice<'w>;
    type Items<'a> = R::Item<'a>;
    type Rests<'w> = R::Rest<'w>;
    type Runs<'w> = R::Run<'w>;
    type Types = [Option<ComponentType>; 1];

    fn find(columns: &ColumnMap) -> Self::Types {
        <(R,)>::find(columns)
    }

    fn register(index: &mut Index, columns: &mut ColumnMap) -> Self::Types {
        <(R,)>::register(index, columns)
    }

    fn required(types: &Self::Types) -> Option<Signature> {
        <(R,)>::required(types)
    }

    fn first_missing(types: &Self::Types, present: Signature) -> &'static str {
        <(R,)>::first_missing(types, present)
    }

    fn written(types: &Self::Types) -> Signature {
        <(R,)>::written(types)
    }

    fn slices_mut<'w>(columns: &'w mut [Column], types: &Self::Types) -> R::Slice<'w> {
        <(R,)>::slices_mut(columns, types).0
    }

    fn split_at(slice: R::Slice<'_>, middle: usize) -> (R::Slice<'_>, R::Slice<'_>) {
        R::split_at(slice, middle)
    }

    fn items<'a>(
        slice: &'a mut R::Slice<'_>,
        located: Located<'_>,
        types: &Self::Types,
    ) -> R::Item<'a> {
        R::item(slice, located, dense(located, types[0]))
    }

    fn rests<'w>(
        slice: R::Slice<'w>,
        types: &Self::Types,
        order: impl FnMut(ComponentType) -> Option<Vec<u32>>,
    ) -> R::Rest<'w> {
        <(R,)>::rests((slice,), types, order).0
    }

    fn next<'w>(rest: &mut R::Rest<'w>, located: Located<'_>, types: &Self::Types) -> R::Item<'w> {
        R::next(rest, located, dense(located, types[0]))
    }

    fn are_in_order(types: &Self::Types, in_order: Signature) -> bool {
        R::is_in_order(types[0], in_order)
    }

    fn runs<'w>(slice: R::Slice<'w>, handles: &Handles<'w>) -> R::Run<'w> {
        R::run(slice, handles)
    }
}

impl<R: ReadTerm> ReadTerms for R {
    fn slices<'w>(columns: &'w [Column], types: &Self::Types) -> R::Slice<'w> {
        <(R,)>::slices(columns, types).0
    }

    fn read<'w>(
        slice: &R::Slice<'w>,
        located: Located<'_>,
        types: &Self::Types,
    ) -> Option<R::Item<'w>> {
        R::read(slice, located, dense(located, types[0]))
    }
}
