//! Struct bundle: a struct of which every field is a component.

use super::column::Column;
use super::index::Index;
use super::{Bundle, Error};

/// A struct that is given and taken as the set of its fields, each of which is a component with a
/// packed array of its own.
///
/// So values that belong together for whoever spawns them can lie apart for the systems: one that
/// only moves entities then reads and writes positions, and nothing else that a transform has.
/// A struct bundle can stand wherever a tuple can: it names what its fields name.
///
/// ```
/// use cubefall::ecs::{Error, StructBundle, World};
///
/// struct Place(f32);
/// struct Facing(f32);
///
/// struct Pose {
///     place: f32,
///     facing: f32,
/// }
///
/// impl StructBundle for Pose {
///     type Fields = (Place, Facing);
///
///     fn into_fields(self) -> (Place, Facing) {
///         (Place(self.place), Facing(self.facing))
///     }
///
///     fn from_fields((place, facing): (Place, Facing)) -> Self {
///         Self { place: place.0, facing: facing.0 }
///     }
/// }
///
/// fn main() -> Result<(), Error> {
///     let mut world = World::new();
///     world.register::<Place>()?;
///     world.register::<Facing>()?;
///     let walker = world.spawn(Pose { place: 3.0, facing: 0.5 })?;
///     world.get_mut::<Place>(walker)?.0 += 1.0;
///     let pose: Pose = world.remove_bundle(walker)?;
///     assert_eq!((pose.place, pose.facing), (4.0, 0.5));
///     Ok(())
/// }
/// ```
pub trait StructBundle: Sized + 'static {
    /// The components: a tuple of up to twelve, or another struct bundle.
    type Fields: Bundle;

    /// Takes the struct apart.
    fn into_fields(self) -> Self::Fields;

    /// Puts a struct together.
    fn from_fields(fields: Self::Fields) -> Self;
}

impl<S: StructBundle> Bundle for S {
    type Types = <S::Fields as Bundle>::Types;
    type Columns = <S::Fields as Bundle>::Columns;

    fn types(columns: &[Column]) -> Result<Self::Types, Error> {
        S::Fields::types(columns)
    }

    fn store(self, slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]) {
        self.into_fields().store(slot, types, index, columns);
    }

    fn overwrite(self, dense: &[u32], types: &Self::Types, columns: &mut [Column]) {
        self.into_fields().overwrite(dense, types, columns);
    }

    fn extend(
        items: impl Iterator<Item = Self>,
        types: &Self::Types,
        columns: &mut [Column],
    ) -> usize {
        S::Fields::extend(items.map(S::into_fields), types, columns)
    }

    fn take(slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]) -> Self {
        S::from_fields(S::Fields::take(slot, types, index, columns))
    }

    fn push(self, values: &mut Self::Columns) {
        self.into_fields().push(values);
    }

    fn shortest(values: &Self::Columns) -> usize {
        S::Fields::shortest(values)
    }

    fn drain_front(count: usize, types: &Self::Types, columns: &mut [Column]) -> Self::Columns {
        S::Fields::drain_front(count, types, columns)
    }

    fn append(values: Self::Columns, count: usize, types: &Self::Types, columns: &mut [Column]) {
        S::Fields::append(values, count, types, columns);
    }

    fn into_items(values: Self::Columns) -> impl Iterator<Item = Self> {
        S::Fields::into_items(values).map(S::from_fields)
    }
}
