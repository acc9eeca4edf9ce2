//! Bundle: a set of components given at once, as a tuple or as a struct.

use super::column::{self, Column};
use super::index::Index;
use super::{Component, ComponentType, Error, Signature};

/// A tuple of up to twelve components of different types, `()` and `(A,)` included, or a
/// [`StructBundle`](super::StructBundle).
///
/// As a value it is what an entity is spawned with; as a type it names a set of components.
pub trait Bundle: Sized + 'static {
    /// The numbers of the components, in the order of the tuple.
    #[doc(hidden)]
    type Types: AsRef<[ComponentType]> + for<'t> TryFrom<&'t [ComponentType]>;
    /// One array of values for each component.
    type Columns: Default + Send + Sync;

    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Self::Types, Error>;

    /// Appends each component to its packed array; the entity in `slot` has none of them yet.
    #[doc(hidden)]
    fn store(self, slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]);

    /// Puts each component in the place of the one the entity has, which has them all; `dense` says
    /// where, by component type.
    #[doc(hidden)]
    fn overwrite(self, dense: &[u32], types: &Self::Types, columns: &mut [Column]);

    /// Appends the values of many bundles to the packed arrays; returns how many there were.
    #[doc(hidden)]
    fn extend(
        items: impl Iterator<Item = Self>,
        types: &Self::Types,
        columns: &mut [Column],
    ) -> usize;

    /// Takes each component of the entity in `slot`, which has them all, out of its packed array.
    #[doc(hidden)]
    fn take(slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]) -> Self;

    /// Appends the values of one bundle to arrays outside of any world.
    #[doc(hidden)]
    fn push(self, values: &mut Self::Columns);

    /// Length of the shortest of the arrays.
    #[doc(hidden)]
    fn shortest(values: &Self::Columns) -> usize;

    /// Moves the first `count` values out of each packed array.
    #[doc(hidden)]
    fn drain_front(count: usize, types: &Self::Types, columns: &mut [Column]) -> Self::Columns;

    /// Appends whole arrays to the packed arrays, `count` values of each.
    #[doc(hidden)]
    fn append(values: Self::Columns, count: usize, types: &Self::Types, columns: &mut [Column]);

    /// The values, entity by entity.
    #[doc(hidden)]
    fn into_items(values: Self::Columns) -> impl Iterator<Item = Self>;

    /// The set of components, each of which must be named once.
    #[doc(hidden)]
    fn signature(types: &Self::Types, columns: &[Column]) -> Result<Signature, Error> {
        let mut signature = Signature::EMPTY;
        for &component in types.as_ref() {
            if signature.contains(component) {
                return Err(Error::NamedTwice(columns[component.index()].name()));
            }
            signature = signature.with(component);
        }
        Ok(signature)
    }
}

const DISTINCT: &str = "the bundle's signature was made, so its components differ";

macro_rules! bundle {
    ($count:literal: $($component:ident $column:ident $position:tt),+) => {
        impl<$($component: Component),+> Bundle for ($($component,)+) {
            type Types = [ComponentType; $count];
            type Columns = ($(Vec<$component>,)+);

            fn types(columns: &[Column]) -> Result<Self::Types, Error> {
                Ok([$(column::find::<$component>(columns)?),+])
            }

            fn store(
                self,
                slot: u32,
                types: &Self::Types,
                index: &mut Index,
                columns: &mut [Column],
            ) {
                index.attach_all(slot, types);
                $(columns[types[$position].index()].push(self.$position);)+
            }

            fn overwrite(self, dense: &[u32], types: &Self::Types, columns: &mut [Column]) {
                $({
                    let component = types[$position].index();
                    *columns[component].value_mut(dense[component] as usize) = self.$position;
                })+
            }

            fn extend(
                items: impl Iterator<Item = Self>,
                types: &Self::Types,
                columns: &mut [Column],
            ) -> usize {
                let [$($column),+] =
                    columns.get_disjoint_mut(types.map(ComponentType::index)).expect(DISTINCT);
                let before = ($($column.len(),)+).0;
                let after = {
                    $(let $column = $column.unmarked::<$component>();)+
                    for item in items {
                        $($column.push(item.$position);)+
                    }
                    ($($column.len(),)+).0
                };
                $($column.appended($column.len() + before - after);)+
                after - before
            }

            fn take(
                slot: u32,
                types: &Self::Types,
                index: &mut Index,
                columns: &mut [Column],
            ) -> Self {
                ($({
                    let component = types[$position];
                    let hole = index.detach(slot, component);
                    columns[component.index()].swap_remove::<$component>(hole)
                },)+)
            }

            fn push(self, values: &mut Self::Columns) {
                $(values.$position.push(self.$position);)+
            }

            fn shortest(values: &Self::Columns) -> usize {
                let lens = [$(values.$position.len()),+];
                lens.into_iter().fold(usize::MAX, usize::min)
            }

            fn drain_front(
                count: usize,
                types: &Self::Types,
                columns: &mut [Column],
            ) -> Self::Columns {
                ($(take_front(columns[types[$position].index()].values_mut::<$component>(), count),)+)
            }

            fn append(
                mut values: Self::Columns,
                count: usize,
                types: &Self::Types,
                columns: &mut [Column],
            ) {
                // Surplus values are dropped first, so that a destructor that panics leaves all as
                // it was.
                $(values.$position.truncate(count);)+
                $(append(columns[types[$position].index()].values_mut(), &mut values.$position);)+
            }

            fn into_items(values: Self::Columns) -> impl Iterator<Item = Self> {
                let ($($column,)+) = values;
                $(let mut $column = $column.into_iter();)+
                std::iter::from_fn(move || Some(($($column.next()?,)+)))
            }
        }
    };
}

bundle!(1: A a 0);
bundle!(2: A a 0, B b 1);
bundle!(3: A a 0, B b 1, C c 2);
bundle!(4: A a 0, B b 1, C c 2, D d 3);
bundle!(5: A a 0, B b 1, C c 2, D d 3, E e 4);
bundle!(6: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5);
bundle!(7: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6);
bundle!(8: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7);
bundle!(9: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8);
bundle!(10: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9);
bundle!(11: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, K k 10);
bundle!(12: A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7, I i 8, J j 9, K k 10, L l 11);

/// An entity without components.
impl Bundle for () {
    type Types = [ComponentType; 0];
    type Columns = Vec<()>;

    fn types(_: &[Column]) -> Result<Self::Types, Error> {
        Ok([])
    }

    fn store(self, _: u32, _: &Self::Types, _: &mut Index, _: &mut [Column]) {}

    fn overwrite(self, _: &[u32], _: &Self::Types, _: &mut [Column]) {}

    fn extend(items: impl Iterator<Item = ()>, _: &Self::Types, _: &mut [Column]) -> usize {
        items.count()
    }

    fn take(_: u32, _: &Self::Types, _: &mut Index, _: &mut [Column]) {}

    fn push(self, values: &mut Vec<()>) {
        values.push(());
    }

    fn shortest(values: &Vec<()>) -> usize {
        values.len()
    }

    fn drain_front(count: usize, _: &Self::Types, _: &mut [Column]) -> Vec<()> {
        vec![(); count]
    }

    fn append(_: Vec<()>, _: usize, _: &Self::Types, _: &mut [Column]) {}

    fn into_items(values: Vec<()>) -> impl Iterator<Item = ()> {
        values.into_iter()
    }
}

/// The first `count` values; the whole array is handed over as it is.
fn take_front<T>(values: &mut Vec<T>, count: usize) -> Vec<T> {
    if count == values.len() {
        return std::mem::take(values);
    }
    values.drain(..count).collect()
}

/// Moves all of `more` behind `values`; into an empty array it is moved as it is.
fn append<T>(values: &mut Vec<T>, more: &mut Vec<T>) {
    if values.is_empty() {
        *values = std::mem::take(more);
    } else {
        values.append(more);
    }
}
