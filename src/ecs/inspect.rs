//! Inspect: how a world lies in memory, to be looked at.

use super::index::ABSENT;
use super::{ComponentType, Entity, GroupId, Signature, World};

/// What is known of an owning group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupInfo {
    /// By which calls on the world know it.
    pub id: GroupId,
    /// The components whose arrays it orders.
    pub owned: Signature,
    /// The components that keep an entity out of it.
    pub excluded: Signature,
    /// How many entities are in it: the length of the common prefix of the arrays it owns.
    pub len: usize,
}

/// How many slots there are for entities, and what they hold.
///
/// What is neither alive nor free is reserved by [`Commands`](super::Commands), or retired because no
/// generation is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slots {
    /// Slots that were ever used.
    pub used: usize,
    /// Slots in which an entity lives.
    pub alive: usize,
    /// Slots that wait to be used again: the length of the free list.
    pub free: usize,
}

impl World {
    /// The component types, in the order of their registration.
    #[must_use]
    pub fn component_types(&self) -> impl ExactSizeIterator<Item = ComponentType> + use<> {
        (0..self.columns.len() as u8).map(ComponentType::new)
    }

    /// The owning groups; where two are nested, the outer one comes first.
    #[must_use]
    pub fn groups(&self) -> impl ExactSizeIterator<Item = GroupInfo> {
        self.groups.iter().map(|group| group.info(self.id()))
    }

    /// How many slots there are, and what they hold. `O(1)`.
    #[must_use]
    pub fn slots(&self) -> Slots {
        Slots {
            used: self.index.slots().len(),
            alive: self.index.alive() as usize,
            free: self.index.free_slots() as usize,
        }
    }

    /// The entity that lives in a slot; `None` if none does, or there is no such slot. `O(1)`.
    #[must_use]
    pub fn entity_in_slot(&self, slot: u32) -> Option<Entity> {
        let lives = self.index.slots().contains(&slot) && self.index.lives(slot);
        lives.then(|| self.index.entity(slot))
    }

    /// Length of the packed array of a component; `None` if this world has no such number.
    #[must_use]
    pub fn array_len(&self, component: ComponentType) -> Option<usize> {
        self.is_registered(component).then(|| self.index.members(component).len())
    }

    /// The entity whose component lies at one position of a packed array; `None` behind its end.
    /// `O(1)`.
    #[must_use]
    pub fn array_entity(&self, component: ComponentType, position: usize) -> Option<Entity> {
        self.array_len(component).filter(|&len| position < len)?;
        Some(self.index.entity(self.index.members(component)[position]))
    }

    /// At which position of a packed array the component of an entity lies; `None` if the entity has
    /// none, or does not live in this world. `O(1)`.
    #[must_use]
    pub fn array_position(&self, component: ComponentType, entity: Entity) -> Option<usize> {
        let slot = self.index.check(entity).ok().filter(|_| self.is_registered(component))?;
        let dense = self.index.dense(slot)[component.index()];
        (dense != ABSENT).then_some(dense as usize)
    }

    fn is_registered(&self, component: ComponentType) -> bool {
        component.index() < self.columns.len()
    }
}
