//! Query: the entities that have a set of components, wherever these lie.
//!
//! A query starts from the smallest of the packed arrays it needs and looks the other components up through
//! each entity's row. Where an owning group holds exactly the entities asked for, it walks the group's prefix
//! instead, in which the arrays run in parallel. The fastest way to such a group stays [`World::slices_mut`],
//! which reads no row at all.

use super::group::Groups;
use super::index::Index;
use super::{Bundle, Entity, Error, ReadTerms, Signature, Terms, World};

/// Slots of the entities with all of `required` and none of `excluded`.
fn matching<'w>(
    index: &'w Index,
    groups: &Groups,
    required: Signature,
    excluded: Signature,
) -> impl Iterator<Item = u32> + use<'w> {
    let group = groups.iter().find(|group| group.is_of(required, excluded));
    let candidates = match group {
        Some(group) => Some(group.members(index)),
        None => index.smallest(required),
    };
    let everyone = candidates.is_none().then(|| index.living());
    let candidates = candidates.unwrap_or_default().iter().copied();
    candidates.chain(everyone.into_iter().flatten()).filter(move |&slot| {
        let signature = index.signature(slot);
        signature.contains_all(required) && signature.is_disjoint(excluded)
    })
}

/// A query that only reads, made by [`World::query`].
#[must_use = "a query does nothing until it is iterated"]
pub struct Query<'w, Q: ReadTerms> {
    world: &'w World,
    types: Q::Types,
    required: Signature,
    excluded: Signature,
}

impl<'w, Q: ReadTerms> Query<'w, Q> {
    /// Only entities that also have the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn with<B: Bundle>(mut self) -> Result<Self, Error> {
        self.required = self.required.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Only entities that have none of the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn without<B: Bundle>(mut self) -> Result<Self, Error> {
        self.excluded = self.excluded.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Visits the matching entities, in the order of the packed array the query starts from.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Q::Items<'w>)> {
        let World { index, groups, columns, .. } = self.world;
        let views = Q::views(columns, &self.types);
        matching(index, groups, self.required, self.excluded)
            .map(move |slot| (index.entity(slot), Q::read(&views, index.dense(slot), &self.types)))
    }
}

/// A query that may change components, made by [`World::query_mut`].
#[must_use = "a query does nothing until it is iterated"]
pub struct QueryMut<'w, Q: Terms> {
    world: &'w mut World,
    types: Q::Types,
    required: Signature,
    excluded: Signature,
}

impl<Q: Terms> QueryMut<'_, Q> {
    /// Only entities that also have the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn with<B: Bundle>(mut self) -> Result<Self, Error> {
        self.required = self.required.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Only entities that have none of the components of `B`.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn without<B: Bundle>(mut self) -> Result<Self, Error> {
        self.excluded = self.excluded.union(self.world.signature_of::<B>()?);
        Ok(self)
    }

    /// Visits the matching entities, in the order of the packed array the query starts from.
    ///
    /// # Errors
    /// The query names a component twice.
    pub fn for_each(self, mut visit: impl FnMut(Entity, Q::Items<'_>)) -> Result<(), Error> {
        let World { index, groups, columns, .. } = self.world;
        let mut views = Q::views_mut(columns, &self.types)?;
        for slot in matching(index, groups, self.required, self.excluded) {
            let items = Q::items(&mut views, index.dense(slot), &self.types);
            visit(index.entity(slot), items);
        }
        Ok(())
    }
}

impl World {
    /// Asks for the entities that have the components of `Q`, to read them: `query::<(&A, Option<&B>)>()`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query<Q: ReadTerms>(&self) -> Result<Query<'_, Q>, Error> {
        let types = Q::types(&self.columns)?;
        Ok(Query { required: Q::required(&types), excluded: Signature::EMPTY, types, world: self })
    }

    /// Asks for the entities that have the components of `Q`, to change them where a term says so:
    /// `query_mut::<(&mut A, &B)>()`.
    ///
    /// # Errors
    /// A component is not registered.
    pub fn query_mut<Q: Terms>(&mut self) -> Result<QueryMut<'_, Q>, Error> {
        let types = Q::types(&self.columns)?;
        Ok(QueryMut {
            required: Q::required(&types),
            excluded: Signature::EMPTY,
            types,
            world: self,
        })
    }

    /// The entities that have every component of `signature`; all of them for the empty signature.
    pub fn entities(&self, signature: Signature) -> impl Iterator<Item = Entity> {
        let slots = matching(&self.index, &self.groups, signature, Signature::EMPTY);
        slots.map(|slot| self.index.entity(slot))
    }
}
