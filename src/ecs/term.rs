//! Terms: the access to one component that a query asks for.

use std::any::type_name;
use std::slice;

use super::column::Column;
use super::column_map::ColumnMap;
use super::index::{ABSENT, Index, Located};
use super::pick::Pick;
use super::run::{Handles, Present};
use super::{Component, ComponentType, Entity, Signature};

/// Access to one component in a query: `&T` to read it, `&mut T` to change it, `Option` of either for
/// entities that may lack it. [`Entity`] returns the handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of terms",
    note = "terms are `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` and `Entity`, at most eight; write `&T` instead of `T`, and `Entity` if you need no component"
)]
pub trait Term {
    /// The values of a packed array, or of a section of it: the members of a group, or a chunk of them.
    type Slice<'w>: Send;
    /// The component of one entity.
    type Item<'a>;
    /// The remaining components during an iteration.
    #[doc(hidden)]
    type Rest<'w>;
    /// The components of consecutive entities.
    #[doc(hidden)]
    type Run<'w>: Iterator<Item = Self::Item<'w>>;

    /// Whether only entities with the component match.
    #[doc(hidden)]
    const REQUIRED: bool;
    /// Whether the component may be changed.
    #[doc(hidden)]
    const WRITES: bool;

    /// Returns the Rust name of the component.
    #[doc(hidden)]
    const NAME: fn() -> &'static str;

    /// Returns the component type; `None` if it is not registered, and for a handle.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn find(columns: &ColumnMap) -> Option<ComponentType>;

    /// Returns the component type, which is registered first if it is not yet; `None` for a handle.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn register(index: &mut Index, columns: &mut ColumnMap) -> Option<ComponentType>;

    /// Returns the array; the caller marks the changes.
    #[doc(hidden)]
    fn slice_mut(column: Option<&mut Column>) -> Self::Slice<'_>;

    #[doc(hidden)]
    fn split_at(slice: Self::Slice<'_>, middle: usize) -> (Self::Slice<'_>, Self::Slice<'_>);

    /// Returns the component of the located entity with this dense index; the index is `ABSENT` if it
    /// has none.
    #[doc(hidden)]
    fn item<'a>(slice: &'a mut Self::Slice<'_>, located: Located<'_>, dense: u32)
    -> Self::Item<'a>;

    /// Returns the components at the dense indices of `order`; in ascending order for `None`.
    #[doc(hidden)]
    fn rest(slice: Self::Slice<'_>, order: Option<Vec<u32>>) -> Self::Rest<'_>;

    /// Returns the next component.
    #[doc(hidden)]
    fn next<'w>(rest: &mut Self::Rest<'w>, located: Located<'_>, dense: u32) -> Self::Item<'w>;

    /// Returns whether [`run`](Self::run) is possible for entities in the order of these components.
    #[doc(hidden)]
    fn is_in_order(component: Option<ComponentType>, in_order: Signature) -> bool {
        component.is_some_and(|component| in_order.contains(component))
    }

    /// Returns the components of a slice that has exactly those of the entities.
    #[doc(hidden)]
    fn run<'w>(slice: Self::Slice<'w>, handles: &Handles<'w>) -> Self::Run<'w>;
}

/// A [`Term`] that only reads: `&T`, `Option<&T>` or [`Entity`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of terms that only read",
    note = "terms that read are `&T`, `Option<&T>` and `Entity`, at most eight: write `&T` instead of \
            `T`, and `Entity` if you need no component; to change components, use `query_mut`, `single_mut`, \
            `get_mut::<T>` or `query_one_mut`"
)]
pub trait ReadTerm: Term {
    #[doc(hidden)]
    fn slice(column: Option<&Column>) -> Self::Slice<'_>;

    /// Returns the same as [`Term::item`], valid as long as the world is borrowed; `None` if a required
    /// component is missing.
    #[doc(hidden)]
    fn read<'w>(
        slice: &Self::Slice<'w>,
        located: Located<'_>,
        dense: u32,
    ) -> Option<Self::Item<'w>>;
}

/// A [`Term`] for a component: `&T` or `&mut T`.
pub trait ComponentTerm: Term {}

impl<T: Component> ComponentTerm for &T {}

impl<T: Component> ComponentTerm for &mut T {}

impl<T: Component> Term for &T {
    type Slice<'w> = &'w [T];
    type Item<'a> = &'a T;
    type Rest<'w> = &'w [T];
    type Run<'w> = slice::Iter<'w, T>;
    const REQUIRED: bool = true;
    const WRITES: bool = false;
    const NAME: fn() -> &'static str = type_name::<T>;

    fn find(columns: &ColumnMap) -> Option<ComponentType> {
        columns.find::<T>()
    }

    fn register(index: &mut Index, columns: &mut ColumnMap) -> Option<ComponentType> {
        Some(columns.register::<T>(index))
    }

    fn slice_mut(column: Option<&mut Column>) -> &[T] {
        column.map_or(&[], |column| column.values())
    }

    fn split_at(slice: Self::Slice<'_>, middle: usize) -> (Self::Slice<'_>, Self::Slice<'_>) {
        slice.split_at(middle)
    }

    fn item<'a>(slice: &'a mut &[T], _: Located<'_>, dense: u32) -> &'a T {
        &slice[dense as usize]
    }

    fn rest(slice: Self::Slice<'_>, _: Option<Vec<u32>>) -> Self::Rest<'_> {
        slice
    }

    fn next<'w>(rest: &mut Self::Rest<'w>, _: Located<'_>, dense: u32) -> &'w T {
        &rest[dense as usize]
    }

    fn run<'w>(slice: Self::Slice<'w>, _: &Handles<'w>) -> Self::Run<'w> {
        slice.iter()
    }
}

impl<T: Component> ReadTerm for &T {
    fn slice(column: Option<&Column>) -> &[T] {
        column.map_or(&[], |column| column.values())
    }

    fn read<'w>(slice: &Self::Slice<'w>, _: Located<'_>, dense: u32) -> Option<&'w T> {
        slice.get(dense as usize)
    }
}

impl<T: Component> Term for &mut T {
    type Slice<'w> = &'w mut [T];
    type Item<'a> = &'a mut T;
    type Rest<'w> = Pick<'w, T>;
    type Run<'w> = slice::IterMut<'w, T>;
    const REQUIRED: bool = true;
    const WRITES: bool = true;
    const NAME: fn() -> &'static str = type_name::<T>;

    fn find(columns: &ColumnMap) -> Option<ComponentType> {
        columns.find::<T>()
    }

    fn register(index: &mut Index, columns: &mut ColumnMap) -> Option<ComponentType> {
        Some(columns.register::<T>(index))
    }

    fn slice_mut(column: Option<&mut Column>) -> &mut [T] {
        column.map_or(&mut [], |column| column.values_unmarked())
    }

    fn split_at(slice: Self::Slice<'_>, middle: usize) -> (Self::Slice<'_>, Self::Slice<'_>) {
        slice.split_at_mut(middle)
    }

    fn item<'a>(slice: &'a mut Self::Slice<'_>, _: Located<'_>, dense: u32) -> &'a mut T {
        &mut slice[dense as usize]
    }

    fn rest(slice: Self::Slice<'_>, order: Option<Vec<u32>>) -> Self::Rest<'_> {
        Pick::new(slice, order)
    }

    fn next<'w>(rest: &mut Self::Rest<'w>, _: Located<'_>, dense: u32) -> &'w mut T {
        rest.next(dense)
    }

    fn run<'w>(slice: Self::Slice<'w>, _: &Handles<'w>) -> Self::Run<'w> {
        slice.iter_mut()
    }
}

impl<R: ComponentTerm> Term for Option<R> {
    type Slice<'w> = R::Slice<'w>;
    type Item<'a> = Option<R::Item<'a>>;
    type Rest<'w> = R::Rest<'w>;
    type Run<'w> = Present<R::Run<'w>>;
    const REQUIRED: bool = false;
    const WRITES: bool = R::WRITES;
    const NAME: fn() -> &'static str = R::NAME;

    fn find(columns: &ColumnMap) -> Option<ComponentType> {
        R::find(columns)
    }

    fn register(index: &mut Index, columns: &mut ColumnMap) -> Option<ComponentType> {
        R::register(index, columns)
    }

    fn slice_mut(column: Option<&mut Column>) -> R::Slice<'_> {
        R::slice_mut(column)
    }

    fn split_at(slice: Self::Slice<'_>, middle: usize) -> (Self::Slice<'_>, Self::Slice<'_>) {
        R::split_at(slice, middle)
    }

    fn item<'a>(slice: &'a mut R::Slice<'_>, located: Located<'_>, dense: u32) -> Self::Item<'a> {
        (dense != ABSENT).then(|| R::item(slice, located, dense))
    }

    fn rest(slice: Self::Slice<'_>, order: Option<Vec<u32>>) -> Self::Rest<'_> {
        R::rest(slice, order)
    }

    fn next<'w>(rest: &mut Self::Rest<'w>, located: Located<'_>, dense: u32) -> Self::Item<'w> {
        (dense != ABSENT).then(|| R::next(rest, located, dense))
    }

    fn run<'w>(slice: Self::Slice<'w>, handles: &Handles<'w>) -> Self::Run<'w> {
        Present(R::run(slice, handles))
    }
}

impl<R: ReadTerm + ComponentTerm> ReadTerm for Option<R> {
    fn slice(column: Option<&Column>) -> R::Slice<'_> {
        R::slice(column)
    }

    fn read<'w>(
        slice: &Self::Slice<'w>,
        located: Located<'_>,
        dense: u32,
    ) -> Option<Self::Item<'w>> {
        Some(R::read(slice, located, dense))
    }
}

impl Term for Entity {
    type Slice<'w> = ();
    type Item<'a> = Self;
    type Rest<'w> = ();
    type Run<'w> = Handles<'w>;
    const REQUIRED: bool = false;
    const WRITES: bool = false;
    const NAME: fn() -> &'static str = type_name::<Self>;

    fn find(_: &ColumnMap) -> Option<ComponentType> {
        None
    }

    fn register(_: &mut Index, _: &mut ColumnMap) -> Option<ComponentType> {
        None
    }

    fn slice_mut(_: Option<&mut Column>) {}

    fn split_at((): Self::Slice<'_>, _: usize) -> (Self::Slice<'_>, Self::Slice<'_>) {
        ((), ())
    }

    fn item((): &mut (), located: Located<'_>, _: u32) -> Self {
        located.entity()
    }

    fn rest((): Self::Slice<'_>, _: Option<Vec<u32>>) -> Self::Rest<'_> {}

    fn next<'w>((): &mut Self::Rest<'w>, located: Located<'_>, _: u32) -> Self::Item<'w> {
        located.entity()
    }

    fn is_in_order(_: Option<ComponentType>, _: Signature) -> bool {
        true
    }

    fn run<'w>((): Self::Slice<'w>, handles: &Handles<'w>) -> Self::Run<'w> {
        handles.clone()
    }
}

impl ReadTerm for Entity {
    fn slice(_: Option<&Column>) {}

    fn read<'w>((): &Self::Slice<'w>, located: Located<'_>, _: u32) -> Option<Self::Item<'w>> {
        Some(located.entity())
    }
}
