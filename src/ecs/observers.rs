//! Observers: callbacks for changes of entities and components.

use std::any::Any;

use super::exclusive::Exclusive;
use super::{Component, ComponentType, Entity, Signature, WorldId};

/// Identifies an observer of one world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObserverId {
    pub(super) world: WorldId,
    number: u64,
}

/// Event that calls an observer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ecs) enum Trigger {
    Added(ComponentType),
    Removed(ComponentType),
    Despawned,
}

/// Called with the entity and the component; with `()` for a despawned entity.
type Callback = Box<dyn FnMut(Entity, &dyn Any) + Send>;

struct Observer {
    number: u64,
    trigger: Trigger,
    call: Exclusive<Callback>,
}

/// The observers of a world, in the order in which they were added.
#[derive(Default)]
pub(in crate::ecs) struct Observers {
    list: Vec<Observer>,
    added: u64,
    /// Components whose addition is observed.
    pub(super) on_added: Signature,
    /// Components whose removal is observed.
    pub(super) on_removed: Signature,
}

impl Observers {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns `true` if an observer may be called when an entity with these components is despawned.
    pub(super) fn concern_despawned(&self, components: Signature) -> bool {
        !self.on_removed.is_disjoint(components)
            || self.list.iter().any(|observer| observer.trigger == Trigger::Despawned)
    }

    /// Returns `true` if an observer may be called when an entity with these components is respawned.
    pub(super) fn concern_respawned(&self, components: Signature) -> bool {
        !self.on_added.is_disjoint(components) || self.concern_despawned(components)
    }

    /// Adds an observer, which is called with the entity and the component.
    pub(super) fn push(
        &mut self,
        world: WorldId,
        trigger: Trigger,
        call: impl FnMut(Entity, &dyn Any) + Send + 'static,
    ) -> ObserverId {
        let number = self.added;
        self.added += 1;
        let call = Exclusive::new(Box::new(call) as Callback);
        self.list.push(Observer { number, trigger, call });
        self.update_signatures();
        ObserverId { world, number }
    }

    /// Removes an observer; returns `false` if there is none with this id.
    pub(super) fn remove(&mut self, id: ObserverId) -> bool {
        let before = self.list.len();
        self.list.retain(|observer| observer.number != id.number);
        self.update_signatures();
        self.list.len() < before
    }

    fn update_signatures(&mut self) {
        let components = |select: fn(Trigger) -> Option<ComponentType>| {
            self.list.iter().filter_map(|observer| select(observer.trigger)).collect()
        };
        self.on_added = components(|trigger| match trigger {
            Trigger::Added(component) => Some(component),
            _ => None,
        });
        self.on_removed = components(|trigger| match trigger {
            Trigger::Removed(component) => Some(component),
            _ => None,
        });
    }

    pub(super) fn notify(&mut self, trigger: Trigger, entity: Entity, value: &dyn Any) {
        for observer in self.list.iter_mut().filter(|observer| observer.trigger == trigger) {
            observer.call.get_mut()(entity, value);
        }
    }

    #[inline]
    pub(super) fn despawned(&mut self, entity: Entity) {
        if !self.is_empty() {
            self.notify(Trigger::Despawned, entity, &());
        }
    }
}

/// Returns an observer of one component that takes the value with its type erased.
pub(super) fn with_value<T: Component>(
    mut observer: impl FnMut(Entity, &T) + Send + 'static,
) -> impl FnMut(Entity, &dyn Any) + Send + 'static {
    move |entity, value| {
        observer(entity, value.downcast_ref().expect("the value is of the observed type"));
    }
}
