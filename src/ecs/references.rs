//! References to entities inside of components.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;

use super::Entity;

/// A component that refers to entities, for instance to a parent or a target.
///
/// [`World::register_references`](super::World::register_references) makes a restored snapshot call
/// this, so that the handles in it are those of the world that it was restored to.
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

impl<S: BuildHasher + Default> MapEntities for HashSet<Entity, S> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(map).collect();
    }
}

impl MapEntities for BTreeSet<Entity> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        *self = std::mem::take(self).into_iter().map(map).collect();
    }
}

/// Maps the values, not the keys.
impl<K, T: MapEntities> MapEntities for BTreeMap<K, T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        for value in self.values_mut() {
            value.map_entities(map);
        }
    }
}

impl<T: MapEntities + ?Sized> MapEntities for Box<T> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        (**self).map_entities(map);
    }
}

/// Maps the values, not the keys.
impl<K, T: MapEntities, S> MapEntities for HashMap<K, T, S> {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        for value in self.values_mut() {
            value.map_entities(map);
        }
    }
}
