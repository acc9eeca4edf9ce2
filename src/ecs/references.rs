//! References to entities inside of components.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::num::NonZero;
use std::time::Duration;

use super::Entity;
use super::tuples::for_each_tuple;

/// A component that refers to entities, for instance to a parent or a target. Numbers, texts and the like refer to none.
///
/// [`World::register_references`](super::World::register_references) makes a restored snapshot call this, so that the
/// handles in it are those of the world that it was restored to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not tell which entities it refers to",
    note = "implement `MapEntities` for it, with a call of `map_entities` for each field that holds handles; a type of another \
            crate, such as the key of a map, in a struct of your own"
)]
pub trait MapEntities {
    /// Replaces each handle by the result of `map`.
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity);
}

impl MapEntities for Entity {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = map(*self);
    }
}

impl<T: MapEntities> MapEntities for Option<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        if let Some(value) = self {
            value.map_entities(map);
        }
    }
}

impl<T: MapEntities> MapEntities for [T] {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        for value in self {
            value.map_entities(map);
        }
    }
}

impl<T: MapEntities, const N: usize> MapEntities for [T; N] {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self[..].map_entities(map);
    }
}

impl<T: MapEntities> MapEntities for Vec<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self[..].map_entities(map);
    }
}

impl<T: MapEntities> MapEntities for VecDeque<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        for value in self {
            value.map_entities(map);
        }
    }
}

impl<T: MapEntities + Eq + Hash, S: BuildHasher + Default> MapEntities for HashSet<T, S> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(|value| mapped(value, map)).collect();
    }
}

impl<T: MapEntities + Ord> MapEntities for BTreeSet<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(|value| mapped(value, map)).collect();
    }
}

impl<K: MapEntities + Eq + Hash, T: MapEntities, S: BuildHasher + Default> MapEntities
    for HashMap<K, T, S>
{
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(|entry| mapped(entry, map)).collect();
    }
}

impl<K: MapEntities + Ord, T: MapEntities> MapEntities for BTreeMap<K, T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(|entry| mapped(entry, map)).collect();
    }
}

fn mapped<T: MapEntities>(mut value: T, map: &mut dyn FnMut(Entity) -> Entity) -> T {
    value.map_entities(map);
    value
}

impl<T: MapEntities + ?Sized> MapEntities for Box<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        (**self).map_entities(map);
    }
}

macro_rules! without_entities {
    ($($type:ty)+) => {
        $(impl MapEntities for $type {
            fn map_entities(&mut self, _: &mut dyn FnMut(Entity) -> Entity) {}
        })+
    };
}

without_entities!(() bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 str &str String);
without_entities!(NonZero<u8> NonZero<u16> NonZero<u32> NonZero<u64> NonZero<usize> Duration);

macro_rules! tuple {
    ($(($type:ident $position:tt))+) => {
        impl<$($type: MapEntities),+> MapEntities for ($($type,)+) {
            fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
                $(self.$position.map_entities(map);)+
            }
        }
    };
}

for_each_tuple!(tuple! [(A 0)] (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7));
