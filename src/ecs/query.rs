//! Query: the entities that have a set of components, wherever these lie.
//!
//! A query starts from the smallest of the packed arrays it needs and looks the other components up
//! through each entity's row. Where an owning group holds exactly the entities asked for, it walks
//! the group's prefix instead, in which the arrays run in parallel. The fastest way to such a group
//! stays [`World::slices_mut`], which reads no row at all.

use std::ops::Range;
use std::slice;

use super::group::Group;
use super::index::{ABSENT, Index};
use super::{
    Bundle, CHANGE_CHUNK, ComponentType, Entity, Error, GroupId, ReadTerms, Signature, Terms, World,
};

/// Which entities a query visits.
#[derive(Clone, Copy)]
struct Filter {
    required: Signature,
    excluded: Signature,
    /// Who is in this group is passed over.
    outside: Option<Group>,
}

impl Filter {
    fn of(required: Signature) -> Self {
        Self { required, excluded: Signature::EMPTY, outside: None }
    }

    fn with<B: Bundle>(&mut self, world: &World) -> Result<(), Error> {
        self.required = self.required.union(world.signature_of::<B>()?);
        Ok(())
    }

    fn without<B: Bundle>(&mut self, world: &World) -> Result<(), Error> {
        self.excluded = self.excluded.union(world.signature_of::<B>()?);
        Ok(())
    }

    fn outside(&mut self, world: &World, group: GroupId) -> Result<(), Error> {
        match self.outside.replace(*world.find_group(group)?) {
            None => Ok(()),
            Some(_) => Err(Error::OutsideTwice),
        }
    }

    fn passes(&self, signature: Signature) -> bool {
        signature.contains_all(self.required)
            && signature.is_disjoint(self.excluded)
            && !self.outside.is_some_and(|group| group.matches(signature))
    }

    /// The part of a packed array in which matching entities can lie.
    fn part<'w>(&self, index: &'w Index, component: ComponentType) -> &'w [u32] {
        let members = index.members(component);
        match self.outside {
            Some(group) if group.owns(component) => &members[group.len()..],
            _ => members,
        }
    }

    /// Slots of the matching entities.
    fn slots<'w>(self, index: &'w Index, groups: &[Group]) -> Slots<'w> {
        let mut groups = groups.iter();
        let group = groups.find(|group| group.is_of(self.required, self.excluded));
        if let Some(group) = group.filter(|_| self.outside.is_none()) {
            return Slots::Members(group.members(index).iter());
        }
        let parts = self.required.iter().map(|component| self.part(index, component));
        match parts.min_by_key(|part| part.len()) {
            Some(part) => Slots::Among { index, filter: self, candidates: part.iter() },
            None => Slots::Living { index, filter: self, candidates: index.slots() },
        }
    }
}

/// Slots of the entities that a query visits.
enum Slots<'w> {
    /// All members of a group match.
    Members(slice::Iter<'w, u32>),
    /// Those of an array have to be looked at.
    Among { index: &'w Index, filter: Filter, candidates: slice::Iter<'w, u32> },
    /// No component is required, so everyone has to be looked at.
    Living { index: &'w Index, filter: Filter, candidates: Range<u32> },
}

impl Iterator for Slots<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Members(members) => members.next().copied(),
            Self::Among { index, filter, candidates } => {
                candidates.find(|&&slot| filter.passes(index.signature(slot))).copied()
            }
            Self::Living { index, filter, candidates } => {
                candidates.find(|&slot| index.lives(slot) && filter.passes(index.signature(slot)))
            }
        }
    }

    /// Exact where the query is that of a group, an upper bound otherwise.
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Members(members) => members.size_hint(),
            Self::Among { candidates, .. } => (0, Some(candidates.len())),
            Self::Living { candidates, .. } => (0, Some(candidates.len())),
        }
    }
}

/// A query that only reads, made by [`World::query`].
#[must_use = "a query does nothing until it is iterated"]
pub struct Query<'w, Q: ReadTerms> {
    world: &'w World,
    types: Q::Types,
    filter: Filter,
}

impl<'w, Q: ReadTerms> Query<'w, Q> {
    /// Only entities that also have the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn with<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.with::<B>(self.world)?;
        Ok(self)
    }

    /// Only entities that have none of the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn without<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.without::<B>(self.world)?;
        Ok(self)
    }

    /// Only entities that are not in the group. Members are a prefix of the arrays the group owns,
    /// so they are not even looked at.
    ///
    /// # Errors
    /// The group belongs to another world, or the query is outside of one already.
    pub fn outside(mut self, group: GroupId) -> Result<Self, Error> {
        self.filter.outside(self.world, group)?;
        Ok(self)
    }

    /// Visits the matching entities, in the order of the packed array the query starts from. The
    /// size hint is exact where the query is that of a group, and an upper bound otherwise.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Q::Items<'w>)> {
        let World { index, groups, columns, .. } = self.world;
        let views = Q::views(columns, &self.types);
        self.filter
            .slots(index, groups)
            .map(move |slot| (index.entity(slot), Q::read(&views, index.dense(slot), &self.types)))
    }
}

/// A query that may change components, made by [`World::query_mut`].
#[must_use = "a query does nothing until it is iterated"]
pub struct QueryMut<'w, Q: Terms> {
    world: &'w mut World,
    types: Q::Types,
    filter: Filter,
}

impl<Q: Terms> QueryMut<'_, Q> {
    /// Only entities that also have the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn with<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.with::<B>(self.world)?;
        Ok(self)
    }

    /// Only entities that have none of the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn without<B: Bundle>(mut self) -> Result<Self, Error> {
        self.filter.without::<B>(self.world)?;
        Ok(self)
    }

    /// Only entities that are not in the group; see [`Query::outside`].
    ///
    /// # Errors
    /// The group belongs to another world, or the query is outside of one already.
    pub fn outside(mut self, group: GroupId) -> Result<Self, Error> {
        self.filter.outside(self.world, group)?;
        Ok(self)
    }

    /// Visits the matching entities, in the order of the packed array the query starts from.
    ///
    /// # Errors
    /// The query names a component twice.
    pub fn for_each(self, mut visit: impl FnMut(Entity, Q::Items<'_>)) -> Result<(), Error> {
        let World { index, groups, columns, .. } = self.world;
        // What is refused is refused before anything counts as changed.
        Q::views_mut(columns, &self.types)?;
        for component in Q::written(&self.types).iter() {
            let column = &mut columns[component.index()];
            let slots = self.filter.slots(index, groups);
            if slots.size_hint().1.is_some_and(|most| most < column.len() / CHANGE_CHUNK) {
                let dense = slots.map(|slot| index.dense(slot)[component.index()]);
                dense
                    .filter(|&dense| dense != ABSENT)
                    .for_each(|dense| column.mark(dense as usize));
            } else {
                column.mark_all();
            }
        }
        let mut views = Q::views_mut(columns, &self.types)?;
        for slot in self.filter.slots(index, groups) {
            let items = Q::items(&mut views, index.dense(slot), &self.types);
            visit(index.entity(slot), items);
        }
        Ok(())
    }
}

impl World {
    /// Asks for the entities that have the components of `Q`, to read them:
    /// `query::<(&A, Option<&B>)>()`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query<Q: ReadTerms>(&self) -> Result<Query<'_, Q>, Error> {
        let types = Q::types(&self.columns)?;
        Ok(Query { filter: Filter::of(Q::required(&types)), types, world: self })
    }

    /// Asks for the entities that have the components of `Q`, to change them where a term says so:
    /// `query_mut::<(&mut A, &B)>()`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query_mut<Q: Terms>(&mut self) -> Result<QueryMut<'_, Q>, Error> {
        let types = Q::types(&self.columns)?;
        Ok(QueryMut { filter: Filter::of(Q::required(&types)), types, world: self })
    }

    /// The entities that have every component of `signature`; all of them for the empty signature.
    pub fn entities(&self, signature: Signature) -> impl Iterator<Item = Entity> {
        let slots = Filter::of(signature).slots(&self.index, &self.groups);
        slots.map(|slot| self.index.entity(slot))
    }
}
