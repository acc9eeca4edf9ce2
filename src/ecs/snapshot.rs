//! Snapshots: all entities and components of a world, for saving and restoring them bit for bit.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::column::{self, Column};
use super::index::IndexState;
use super::tuples::for_each_tuple;
use super::{Component, ComponentType, Error, GroupInfo, Signature, World};

/// A tuple of up to sixteen components that serde can write and read, or [`Both`] of two.
pub trait SavedComponents: 'static {
    /// Number of components.
    #[doc(hidden)]
    const LEN: usize;

    /// One array of values per component.
    #[doc(hidden)]
    type Arrays: Serialize + DeserializeOwned;

    /// Returns the component types, in the order of the tuple.
    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Vec<ComponentType>, Error>;

    #[doc(hidden)]
    fn copy(types: &[ComponentType], columns: &[Column]) -> Self::Arrays;

    /// Returns the lengths of the arrays, in the order of the tuple.
    #[doc(hidden)]
    fn lens(values: &Self::Arrays) -> Vec<usize>;

    /// Replaces the packed arrays.
    #[doc(hidden)]
    fn replace(values: Self::Arrays, types: &[ComponentType], columns: &mut [Column]);
}

macro_rules! saved_components {
    ($(($component:ident $position:tt))+) => {
        impl<$($component),+> SavedComponents for ($($component,)+)
        where
            $($component: Component + Clone + Serialize + DeserializeOwned),+
        {
            const LEN: usize = [$($position),+].len();

            type Arrays = ($(Vec<$component>,)+);

            fn types(columns: &[Column]) -> Result<Vec<ComponentType>, Error> {
                Ok(vec![$(column::find::<$component>(columns)?),+])
            }

            fn copy(types: &[ComponentType], columns: &[Column]) -> Self::Arrays {
                ($(columns[types[$position].index()].values::<$component>().clone(),)+)
            }

            fn lens(values: &Self::Arrays) -> Vec<usize> {
                vec![$(values.$position.len()),+]
            }

            fn replace(values: Self::Arrays, types: &[ComponentType], columns: &mut [Column]) {
                // All arrays are replaced before the first of the old values is dropped.
                let old = ($(std::mem::replace(
                    columns[types[$position].index()].values_mut::<$component>(),
                    values.$position,
                ),)+);
                drop(old);
            }
        }
    };
}

for_each_tuple!(
    saved_components! [(A 0)] (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7) (I 8) (J 9) (K 10) (L 11)
        (M 12) (N 13) (O 14) (P 15)
);

/// The components of two lists, for more than a tuple can hold.
pub struct Both<A, B>(PhantomData<(A, B)>);

impl<A: SavedComponents, B: SavedComponents> SavedComponents for Both<A, B> {
    const LEN: usize = A::LEN + B::LEN;

    type Arrays = (A::Arrays, B::Arrays);

    fn types(columns: &[Column]) -> Result<Vec<ComponentType>, Error> {
        Ok([A::types(columns)?, B::types(columns)?].concat())
    }

    fn copy(types: &[ComponentType], columns: &[Column]) -> Self::Arrays {
        let (first, second) = types.split_at(A::LEN);
        (A::copy(first, columns), B::copy(second, columns))
    }

    fn lens((first, second): &Self::Arrays) -> Vec<usize> {
        [A::lens(first), B::lens(second)].concat()
    }

    fn replace((a, b): Self::Arrays, types: &[ComponentType], columns: &mut [Column]) {
        let (first, second) = types.split_at(A::LEN);
        A::replace(a, first, columns);
        B::replace(b, second, columns);
    }
}

/// All entities of a world with their components, handles, free slots and array order. A restored
/// world continues exactly as the saved one would have.
///
/// Systems, observers and resources are not part of it. `C` names every registered component, in any
/// order.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Snapshot<C: SavedComponents> {
    index: IndexState,
    /// Owned and excluded components and the length of each group.
    groups: Vec<(Signature, Signature, usize)>,
    /// Number of the component type of each array.
    types: Vec<u8>,
    values: C::Arrays,
}

impl<C: SavedComponents> Snapshot<C> {
    /// Copies the entities of a world. `O(entities)`.
    ///
    /// # Errors
    /// `C` names a component that is not registered, names one twice, or lacks one.
    pub fn take(world: &World) -> Result<Self, Error> {
        let types = all_types::<C>(world)?;
        Ok(Self {
            index: world.index.state(),
            groups: world.groups.iter().map(definition_and_len).collect(),
            types: numbers(&types),
            values: C::copy(&types, &world.columns),
        })
    }

    /// Replaces all entities of a world that has the same components and groups as the saved one.
    /// Handles keep their [`bits`](super::Entity::to_bits), and those given out after the snapshot
    /// was taken are given out again. Observers are not notified.
    ///
    /// # Errors
    /// `C` does not name all components; or the snapshot is damaged, or of a world with other
    /// components, groups or limits. The world is unchanged then.
    pub fn restore(mut self, world: &mut World) -> Result<(), Error> {
        let types = all_types::<C>(world)?;
        let mut lens = vec![0; types.len()];
        for (&component, len) in types.iter().zip(C::lens(&self.values)) {
            lens[component.index()] = len;
        }
        // The same groups, created in any order.
        let groups: Option<Vec<_>> = world
            .groups
            .iter()
            .map(|&group| {
                let mut saved = self.groups.iter();
                let saved = saved.find(|saved| group.is_of(saved.0, saved.1))?;
                Some(GroupInfo { len: saved.2, ..group })
            })
            .collect();
        let groups = groups.filter(|groups| groups.len() == self.groups.len());
        let groups = groups.ok_or(Error::SnapshotMismatch)?;
        self.index.reorder_lists(&world.index);
        let valid =
            self.types == numbers(&types) && self.index.is_valid(&world.index, &groups, &lens);
        if !valid {
            return Err(Error::SnapshotMismatch);
        }
        world.index.restore(self.index, &groups);
        world.groups = groups;
        C::replace(self.values, &types, &mut world.columns);
        Ok(())
    }
}

fn definition_and_len(group: &GroupInfo) -> (Signature, Signature, usize) {
    (group.owned, group.excluded, group.len)
}

/// Returns the types of `C`, which are all of the world.
fn all_types<C: SavedComponents>(world: &World) -> Result<Vec<ComponentType>, Error> {
    let types = C::types(&world.columns)?;
    let named = column::signature_of(&world.columns, &types)?;
    let mut registered = world.inspect().component_types();
    match registered.find(|&component| !named.contains(component)) {
        Some(missing) => Err(Error::NotNamed(world.columns[missing.index()].name())),
        None => Ok(types),
    }
}

fn numbers(types: &[ComponentType]) -> Vec<u8> {
    types.iter().map(|component| component.index() as u8).collect()
}
