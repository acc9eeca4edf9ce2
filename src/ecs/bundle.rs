//! Bundles: sets of components that are added or removed together, as a tuple or as a struct.

use super::column::Column;
use super::column_map::ColumnMap;
use super::index::{Index, Located};
use super::tuples::for_each_tuple;
use super::{Component, ComponentType, Entity, Signature};

/// A tuple of up to twelve components of different types, or a struct that stands for such a tuple.
///
/// As a value it holds the components of one entity. As a type it names a set of components.
/// A struct in a tuple, or given to [`insert`](super::World::insert), is one component, even if it is a bundle
/// itself.
///
/// [`bundle!`](crate::bundle) implements it for a struct, whose fields then are components with a
/// packed array of their own. A system that only moves entities can so read positions and nothing
/// else that a transform has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bundle",
    note = "a single component is given as a tuple: `(component,)`",
    note = "a tuple has at most twelve components; `insert_bundle` adds more",
    note = "a struct of components needs the macro `cubefall::bundle!`; in a tuple it would be one component"
)]
pub trait Bundle: Sized + 'static {
    /// The components, as a tuple.
    type Components: ComponentTuple;

    /// Converts the bundle to the tuple of its components.
    fn into_components(self) -> Self::Components;

    /// Converts the tuple of the components to the bundle.
    fn from_components(components: Self::Components) -> Self;
}

/// One `Vec` of values for each component of a bundle, as a tuple.
pub type Columns<B> = <<B as Bundle>::Components as ComponentTuple>::Columns;

/// The component types of a bundle, in the order of its tuple.
pub(super) type Types<B> = <<B as Bundle>::Components as ComponentTuple>::Types;

/// Implements [`Bundle`](crate::ecs::Bundle) for a struct. Takes a pattern that binds each component to a variable, with
/// nested patterns for fields that are bundles, and then the type of each variable.
///
/// ```
/// use cubefall::ecs::{Error, World};
///
/// struct Position(f32);
/// struct Heading(f32);
///
/// struct Pose {
///     position: Position,
///     heading: Heading,
/// }
///
/// cubefall::bundle!(Pose { position, heading }: position: Position, heading: Heading);
///
/// fn main() -> Result<(), Error> {
///     let mut world = World::new();
///     let walker = world.spawn(Pose { position: Position(3.0), heading: Heading(0.5) });
///     world.get_mut::<Position>(walker)?.0 += 1.0;
///     let pose: Pose = world.remove_bundle(walker)?;
///     assert_eq!((pose.position.0, pose.heading.0), (4.0, 0.5));
///     Ok(())
/// }
/// ```
#[macro_export]
macro_rules! bundle {
    ($bundle:ident $pattern:tt: $($field:ident: $component:ty),+ $(,)?) => {
        impl $crate::ecs::Bundle for $bundle {
            type Components = ($($component,)+);

            fn into_components(self) -> Self::Components {
                let $bundle $pattern = self;
                ($($field,)+)
            }

            fn from_components(($($field,)+): Self::Components) -> Self {
                $bundle $pattern
            }
        }
    };
}

/// A tuple of up to twelve components of different types.
pub trait ComponentTuple: Sized + 'static {
    /// The component types, in the order of the tuple.
    #[doc(hidden)]
    type Types: AsRef<[ComponentType]> + for<'t> TryFrom<&'t [ComponentType]>;
    /// One `Vec` of values for each component.
    type Columns: Default + Extend<Self> + Send + Sync;

    /// Returns the component types; registers those that are not yet.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn register(index: &mut Index, columns: &mut ColumnMap) -> Self::Types;

    /// Appends each component to its packed array.
    #[doc(hidden)]
    fn push(self, types: &Self::Types, columns: &mut [Column]);

    /// Adds the components, on which no group depends, to the entity in `slot`.
    #[doc(hidden)]
    fn insert(self, slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]);

    /// Replaces all components of an entity, and returns the former ones.
    #[doc(hidden)]
    #[must_use]
    fn replace(self, located: Located<'_>, types: &Self::Types, columns: &mut [Column]) -> Self;

    /// Respawns entities in place, each with the components that `make` returns for its position and new
    /// handle, up to the first that does not live, has other components than `signature`, or has no
    /// generation left. Replaces the handles, and returns the number of respawned entities.
    #[doc(hidden)]
    fn renew(
        entities: &mut [Entity],
        types: &Self::Types,
        signature: Signature,
        index: &mut Index,
        columns: &mut [Column],
        make: impl FnMut(usize, Entity) -> Self,
    ) -> usize;

    /// Replaces the components at ascending dense indices by those that `make` returns for each position and
    /// entity, on all threads of the current rayon pool.
    #[cfg(parallel)]
    #[doc(hidden)]
    fn par_renew(
        entities: &[Entity],
        indices: &[u32],
        types: &Self::Types,
        columns: &mut [Column],
        make: impl Fn(usize, Entity) -> Self + Sync,
    );

    /// Appends the components of many entities to the packed arrays; returns the number of entities.
    #[doc(hidden)]
    fn extend(
        items: impl Iterator<Item = Self>,
        types: &Self::Types,
        columns: &mut [Column],
    ) -> usize;

    /// Removes all components of the entity in `slot` from their packed arrays. Those in `removed` are the
    /// last values, and no longer in the index.
    #[doc(hidden)]
    fn take(
        slot: u32,
        types: &Self::Types,
        removed: Signature,
        index: &mut Index,
        columns: &mut [Column],
    ) -> Self;

    /// Returns the length of the shortest array.
    #[doc(hidden)]
    fn shortest(values: &Self::Columns) -> usize;

    /// Removes the first `count` values from each packed array.
    #[doc(hidden)]
    fn drain_front(count: usize, types: &Self::Types, columns: &mut [Column]) -> Self::Columns;

    /// Moves the first `count` values of each array to its packed array, which is empty.
    #[doc(hidden)]
    fn fill(values: Self::Columns, count: usize, types: &Self::Types, columns: &mut [Column]);

    /// Returns the components entity by entity, up to the end of the shortest array.
    #[doc(hidden)]
    fn into_items(values: Self::Columns) -> impl Iterator<Item = Self>;

    /// Returns the component types, in order and as a set; registers those that are not yet.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn resolve(index: &mut Index, columns: &mut ColumnMap) -> (Self::Types, Signature) {
        let types = Self::register(index, columns);
        let signature = columns.signature_of(types.as_ref());
        (types, signature)
    }
}

/// Entities that respawn as one task of a thread, at most.
#[cfg(parallel)]
const RESPAWN_TASK: usize = 128;

/// Entities whose components are made before the first of them is stored.
#[cfg(parallel)]
const RESPAWN_BLOCK: usize = 32;

#[cfg(parallel)]
const ONE_EACH: &str = "one value for each entity";

const DISTINCT: &str = "`resolve` has checked that the components differ";

macro_rules! component_tuple {
    ($(($component:ident $column:ident $position:tt))*) => {
        impl<$($component: Component),*> Bundle for ($($component,)*) {
            type Components = Self;

            fn into_components(self) -> Self {
                self
            }

            fn from_components(components: Self) -> Self {
                components
            }
        }

        #[allow(unused_variables, unused_mut, clippy::unused_unit, reason = "no components in ()")]
        impl<$($component: Component),*> ComponentTuple for ($($component,)*) {
            type Types = [ComponentType; <[u8]>::len(&[$($position),*])];
            type Columns = ($(Vec<$component>,)*);

            fn register(index: &mut Index, columns: &mut ColumnMap) -> Self::Types {
                [$(columns.register::<$component>(index)),*]
            }

            fn push(self, types: &Self::Types, columns: &mut [Column]) {
                $(columns[types[$position].index()].push(self.$position);)*
            }

            #[inline]
            fn insert(
                self,
                slot: u32,
                types: &Self::Types,
                index: &mut Index,
                columns: &mut [Column],
            ) {
                $(
                    columns[types[$position].index()].push(self.$position);
                    index.array_mut(types[$position]).push(slot);
                )*
            }

            fn replace(self, located: Located<'_>, types: &Self::Types, columns: &mut [Column]) -> Self {
                ($({
                    let dense = located.dense(types[$position]) as usize;
                    columns[types[$position].index()].renew(dense, self.$position)
                },)*)
            }

            fn renew(
                entities: &mut [Entity],
                types: &Self::Types,
                signature: Signature,
                index: &mut Index,
                columns: &mut [Column],
                mut make: impl FnMut(usize, Entity) -> Self,
            ) -> usize {
                let [$($column),*] =
                    columns.get_disjoint_mut(types.map(ComponentType::index)).expect(DISTINCT);
                $(let mut $column = $column.parts_mut::<$component>();)*
                for (done, entity) in entities.iter_mut().enumerate() {
                    let Some(new) = index.renewed(*entity, signature) else { return done };
                    let item = make(done, new);
                    index.renew(new.index());
                    *entity = new;
                    let located = index.located(new.index());
                    // Dropped last: if a destructor panics, this entity is respawned.
                    let _old: Self = ($({
                        let dense = located.dense(types[$position]) as usize;
                        let (values, changes) = &mut $column;
                        changes.mark_renewed(dense);
                        std::mem::replace(&mut values[dense], item.$position)
                    },)*);
                }
                entities.len()
            }

            #[cfg(parallel)]
            fn par_renew(
                entities: &[Entity],
                indices: &[u32],
                types: &Self::Types,
                columns: &mut [Column],
                make: impl Fn(usize, Entity) -> Self + Sync,
            ) {
                /// The new entities from a position of the batch on, and their dense indices.
                #[derive(Clone, Copy)]
                struct Part<'a>(usize, &'a [Entity], &'a [u32]);

                /// Replaces values; the slices start at dense index `first`.
                fn replace<$($component: Component),*>(
                    slices: ($(&mut [$component],)*),
                    first: usize,
                    Part(start, entities, indices): Part<'_>,
                    make: &(impl Fn(usize, Entity) -> ($($component,)*) + Sync),
                ) {
                    if entities.len() > RESPAWN_BLOCK {
                        let middle = (entities.len() / 2).next_multiple_of(RESPAWN_BLOCK);
                        let boundary = indices[middle] as usize - first;
                        let halves = ($(slices.$position.split_at_mut(boundary),)*);
                        let front = ($(halves.$position.0,)*);
                        let back = ($(halves.$position.1,)*);
                        let part = Part(start, &entities[..middle], &indices[..middle]);
                        let rest = Part(start + middle, &entities[middle..], &indices[middle..]);
                        let front = || replace(front, first, part, make);
                        let back = || replace(back, first + boundary, rest, make);
                        if entities.len() > RESPAWN_TASK && rayon::current_num_threads() > 1 {
                            rayon::join(front, back);
                        } else {
                            front();
                            back();
                        }
                        return;
                    }
                    let (Some(&low), Some(&high)) = (indices.first(), indices.last()) else { return };
                    if (high - low) as usize + 1 == indices.len() {
                        // Contiguous: the processor fetches what comes next while values are made.
                        let range = low as usize - first..high as usize + 1 - first;
                        $(let $column = &mut slices.$position[range.clone()];)*
                        for (number, &new) in entities.iter().enumerate() {
                            let item = make(start + number, new);
                            $($column[number] = item.$position;)*
                        }
                        return;
                    }
                    $(let mut $column = [const { None }; RESPAWN_BLOCK];)*
                    for (number, &new) in entities.iter().enumerate() {
                        let item = make(start + number, new);
                        $($column[number] = Some(item.$position);)*
                    }
                    // Scattered: one array after the other, so that more of its cache lines are fetched
                    // at once. The former values are read for the same reason: many reads are in flight at
                    // once, and the lines are present for the writes then. `black_box` keeps these reads in
                    // the program.
                    $(for (&dense, value) in indices.iter().zip(&mut $column) {
                        let value = value.as_mut().expect(ONE_EACH);
                        std::mem::swap(&mut slices.$position[dense as usize - first], value);
                    }
                    std::hint::black_box(&$column);)*
                }

                let [$($column),*] =
                    columns.get_disjoint_mut(types.map(ComponentType::index)).expect(DISTINCT);
                $(let $column = $column.parts_mut::<$component>();)*
                $($column.1.mark_all_renewed(indices);)*
                replace(($(&mut $column.0[..],)*), 0, Part(0, entities, indices), &make);
            }

            fn extend(
                items: impl Iterator<Item = Self>,
                types: &Self::Types,
                columns: &mut [Column],
            ) -> usize {
                let [$($column),*] =
                    columns.get_disjoint_mut(types.map(ComponentType::index)).expect(DISTINCT);
                let mut count = 0;
                {
                    $(let $column = $column.values_unmarked::<$component>();)*
                    for item in items {
                        $($column.push(item.$position);)*
                        count += 1;
                    }
                }
                $($column.mark_appended(count);)*
                count
            }

            fn take(
                slot: u32,
                types: &Self::Types,
                removed: Signature,
                index: &mut Index,
                columns: &mut [Column],
            ) -> Self {
                ($({
                    let component = types[$position];
                    let array = index.array_mut(component);
                    let hole = match removed.contains(component) {
                        true => array.len(),
                        false => array.swap_remove(slot),
                    };
                    columns[component.index()].swap_remove::<$component>(hole)
                },)*)
            }

            fn shortest(values: &Self::Columns) -> usize {
                [usize::MAX $(, values.$position.len())*].into_iter().fold(usize::MAX, usize::min)
            }

            fn drain_front(
                count: usize,
                types: &Self::Types,
                columns: &mut [Column],
            ) -> Self::Columns {
                ($(columns[types[$position].index()].drain_front::<$component>(count),)*)
            }

            fn fill(
                mut values: Self::Columns,
                count: usize,
                types: &Self::Types,
                columns: &mut [Column],
            ) {
                // Surplus values are dropped first: a destructor that panics then changes nothing.
                $(values.$position.truncate(count);)*
                $(columns[types[$position].index()].replace(values.$position);)*
            }

            fn into_items(values: Self::Columns) -> impl Iterator<Item = Self> {
                let ($($column,)*) = values;
                $(let mut $column = $column.into_iter();)*
                std::iter::from_fn(move || Some(($($column.next()?,)*)))
            }
        }
    };
}

for_each_tuple!(
    component_tuple! [] (A a 0) (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7) (I i 8)
        (J j 9) (K k 10) (L l 11)
);
