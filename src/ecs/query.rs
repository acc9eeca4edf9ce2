//! Queries: the entities that have a set of components, in any arrays.
//!
//! A query iterates over the smallest of the packed arrays it needs and finds the other components
//! through the row of each entity. If an owning group has exactly the matching entities, it iterates
//! over the members instead. [`GroupMut::slices_mut`](super::GroupMut::slices_mut) is still faster,
//! because it reads no row at all.

use std::collections::vec_deque;
use std::iter::Chain;
use std::ops::{Deref, Range};
use std::slice;

use super::index::{ABSENT, Index};
use super::{
    Bundle, CHANGE_CHUNK, ComponentType, Entity, Error, GroupId, GroupInfo, ReadTerms, Signature,
    Terms, World,
};

/// Condition that an entity must meet to match a query.
#[derive(Clone, Copy)]
struct Filter {
    required: Signature,
    excluded: Signature,
    /// Members of this group do not match.
    outside: Option<GroupInfo>,
}

impl Filter {
    fn new(required: Signature) -> Self {
        Self { required, excluded: Signature::EMPTY, outside: None }
    }

    fn matches(&self, signature: Signature) -> bool {
        signature.contains_all(self.required)
            && signature.is_disjoint(self.excluded)
            && !self.outside.is_some_and(|group| group.matches(signature))
    }

    /// Returns the number of entities at the front of a packed array that cannot match.
    fn skipped(&self, component: ComponentType) -> usize {
        self.outside.filter(|group| group.owned.contains(component)).map_or(0, |group| group.len)
    }

    /// Returns the slots of the matching entities.
    fn slots<'w>(self, index: &'w Index, groups: &[GroupInfo]) -> MatchingSlots<'w> {
        let mut groups = groups.iter();
        let group = groups.find(|group| group.is_of(self.required, self.excluded));
        if let Some(group) = group.filter(|_| self.outside.is_none()) {
            return MatchingSlots::Members(group.members(index).iter());
        }
        let candidates =
            |component: &ComponentType| index.array(*component).len() - self.skipped(*component);
        match self.required.iter().min_by_key(candidates) {
            Some(smallest) => {
                let (members, tail) = index.parts(smallest);
                let members = members.get(self.skipped(smallest)..).unwrap_or_default();
                let candidates = members.iter().chain(tail);
                MatchingSlots::InArray { index, filter: self, candidates }
            }
            None => MatchingSlots::InRows { index, filter: self, candidates: index.slots() },
        }
    }
}

/// Iterator over the slots of the entities that match a query.
enum MatchingSlots<'w> {
    /// All members of a group.
    Members(slice::Iter<'w, u32>),
    /// The matching entities of one packed array: of its members, then of its tail.
    InArray {
        index: &'w Index,
        filter: Filter,
        candidates: Chain<slice::Iter<'w, u32>, vec_deque::Iter<'w, u32>>,
    },
    /// The matching entities of the world, for a query that requires no component.
    InRows { index: &'w Index, filter: Filter, candidates: Range<u32> },
}

impl Iterator for MatchingSlots<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Members(members) => members.next().copied(),
            Self::InArray { index, filter, candidates } => {
                candidates.find(|&&slot| filter.matches(index.signature(slot))).copied()
            }
            Self::InRows { index, filter, candidates } => {
                candidates.find(|&slot| index.lives(slot) && filter.matches(index.signature(slot)))
            }
        }
    }

    /// Exact for the members of a group, otherwise an upper bound.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::InArray { candidates, .. } => (0, candidates.size_hint().1),
            Self::InRows { candidates, .. } => (0, Some(candidates.len())),
        }
    }
}

/// A query for the terms `Q`, made by [`World::query`] (`W` is `&World`) or [`World::query_mut`]
/// (`W` is `&mut World`).
#[must_use = "a query does nothing until it is iterated"]
pub struct Query<W, Q: Terms> {
    world: W,
    types: Q::Types,
    filter: Filter,
}

impl<W: Deref<Target = World>, Q: Terms> Query<W, Q> {
    fn new(world: W) -> Result<Self, Error> {
        let types = Q::types(&world.columns)?;
        Ok(Self { filter: Filter::new(Q::required(&types)), types, world })
    }

    /// Restricts the query to entities that also have the components of `B`.
    ///
    /// # Errors
    /// A component is not registered or named twice.
    pub fn with<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.required = self.filter.required.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Restricts the query to entities that have none of the components of `B`.
    ///
    /// # Errors
    /// A component is not registered or named twice.
    pub fn without<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.excluded = self.filter.excluded.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Restricts the query to entities that are not members of the group. Costs nothing per member,
    /// because these are a prefix of the owned arrays.
    ///
    /// # Errors
    /// The group belongs to another world, or the query excludes the members of a group already.
    pub fn outside(mut self, group: GroupId) -> Result<Self, Error> {
        match self.filter.outside.replace(self.world.find_group(group)?) {
            None => Ok(self),
            Some(_) => Err(Error::OutsideTwice),
        }
    }
}

impl<'w, Q: ReadTerms> Query<&'w World, Q> {
    /// Iterates over the matching entities, in the order of the packed array that the query starts
    /// from. The size hint is exact for the members of a group, otherwise an upper bound.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Q::Items<'w>)> {
        let World { index, groups, columns, .. } = self.world;
        let views = Q::views(columns, &self.types);
        self.filter.slots(index, groups).map(move |slot| {
            (index.entity(slot), Q::read(&views, index.located(slot), &self.types))
        })
    }
}

impl<Q: Terms> Query<&mut World, Q> {
    /// Calls `visit` for each matching entity, in the order of the packed array that the query
    /// starts from.
    ///
    /// # Errors
    /// The query names a component twice.
    pub fn for_each(self, mut visit: impl FnMut(Entity, Q::Items<'_>)) -> Result<(), Error> {
        let World { index, groups, columns, .. } = self.world;
        // A refused query must not mark anything as changed.
        Q::views_mut(columns, &self.types)?;
        for component in Q::written(&self.types).iter() {
            let column = &mut columns[component.index()];
            let slots = self.filter.slots(index, groups);
            if slots.size_hint().1.is_some_and(|most| most < column.len() / CHANGE_CHUNK) {
                let dense = slots.map(|slot| index.located(slot).dense(component));
                dense
                    .filter(|&dense| dense != ABSENT)
                    .for_each(|dense| column.mark(dense as usize));
            } else {
                column.mark_all();
            }
        }
        let mut views = Q::views_mut(columns, &self.types)?;
        for slot in self.filter.slots(index, groups) {
            let items = Q::items(&mut views, index.located(slot), &self.types);
            visit(index.entity(slot), items);
        }
        Ok(())
    }
}

impl World {
    /// Returns a query that reads: `query::<(&A, Option<&B>)>()` matches the entities that have an
    /// `A`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query<Q: ReadTerms>(&self) -> Result<Query<&Self, Q>, Error> {
        Query::new(self)
    }

    /// Returns a query that may change components: `query_mut::<(&mut A, &B)>()` changes each `A`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query_mut<Q: Terms>(&mut self) -> Result<Query<&mut Self, Q>, Error> {
        Query::new(self)
    }

    /// Iterates over the entities that have all components of `signature`; over all entities for
    /// the empty signature.
    pub fn entities(&self, signature: Signature) -> impl Iterator<Item = Entity> {
        let registered: Signature = self.inspect().component_types().collect();
        let slots = if registered.contains_all(signature) {
            Filter::new(signature).slots(&self.index, &self.groups)
        } else {
            // The signature is of another world.
            MatchingSlots::Members([].iter())
        };
        slots.map(|slot| self.index.entity(slot))
    }
}
