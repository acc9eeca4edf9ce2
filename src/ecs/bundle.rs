//! Bundle: a set of components given at once, as a tuple.

use super::column::{self, Column};
use super::index::Index;
use super::{Component, ComponentType, Error, Signature};

/// A tuple of up to eight components of different types, `()` and `(A,)` included.
///
/// As a value it is what an entity is spawned with; as a type it names a set of components.
pub trait Bundle: Sized {
    /// The numbers of the components, in the order of the tuple.
    #[doc(hidden)]
    type Types: AsRef<[ComponentType]>;

    #[doc(hidden)]
    fn types(columns: &[Column]) -> Result<Self::Types, Error>;

    /// Appends each component to its packed array; the entity in `slot` has none of them yet.
    #[doc(hidden)]
    fn store(self, slot: u32, types: &Self::Types, index: &mut Index, columns: &mut [Column]);

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

macro_rules! bundle {
    ($count:literal: $($component:ident $position:tt),*) => {
        impl<$($component: Component),*> Bundle for ($($component,)*) {
            type Types = [ComponentType; $count];

            fn types(columns: &[Column]) -> Result<Self::Types, Error> {
                // The empty tuple looks nothing up.
                let _ = columns;
                Ok([$(column::find::<$component>(columns)?),*])
            }

            fn store(
                self,
                slot: u32,
                types: &Self::Types,
                index: &mut Index,
                columns: &mut [Column],
            ) {
                let _ = (slot, types, &index, &columns);
                $(
                    let component = types[$position];
                    index.attach(slot, component);
                    columns[component.index()].values_mut().push(self.$position);
                )*
            }
        }
    };
}

bundle!(0:);
bundle!(1: A 0);
bundle!(2: A 0, B 1);
bundle!(3: A 0, B 1, C 2);
bundle!(4: A 0, B 1, C 2, D 3);
bundle!(5: A 0, B 1, C 2, D 3, E 4);
bundle!(6: A 0, B 1, C 2, D 3, E 4, F 5);
bundle!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
bundle!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
