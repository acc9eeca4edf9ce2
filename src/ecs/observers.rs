//! Observers: callbacks for changes of entities and components.

use super::{ComponentType, Entity, Signature};

/// A change of an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A component was added to the entity.
    Added(Entity, ComponentType),
    /// A component was removed from the entity, or the entity was despawned with it.
    Removed(Entity, ComponentType),
    /// The entity was despawned; its handle is stale.
    Despawned(Entity),
}

type Observer = Box<dyn FnMut(Event) + Send + Sync>;

/// The observers of a world, in the order in which they were added; reached by
/// [`World::observers_mut`](super::World::observers_mut).
#[derive(Default)]
pub struct Observers(Vec<Observer>);

impl Observers {
    /// Adds an observer, which is called for every later event, once and in order, immediately after
    /// it happened. Components of one entity that are added or removed together are reported in the
    /// order of registration.
    ///
    /// An observer has no access to the world. To react with a change, let it send a message to a
    /// system.
    pub fn add(&mut self, observer: impl FnMut(Event) + Send + Sync + 'static) {
        self.0.push(Box::new(observer));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn notify(&mut self, event: Event) {
        self.0.iter_mut().for_each(|observer| observer(event));
    }

    /// Reports the difference of two signatures of an entity.
    #[inline]
    pub(super) fn changed(&mut self, entity: Entity, before: Signature, after: Signature) {
        if self.is_empty() {
            return;
        }
        for component in before.difference(after).iter() {
            self.notify(Event::Removed(entity, component));
        }
        for component in after.difference(before).iter() {
            self.notify(Event::Added(entity, component));
        }
    }

    /// Reports the difference of two signatures for each of the entities.
    pub(super) fn all_changed(&mut self, entities: &[Entity], before: Signature, after: Signature) {
        for &entity in entities {
            self.changed(entity, before, after);
        }
    }

    #[inline]
    pub(super) fn despawned(&mut self, entity: Entity, signature: Signature) {
        if !self.is_empty() {
            self.changed(entity, signature, Signature::EMPTY);
            self.notify(Event::Despawned(entity));
        }
    }
}
