//! Taking components from a whole group, and restoring them later.

use super::bundle::{ComponentTuple, Types};
use super::column::for_each_despite_panic;
use super::{Bundle, Columns, Entity, Error, GroupId, Signature, World};
use std::fmt;

/// Components taken from the members of a group by [`World::take_group`].
#[must_use = "the components are lost unless they are restored"]
pub struct TakenGroup<B: Bundle> {
    /// The former members, in the order of the values.
    pub entities: Vec<Entity>,
    /// One array per component: index `i` is the component of entity `i`.
    pub values: Columns<B>,
}

/// Prints the former members.
impl<B: Bundle> fmt::Debug for TakenGroup<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakenGroup").field("entities", &self.entities).finish_non_exhaustive()
    }
}

impl<B: Bundle> Default for TakenGroup<B> {
    fn default() -> Self {
        Self { entities: Vec::new(), values: Columns::<B>::default() }
    }
}

impl World {
    /// Takes the components of `B` from every member of the group. If no other group than those
    /// nested in this one depends on the components, this is one pass over the rows and over the tail of each
    /// array, and an array that holds members only is moved without copying.
    ///
    /// # Errors
    /// The group was removed, or belongs to another world.
    ///
    /// # Panics
    /// The group does not own a component of `B`.
    #[cfg_attr(not(web), track_caller)]
    pub fn take_group<B: Bundle>(&mut self, group: GroupId) -> Result<TakenGroup<B>, Error> {
        let group = self.find_group(group)?;
        let (types, taken) = self.resolve::<B::Components>();
        self.assert_owned(&group, taken);
        let slots = group.members(&self.index).to_vec();
        let entities: Vec<_> = slots.iter().map(|&slot| self.index.entity(slot)).collect();
        if !self.observers.on_removed.is_disjoint(taken) {
            for &slot in &slots {
                self.notify_removed(slot, taken);
            }
        }

        let mut concerned = self.groups.iter().filter(|other| other.concerns(taken));
        let values = if concerned.all(|other| group.is_around(other)) {
            let concerned = self.groups.iter_mut().filter(|other| other.concerns(taken));
            let dissolved = concerned.fold(Signature::EMPTY, |dissolved, group| {
                group.len = 0;
                dissolved.union(group.outermost)
            });
            self.index.take_group(&slots, taken, dissolved);
            B::Components::drain_front(slots.len(), &types, &mut self.columns)
        } else {
            self.take_one_by_one::<B>(&slots, &types, taken)
        };
        Ok(TakenGroup { entities, values })
    }

    fn take_one_by_one<B: Bundle>(
        &mut self,
        slots: &[u32],
        types: &Types<B>,
        taken: Signature,
    ) -> Columns<B> {
        // From the end of the group, so that no other member moves.
        let from_the_end = slots.iter().rev();
        let items: Vec<B::Components> =
            from_the_end.map(|&slot| self.take_from_slot(slot, types, taken)).collect();
        let mut values = Columns::<B>::default();
        values.extend(items.into_iter().rev());
        values
    }

    /// Restores the components to those of the entities that still live and have none of them;
    /// returns the number of these. An entity that occurs twice gets its first values. An entity
    /// beyond the end of the shortest array gets none, and surplus values are dropped. If neither the
    /// entities nor the arrays changed in between, the members are in the same order as before. This is one pass over the
    /// rows if, besides, all members have the same other components, no other entity has one of those that are restored, and
    /// no group excludes one of them. Otherwise the members are restored one by one, and the other entities may change their
    /// order.
    #[cfg_attr(not(web), track_caller)]
    pub fn restore_group<B: Bundle>(&mut self, taken: TakenGroup<B>) -> usize {
        let (types, given) = self.resolve::<B::Components>();
        let TakenGroup { entities, values } = taken;
        let values_len = B::Components::shortest(&values);
        if let Some((slots, after)) = self.restorable_at_once(&entities, values_len, given) {
            B::Components::fill(values, slots.len(), &types, &mut self.columns);
            let (mut joined, mut lists) = (Signature::EMPTY, 0);
            let concerned = self.groups.iter_mut().filter(|group| group.concerns(given));
            for group in concerned.filter(|group| group.matches(after)) {
                group.len += slots.len();
                joined = joined.union(group.outermost);
                lists |= group.lists;
            }
            let lists = self.index.lists().filter(|list| lists >> list & 1 != 0);
            self.index.fill(&slots, (given, after), joined, lists);
            self.notify_all_added(&entities, given);
            return entities.len();
        }
        let mut restored = 0;
        let items = entities.into_iter().zip(B::Components::into_items(values));
        for_each_despite_panic(items, |(entity, item)| {
            let Ok(slot) = self.index.check(entity) else { return };
            if self.index.signature(slot).is_disjoint(given) {
                self.give_to_slot(slot, item, &types, given);
                restored += 1;
            }
        });
        restored
    }

    /// Returns slots and new signature of `entities` if the components can become the whole content
    /// of their arrays: all entities live and have the same signature, the arrays are empty, and
    /// each group that the entities enter has its other arrays in the same order.
    fn restorable_at_once(
        &self,
        entities: &[Entity],
        values_len: usize,
        given: Signature,
    ) -> Option<(Vec<u32>, Signature)> {
        if entities.len() != values_len {
            return None;
        }
        let mut slots = Vec::with_capacity(entities.len());
        for &entity in entities {
            slots.push(self.index.check(entity).ok()?);
        }
        let before = self.index.signature(*slots.first()?);
        let after = before.union(given);
        let concerned = || self.groups.iter().filter(|group| group.concerns(given));
        let entered = concerned().filter(|group| group.matches(after));
        let owned = entered.fold(Signature::EMPTY, |owned, group| owned.union(group.owned));
        let others = owned.difference(given);
        let is_first = |component| {
            let mut entities = self.index.slots_of(component);
            slots.iter().all(|&slot| entities.next() == Some(slot))
        };
        let restorable = before.is_disjoint(given)
            && slots.iter().all(|&slot| self.index.signature(slot) == before)
            && given.iter().all(|component| self.index.array(component).len() == 0)
            && !concerned().any(|group| group.matches(before))
            && others.iter().all(is_first)
            // An array has each entity at most once.
            && (!others.is_empty() || are_distinct(&slots));
        restorable.then_some((slots, after))
    }
}

fn are_distinct(slots: &[u32]) -> bool {
    let mut seen = vec![false; slots.iter().max().map_or(0, |&last| last as usize + 1)];
    slots.iter().all(|&slot| !std::mem::replace(&mut seen[slot as usize], true))
}
