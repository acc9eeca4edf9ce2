//! Snapshot: everything entities hold, to be kept, written to a file, and put back bit for bit.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::column::{self, Column};
use super::group::GroupShape;
use super::index::IndexState;
use super::{Component, ComponentType, Error, World, term};

/// A tuple of components that can be copied, written and read: up to sixteen of them, and as many
/// components can a world have that is saved.
pub trait Saved: 'static {
    /// One array of values for each component.
    #[doc(hidden)]
    type Arrays: Serialize + DeserializeOwned;

    /// The numbers of the components, in the order of the tuple.
    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Vec<ComponentType>, Error>;

    /// Copies of the packed arrays.
    #[doc(hidden)]
    fn copy(types: &[ComponentType], columns: &[Column]) -> Self::Arrays;

    /// Lengths of the arrays, in the order of the tuple.
    #[doc(hidden)]
    fn lens(values: &Self::Arrays) -> Vec<usize>;

    /// Puts the arrays in the place of the packed arrays.
    #[doc(hidden)]
    fn put_back(values: Self::Arrays, types: &[ComponentType], columns: &mut [Column]);
}

macro_rules! saved {
    ($($component:ident $position:tt),+) => {
        impl<$($component),+> Saved for ($($component,)+)
        where
            $($component: Component + Clone + Serialize + DeserializeOwned),+
        {
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

            fn put_back(values: Self::Arrays, types: &[ComponentType], columns: &mut [Column]) {
                // All arrays are put in place before the first of the old values is dropped.
                let old = ($(std::mem::replace(
                    columns[types[$position].index()].values_mut::<$component>(),
                    values.$position,
                ),)+);
                drop(old);
            }
        }
    };
}

saved!(A 0);
saved!(A 0, B 1);
saved!(A 0, B 1, C 2);
saved!(A 0, B 1, C 2, D 3);
saved!(A 0, B 1, C 2, D 3, E 4);
saved!(A 0, B 1, C 2, D 3, E 4, F 5);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
saved!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

/// All entities of a world with their components, handles, free slots and order: a world that is
/// restored goes on as if nothing had happened.
///
/// Systems, observers and resources are not part of it.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Snapshot<B: Saved> {
    index: IndexState,
    groups: Vec<GroupShape>,
    /// In the order of `B`, and to which component type each belongs.
    types: Vec<u8>,
    values: B::Arrays,
}

impl World {
    /// Copies all that entities hold. `B` names every registered component, in any order.
    /// `O(entities)`.
    ///
    /// # Errors
    /// A component is unknown, named twice, or registered but not named.
    pub fn snapshot<B: Saved>(&self) -> Result<Snapshot<B>, Error> {
        let types = self.saved_types::<B>()?;
        Ok(Snapshot {
            index: self.index.state(),
            groups: self.groups.iter().map(super::group::Group::shape).collect(),
            types: numbers(&types),
            values: B::copy(&types, &self.columns),
        })
    }

    /// Puts the content of a snapshot in the place of all entities of this world, which has the
    /// same components and groups as the one it was taken of. Handles keep their
    /// [`bits`](super::Entity::to_bits); those given out after the snapshot was taken are given out
    /// again.
    ///
    /// Observers are not told.
    ///
    /// # Errors
    /// `B` does not name all components; or the snapshot is of a world with other components,
    /// groups or limits, or damaged. Nothing is changed then.
    pub fn restore<B: Saved>(&mut self, snapshot: Snapshot<B>) -> Result<(), Error> {
        let types = self.saved_types::<B>()?;
        let Snapshot { index, groups, types: saved_types, values } = snapshot;
        let lens = B::lens(&values);
        let mut sorted = vec![0; lens.len()];
        for (&component, len) in types.iter().zip(lens) {
            sorted[component.index()] = len;
        }
        let fitting = saved_types == numbers(&types)
            && groups.len() == self.groups.len()
            && self.groups.iter().zip(&groups).all(|(group, shape)| group.has_shape(shape))
            && index.is_sound(self.index.limits(), &sorted)
            && groups.iter().all(|shape| shape.is_sound(&index));
        if !fitting {
            return Err(Error::SnapshotMismatch);
        }
        self.index.restore(index);
        for (group, shape) in self.groups.iter_mut().zip(&groups) {
            group.restore(shape);
        }
        B::put_back(values, &types, &mut self.columns);
        Ok(())
    }

    fn saved_types<B: Saved>(&self) -> Result<Vec<ComponentType>, Error> {
        let types = B::types(&self.columns)?;
        let named = term::signature(&self.columns, &types)?;
        let forgotten = (0..self.columns.len() as u8)
            .map(ComponentType::new)
            .find(|&component| !named.contains(component));
        match forgotten {
            Some(component) => Err(Error::NotNamed(self.columns[component.index()].name())),
            None => Ok(types),
        }
    }
}

fn numbers(types: &[ComponentType]) -> Vec<u8> {
    types.iter().map(|component| component.index() as u8).collect()
}
