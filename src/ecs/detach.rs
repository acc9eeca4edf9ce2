//! Detach: components taken from a whole group at once, to be given back later.

use super::group::Group;
use super::{Bundle, Entity, Error, GroupId, Signature, World};

/// Components that were taken from the members of a group by [`World::detach`].
#[derive(Debug)]
pub struct Detached<B: Bundle> {
    /// The former members, in their order.
    pub(super) entities: Vec<Entity>,
    values: B::Columns,
}

impl<B: Bundle> Default for Detached<B> {
    fn default() -> Self {
        Self { entities: Vec::new(), values: B::Columns::default() }
    }
}

impl<B: Bundle> Detached<B> {
    /// Components that no group had, for [`World::attach`] to give: position `i` of each array goes
    /// to entity `i`. An entity that is named twice is given the values of its first place.
    #[must_use]
    pub fn new(entities: Vec<Entity>, values: B::Columns) -> Self {
        Self { entities, values }
    }

    /// Both, as [`new`](Self::new) takes them.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Entity>, B::Columns) {
        (self.entities, self.values)
    }

    /// Who had the components, in the order of the values.
    #[must_use]
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// One array for each component, each of the length of [`entities`](Self::entities).
    #[must_use]
    pub fn values(&self) -> &B::Columns {
        &self.values
    }

    /// The arrays, to be changed: position `i` of each goes to entity `i`. An entity for which one
    /// of them has no value is given none, and values beyond the last entity are dropped.
    pub fn values_mut(&mut self) -> &mut B::Columns {
        &mut self.values
    }
}

impl World {
    /// Takes the components of `B` from every member of the group. Where only this group and those
    /// inside it know these components, that is one pass over rows for each component, and an array
    /// of which all elements are members is handed over as it is.
    ///
    /// # Errors
    /// The group belongs to another world or does not own a component of `B`, or one is named
    /// twice.
    pub fn detach<B: Bundle>(&mut self, group: GroupId) -> Result<Detached<B>, Error> {
        let types = B::types(&self.columns)?;
        let taken = B::signature(&types, &self.columns)?;
        let len = self.check_owned(group, taken)?;
        let group = *self.find_group(group)?;
        let slots = group.members(&self.index).to_vec();
        let entities: Vec<_> = slots.iter().map(|&slot| self.index.entity(slot)).collect();

        let concerned = self.groups.iter().filter(|other| other.concerns(taken));
        let values = if concerned.clone().all(|other| group.is_around(other)) {
            let inside = self.groups.iter_mut().filter(|other| other.concerns(taken));
            inside.for_each(Group::empty);
            self.index.detach_front(taken, len);
            B::drain_front(len, &types, &mut self.columns)
        } else {
            // From the end of the group: the last member leaves without anyone changing places.
            let from_the_end = slots.iter().rev();
            let mut items: Vec<_> =
                from_the_end.map(|&slot| self.take_from_slot::<B>(slot, &types, taken)).collect();
            let mut values = B::Columns::default();
            items.drain(..).rev().for_each(|item| item.push(&mut values));
            values
        };
        for &entity in &entities {
            self.observers.changed(entity, taken, Signature::EMPTY);
        }
        Ok(Detached { entities, values })
    }

    /// Gives detached components back to those of their entities that still live and have none of
    /// them, and returns how many these were. If nothing else happened to these entities and arrays
    /// in between, that is one pass over the rows, and the order of all arrays is what it was.
    ///
    /// # Errors
    /// A component is not registered with this world.
    pub fn attach<B: Bundle>(&mut self, detached: Detached<B>) -> Result<usize, Error> {
        let types = B::types(&self.columns)?;
        let given = B::signature(&types, &self.columns)?;
        let Detached { entities, values } = detached;
        if let Some((slots, after)) =
            self.can_attach_in_front(&entities, B::shortest(&values), given)
        {
            B::append(values, slots.len(), &types, &mut self.columns);
            let entered = self.groups.iter_mut();
            entered
                .filter(|group| group.concerns(given) && group.matches(after))
                .for_each(|group| group.grow(after, slots.len()));
            self.index.attach_front(&slots, given);
            self.observers.gained(&entities, given);
            return Ok(entities.len());
        }
        let mut attached = 0;
        for (entity, item) in entities.into_iter().zip(B::into_items(values)) {
            let Ok(slot) = self.index.check(entity) else { continue };
            if self.index.signature(slot).is_disjoint(given) {
                self.give_to_slot(slot, item, &types, given);
                attached += 1;
            }
        }
        Ok(attached)
    }

    /// Slots and new signature of `entities`, if all of them live and are alike, and the components
    /// can simply become the whole content of their arrays: these are empty, and each group that
    /// the entities enter has its other arrays in their order.
    fn can_attach_in_front(
        &self,
        entities: &[Entity],
        values: usize,
        given: Signature,
    ) -> Option<(Vec<u32>, Signature)> {
        let slots: Option<Vec<_>> =
            entities.iter().map(|&entity| self.index.check(entity).ok()).collect();
        let slots = slots.filter(|slots| slots.len() == values)?;
        let before = self.index.signature(*slots.first()?);
        let after = before.union(given);
        let alike = before.is_disjoint(given)
            && slots.iter().all(|&slot| self.index.signature(slot) == before);
        let empty = given.iter().all(|component| self.index.members(component).is_empty());
        let mut concerned = self.groups.iter().filter(|group| group.concerns(given));
        let mut known_once = false;
        let in_order = concerned.all(|group| {
            let others = group.owned().iter().filter(|&owned| !given.contains(owned));
            let mut others = others.map(|owned| self.index.members(owned)).peekable();
            // Nobody is twice among the members of an array.
            known_once |= group.matches(after) && others.peek().is_some();
            !group.matches(before)
                && (!group.matches(after) || others.all(|members| members.starts_with(&slots)))
        });
        (alike && empty && in_order && (known_once || each_once(&slots))).then_some((slots, after))
    }
}

/// Whether no slot is there twice.
fn each_once(slots: &[u32]) -> bool {
    let mut seen = vec![false; slots.iter().max().map_or(0, |&last| last as usize + 1)];
    slots.iter().all(|&slot| !std::mem::replace(&mut seen[slot as usize], true))
}
