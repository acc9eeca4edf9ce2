//! Observers: who is told when entities and components come and go.

use super::{ComponentType, Entity, Signature, World};

/// What happened to an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The entity has got a component.
    Added(Entity, ComponentType),
    /// The entity has lost a component, also because it is being despawned.
    Removed(Entity, ComponentType),
    /// The entity has been despawned; the handle is stale already.
    Despawned(Entity),
}

type Observer = Box<dyn FnMut(Event) + Send + Sync>;

/// The observers of a world, in the order in which they subscribed.
#[derive(Default)]
pub(super) struct Observers(Vec<Observer>);

impl Observers {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn tell(&mut self, event: Event) {
        self.0.iter_mut().for_each(|observer| observer(event));
    }

    /// An entity got `after` and had `before`.
    #[inline]
    pub(super) fn changed(&mut self, entity: Entity, before: Signature, after: Signature) {
        if self.is_empty() {
            return;
        }
        for component in before.iter().filter(|&component| !after.contains(component)) {
            self.tell(Event::Removed(entity, component));
        }
        for component in after.iter().filter(|&component| !before.contains(component)) {
            self.tell(Event::Added(entity, component));
        }
    }

    /// Entities got components they had none of.
    pub(super) fn gained(&mut self, entities: &[Entity], given: Signature) {
        for &entity in entities {
            self.changed(entity, Signature::EMPTY, given);
        }
    }

    #[inline]
    pub(super) fn despawned(&mut self, entity: Entity, signature: Signature) {
        if !self.is_empty() {
            self.changed(entity, signature, Signature::EMPTY);
            self.tell(Event::Despawned(entity));
        }
    }
}

impl World {
    /// Calls `observer` for every event from now on, once each and in order, right after it
    /// happened. Components of one entity that come or go together are told in the order of their
    /// registration.
    ///
    /// An observer cannot reach the world; one that wants to change it sends itself a note and lets
    /// a system act on it.
    pub fn observe(&mut self, observer: impl FnMut(Event) + Send + Sync + 'static) {
        self.observers.0.push(Box::new(observer));
    }
}
