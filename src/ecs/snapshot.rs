//! Snapshots: all entities and components of a world, for saving and restoring them.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::column::{Column, for_each_despite_panic};
use super::column_map::ColumnMap;
use super::index::{Index, SavedIndex};
use super::tuples::for_each_tuple;
use super::{Component, ComponentType, Entity, Error, GroupInfo, Signature, World, WorldId};

/// A tuple of up to sixteen components that serde can write and read, or [`Both`] of two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved",
    note = "use a tuple of up to sixteen components that implement `Clone`, `Serialize` and `Deserialize`: `(A,)` for one",
    note = "`Both` combines two tuples"
)]
pub trait SavedComponents: 'static {
    /// Number of components.
    #[doc(hidden)]
    const LEN: usize;

    /// One array of values per component.
    #[doc(hidden)]
    type Arrays: Clone + Serialize + DeserializeOwned;

    /// Returns the component types, in the order of the tuple; `None` for those that are not
    /// registered.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn find(columns: &ColumnMap) -> Vec<Option<ComponentType>>;

    /// Returns the component types, in the order of the tuple; registers those that are not yet.
    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn register(index: &mut Index, columns: &mut ColumnMap) -> Vec<ComponentType>;

    #[doc(hidden)]
    fn copy(types: &[Option<ComponentType>], columns: &[Column]) -> Self::Arrays;

    /// Returns the lengths of the arrays, in the order of the tuple.
    #[doc(hidden)]
    fn lens(values: &Self::Arrays) -> Vec<usize>;

    /// Replaces the packed arrays, and returns the former values.
    #[doc(hidden)]
    fn replace(
        values: Self::Arrays,
        types: &[ComponentType],
        columns: &mut [Column],
    ) -> Self::Arrays;
}

macro_rules! saved_components {
    ($(($component:ident $position:tt))+) => {
        impl<$($component),+> SavedComponents for ($($component,)+)
        where
            $($component: Component + Clone + Serialize + DeserializeOwned),+
        {
            const LEN: usize = [$($position),+].len();

            type Arrays = ($(Vec<$component>,)+);

            fn find(columns: &ColumnMap) -> Vec<Option<ComponentType>> {
                vec![$(columns.find::<$component>()),+]
            }

            fn register(index: &mut Index, columns: &mut ColumnMap) -> Vec<ComponentType> {
                vec![$(columns.register::<$component>(index)),+]
            }

            fn copy(types: &[Option<ComponentType>], columns: &[Column]) -> Self::Arrays {
                ($(types[$position].map_or_else(Vec::new, |component| {
                    columns[component.index()].values::<$component>().clone()
                }),)+)
            }

            fn lens(values: &Self::Arrays) -> Vec<usize> {
                vec![$(values.$position.len()),+]
            }

            fn replace(
                values: Self::Arrays,
                types: &[ComponentType],
                columns: &mut [Column],
            ) -> Self::Arrays {
                ($(columns[types[$position].index()].replace(values.$position),)+)
            }
        }
    };
}

for_each_tuple!(
    saved_components! [(A 0)] (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7) (I 8) (J 9) (K 10) (L 11)
        (M 12) (N 13) (O 14) (P 15)
);

/// Type parameter of a [`Snapshot`] with more components than a tuple can hold: `Snapshot<Both<(A, B), (C,)>>`. It has
/// no values.
#[derive(Debug)]
pub struct Both<A, B>(PhantomData<(A, B)>);

impl<A: SavedComponents, B: SavedComponents> SavedComponents for Both<A, B> {
    const LEN: usize = A::LEN + B::LEN;

    type Arrays = (A::Arrays, B::Arrays);

    fn find(columns: &ColumnMap) -> Vec<Option<ComponentType>> {
        [A::find(columns), B::find(columns)].concat()
    }

    fn register(index: &mut Index, columns: &mut ColumnMap) -> Vec<ComponentType> {
        let first = A::register(index, columns);
        [first, B::register(index, columns)].concat()
    }

    fn copy(types: &[Option<ComponentType>], columns: &[Column]) -> Self::Arrays {
        let (first, second) = types.split_at(A::LEN);
        (A::copy(first, columns), B::copy(second, columns))
    }

    fn lens((first, second): &Self::Arrays) -> Vec<usize> {
        [A::lens(first), B::lens(second)].concat()
    }

    fn replace(
        (a, b): Self::Arrays,
        types: &[ComponentType],
        columns: &mut [Column],
    ) -> Self::Arrays {
        let (first, second) = types.split_at(A::LEN);
        (A::replace(a, first, columns), B::replace(b, second, columns))
    }
}

/// All entities of a world with their handles, free slots and array order, and their components `C`, named in any order.
/// To deserialize a snapshot, name them in the order in which it was saved: the data has no names. A restored world has the
/// order of the saved one if both registered their component types in the same order. Otherwise a query may visit the same
/// entities in another order.
///
/// A snapshot has no systems, observers, resources and times of changes, and no components that `C` does not name: restored
/// entities lack them. Restored components of tracked types count as added. Entities that
/// [`Commands`](super::Commands) would spawn later are not part of a snapshot either.
///
/// Handles of the saved world inside components, and all deserialized ones, become handles of the world that a snapshot is
/// restored to if their component is registered by [`World::register_references`]. Other deserialized handles belong to no
/// world.
///
/// ```
/// use cubefall::ecs::{Snapshot, World};
///
/// let mut world = World::new();
/// let troll = world.spawn((50_u32,));
/// let saved = Snapshot::<(u32,)>::take(&world);
/// world.despawn(troll)?;
/// saved.restore(&mut world)?;
/// assert_eq!(world.get::<&u32>(troll)?, &50);
/// # Ok::<(), cubefall::ecs::Error>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Snapshot<C: SavedComponents> {
    /// The saved world; `None` for a deserialized snapshot, whose handles belong to no world.
    #[serde(skip)]
    world: Option<WorldId>,
    index: SavedIndex,
    /// Owned and excluded components and the length of each group.
    groups: Vec<(Signature, Signature, usize)>,
    /// Number of the component type of each array.
    types: Vec<Option<u8>>,
    values: C::Arrays,
}

/// Prints the groups.
impl<C: SavedComponents> fmt::Debug for Snapshot<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("groups", &self.groups).finish_non_exhaustive()
    }
}

impl<C: SavedComponents> Clone for Snapshot<C> {
    fn clone(&self) -> Self {
        let Self { world, index, groups, types, values } = self;
        Self {
            world: *world,
            index: index.clone(),
            groups: groups.clone(),
            types: types.clone(),
            values: values.clone(),
        }
    }
}

impl<C: SavedComponents> Snapshot<C> {
    /// Copies the entities of a world. `O(entities)`.
    ///
    /// # Panics
    /// `C` lacks a component that a group owns or excludes, or names one twice.
    #[cfg_attr(not(web), track_caller)]
    pub fn take(world: &World) -> Self {
        let types = C::find(&world.columns);
        let known: Vec<_> = types.iter().copied().flatten().collect();
        let named = world.columns.signature_of(&known);
        let registered: Signature = world.inspect().component_types().collect();
        let left_out = registered.difference(named);
        if let Some(grouped) =
            left_out.intersection(world.owned.union(world.excluded)).iter().next()
        {
            let name = world.columns[grouped.index()].name();
            panic!("component {name} cannot be left out of a snapshot: a group depends on it");
        }
        Self {
            world: Some(world.id()),
            index: world.index.save(left_out),
            groups: world
                .groups
                .iter()
                .map(|group| (group.owned, group.excluded, group.len))
                .collect(),
            types: types.iter().map(|it| it.map(|component| component.index() as u8)).collect(),
            values: C::copy(&types, &world.columns),
        }
    }

    /// Replaces all entities of a world that has the same groups as the saved one. Handles keep their
    /// [`bits`](super::Entity::to_bits), and those given out after the snapshot was taken are given
    /// out again. Observers are not notified.
    ///
    /// # Errors
    /// The snapshot is damaged, or of a world with other groups, or exceeds the limits of this one. The world is unchanged then,
    /// but for the registration of `C`.
    ///
    /// # Panics
    /// `C` names a component twice.
    #[cfg_attr(not(web), track_caller)]
    pub fn restore(self, world: &mut World) -> Result<(), Error> {
        let types = C::register(&mut world.index, &mut world.columns);
        let named = world.columns.signature_of(&types);
        let lens = C::lens(&self.values);
        let numbers =
            TypeNumbers::new(&self.types, &types, &lens).ok_or(Error::SnapshotMismatch)?;
        let groups = numbers.groups(&self.groups, world).ok_or(Error::SnapshotMismatch)?;
        let index = self.index.translate(|saved| numbers.translate(saved), &world.index, &groups);
        let mut array_lens = vec![0; world.columns.len()];
        for (component, len) in types.iter().zip(lens) {
            array_lens[component.index()] = len;
        }
        let index = index.filter(|index| index.is_valid(&world.index, &groups, &array_lens));
        world.index.restore(index.ok_or(Error::SnapshotMismatch)?, &groups);
        world.groups = groups;
        let (id, saved) = (world.id(), self.world);
        let Self { values, .. } = self;
        let dropped = catch_unwind(AssertUnwindSafe(|| {
            let others = world
                .columns
                .iter_mut()
                .zip(0..)
                .filter(|(_, number)| !named.contains(ComponentType::new(*number)));
            for_each_despite_panic(others, |(column, _)| column.truncate(0));
        }));
        let old = C::replace(values, &types, &mut world.columns);
        for column in world.columns.iter_mut() {
            column.map_entities(&mut |entity| {
                let foreign = entity.world() != WorldId::NONE && Some(entity.world()) != saved;
                let own = Entity::from_bits(entity.to_bits(), id).filter(|_| !foreign);
                own.unwrap_or(entity)
            });
        }
        // Dropped last: if a destructor panics, all is done.
        drop(old);
        dropped.unwrap_or_else(|panic| resume_unwind(panic));
        Ok(())
    }
}

/// The component types of a world, by their numbers in a saved world.
struct TypeNumbers(Vec<(u8, ComponentType)>);

impl TypeNumbers {
    /// Returns `None` for damaged data: a number occurs twice, a component that was not registered has values, or the list
    /// does not have one entry per component.
    fn new(saved: &[Option<u8>], types: &[ComponentType], lens: &[usize]) -> Option<Self> {
        let mut numbers: Vec<(u8, ComponentType)> = Vec::new();
        for ((saved, &component), &len) in saved.iter().zip(types).zip(lens) {
            match *saved {
                Some(saved) if numbers.iter().all(|(other, _)| *other != saved) => {
                    numbers.push((saved, component));
                }
                None if len == 0 => {}
                _ => return None,
            }
        }
        (saved.len() == types.len()).then_some(Self(numbers))
    }

    /// Returns a set of saved component types in the numbers of this world; `None` if it contains
    /// another type.
    fn translate(&self, saved: Signature) -> Option<Signature> {
        let number = |saved: ComponentType| {
            let mut numbers = self.0.iter();
            numbers.find(|(number, _)| usize::from(*number) == saved.index()).map(|it| it.1)
        };
        saved.iter().map(number).collect()
    }

    /// Returns the groups of a world with the lengths of the saved ones, which may have been created
    /// in another order; `None` if these are other groups.
    fn groups(
        &self,
        saved: &[(Signature, Signature, usize)],
        world: &World,
    ) -> Option<Vec<GroupInfo>> {
        let saved = saved.iter().map(|&(owned, excluded, len)| {
            Some((self.translate(owned)?, self.translate(excluded)?, len))
        });
        let saved: Vec<_> = saved.collect::<Option<_>>()?;
        let groups = world.groups.iter().map(|&group| {
            let same = saved.iter().find(|saved| group.is_of(saved.0, saved.1))?;
            Some(GroupInfo { len: same.2, ..group })
        });
        groups.collect::<Option<Vec<_>>>().filter(|groups| groups.len() == saved.len())
    }
}
