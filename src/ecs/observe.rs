//! Adding observers to a world, and calling them.

use std::any::Any;

use super::column::for_each_despite_panic;
use super::observers::{Trigger, with_value};
use super::{Component, ComponentType, Entity, Error, ObserverId, Signature, World};

/// An observer is called for every later event of its kind, once and in order: before a component is
/// removed, and after one was added or an entity was despawned. Observers of one event are called in
/// the order in which they were added. Components of one entity that are added or removed together
/// are reported in the order of registration. Replacing a value and restoring a snapshot call no
/// observer.
///
/// If an observer panics, later observers of that entity are not called, and the panic continues after a batch has
/// processed its other entities. But `respawn_batch` ends at that entity, and `take_group` takes nothing. A component
/// whose removal was observed stays with its entity, and so does one that was added.
///
/// An observer has no access to the world. To react with a change, let it send a message to a system.
impl World {
    /// Adds an observer of added components `T`, of new entities too.
    #[cfg_attr(not(web), track_caller)]
    pub fn on_added<T: Component>(
        &mut self,
        observer: impl FnMut(Entity, &T) + Send + 'static,
    ) -> ObserverId {
        let component = self.register::<T>();
        self.observers.push(self.index.world(), Trigger::Added(component), with_value(observer))
    }

    /// Adds an observer of components `T` that are removed, of despawned entities too.
    #[cfg_attr(not(web), track_caller)]
    pub fn on_removed<T: Component>(
        &mut self,
        observer: impl FnMut(Entity, &T) + Send + 'static,
    ) -> ObserverId {
        let component = self.register::<T>();
        self.observers.push(self.index.world(), Trigger::Removed(component), with_value(observer))
    }

    /// Adds an observer of despawned entities, whose handles are stale when it is called.
    pub fn on_despawned(
        &mut self,
        mut observer: impl FnMut(Entity) + Send + 'static,
    ) -> ObserverId {
        let call = move |entity, _: &dyn Any| observer(entity);
        self.observers.push(self.index.world(), Trigger::Despawned, call)
    }

    /// Removes an observer.
    ///
    /// # Errors
    /// The observer was removed before, or belongs to another world.
    pub fn remove_observer(&mut self, id: ObserverId) -> Result<(), Error> {
        let removed = id.world == self.id() && self.observers.remove(id);
        removed.then_some(()).ok_or(Error::NoSuchObserver)
    }

    /// Reports components of the entity in `slot` that were added.
    #[inline]
    pub(super) fn notify_added(&mut self, slot: u32, added: Signature) {
        self.notify(slot, self.observers.on_added.intersection(added), Trigger::Added);
    }

    /// Reports components of each of the entities that were added.
    pub(super) fn notify_all_added(&mut self, entities: &[Entity], added: Signature) {
        if !self.observers.on_added.is_disjoint(added) {
            for_each_despite_panic(entities.iter(), |entity| {
                self.notify_added(entity.index(), added);
            });
        }
    }

    /// Reports components of the entity in `slot` that will be removed.
    #[inline]
    pub(super) fn notify_removed(&mut self, slot: u32, removed: Signature) {
        self.notify(slot, self.observers.on_removed.intersection(removed), Trigger::Removed);
    }

    #[inline]
    fn notify(&mut self, slot: u32, observed: Signature, trigger: fn(ComponentType) -> Trigger) {
        if observed.is_empty() {
            return;
        }
        let Self { index, columns, observers, .. } = self;
        let located = index.located(slot);
        for component in observed {
            let value = columns[component.index()].any_value(located.dense(component) as usize);
            observers.notify(trigger(component), located.entity(), value);
        }
    }
}
