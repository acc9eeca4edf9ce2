//! Queries: the entities that have a set of components, in any arrays.
//!
//! A query iterates over the smallest of the packed arrays it needs and finds the other components through the row of each
//! entity. It reads no row where all components that it needs are the next elements of their arrays. This is so if it needs
//! only one component, and for the members of a group that owns all of them: their elements are the first of its arrays.

mod filter;
mod iter;

use std::fmt;
use std::ops::Deref;

pub(super) use self::filter::Filter;
use self::filter::{Matches, Newer};
use self::iter::{InRows, Left};
pub use self::iter::{Iter, IterMut};
use super::change_times::{Checkpoint, Since};
use super::index::{ABSENT, Index};
use super::{Component, Error, GroupId, ReadTerms, Signature, Terms, World};

/// A query that changes less than one of this many values marks each of them.
const FEW: usize = 16;

/// A query for the terms `Q`, made by [`World::query`] (`W` is `&World`) or [`World::query_mut`]
/// (`W` is `&mut World`).
///
/// Entities are visited in the order of the smallest packed array that the query requires, or of a group that has
/// exactly the entities that match; without a required component, in the order of their slots. Members of a group that
/// [`outside`](Query::outside) excludes do not count in the arrays that it owns.
#[must_use = "a query does nothing until it is iterated"]
pub struct Query<W, Q: Terms> {
    world: W,
    types: Q::Types,
    filter: Filter,
    newer: Vec<Newer>,
}

/// Prints the filter.
impl<W, Q: Terms> fmt::Debug for Query<W, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl<W: Deref<Target = World>, Q: Terms> Query<W, Q> {
    fn new(world: W, types: Q::Types) -> Self {
        Self { filter: Filter::new(Q::required(&types)), newer: Vec::new(), types, world }
    }

    /// Restricts the query to entities that also have the components of `B`: `with::<&A>()`,
    /// `with::<(&A, &B)>()`. [`Entity`](super::Entity) and `Option` restrict nothing.
    #[cfg_attr(not(web), track_caller)]
    pub fn with<B: ReadTerms>(mut self) -> Self {
        let required = B::required(&B::find(&self.world.columns));
        self.filter.required =
            self.filter.required.zip(required).map(|(one, other)| one.union(other));
        self
    }

    /// Restricts the query to entities that have none of the components of `B`: `without::<&A>()`,
    /// `without::<(&A, &B)>()`. [`Entity`](super::Entity) restricts nothing.
    #[cfg_attr(not(web), track_caller)]
    pub fn without<B: ReadTerms>(mut self) -> Self {
        let types = B::find(&self.world.columns);
        let excluded = types.as_ref().iter().flatten().copied().collect();
        self.filter.excluded = self.filter.excluded.union(excluded);
        self
    }

    /// Restricts the query to entities that are not members of the group. Costs nothing per member if the query starts from
    /// an array that the group owns, since they are the first there; otherwise each is checked.
    ///
    /// # Errors
    /// The group was removed, or belongs to another world.
    ///
    /// # Panics
    /// The query excludes the members of a group already.
    #[cfg_attr(not(web), track_caller)]
    pub fn outside(mut self, group: GroupId) -> Result<Self, Error> {
        let former = self.filter.outside.replace(self.world.find_group(group)?);
        assert!(former.is_none(), "a query can exclude the members of one group only");
        Ok(self)
    }

    /// Restricts the query to entities of which the component `T` was added or may have been changed
    /// after a checkpoint: by a mutable reference to it or to a slice that contains it, or by a query or an iteration
    /// for changing it, also where that ended early. In a system,
    /// [`SystemArgs::last_run`](super::SystemArgs::last_run) finds what happened since the last run.
    ///
    /// # Panics
    /// The changes of `T` are not tracked: call [`World::track_changes`] first.
    #[cfg_attr(not(web), track_caller)]
    pub fn changed<T: Component>(self, since: Checkpoint) -> Self {
        self.newer::<T>(Since::Changed(since))
    }

    /// Restricts the query to entities that got the component `T` after a checkpoint.
    ///
    /// # Panics
    /// As for [`changed`](Self::changed).
    #[cfg_attr(not(web), track_caller)]
    pub fn added<T: Component>(self, since: Checkpoint) -> Self {
        self.newer::<T>(Since::Added(since))
    }

    #[cfg_attr(not(web), track_caller)]
    fn newer<T: Component>(mut self, since: Since) -> Self {
        let component = self
            .world
            .component_type::<T>()
            .filter(|component| self.world.columns[component.index()].changes().is_tracked());
        let Some(component) = component else {
            let name = std::any::type_name::<T>();
            panic!("changes of component {name} are not tracked: call `track_changes` first");
        };
        self.newer.push((component, since));
        self.with::<&T>()
    }
}

impl<'w, Q: ReadTerms> Query<&'w World, Q> {
    /// Iterates over the matching entities; the size hint is exact for all entities with one component and for the
    /// members of a group, otherwise an upper bound.
    pub fn iter(&self) -> Iter<'w, Q> {
        let World { index, groups, columns, .. } = self.world;
        let mut matches = self.filter.newer_matches(&self.newer, index, groups, columns);
        let types = self.types;
        let slices = Q::slices(columns, &types);
        let run = matches.take_run::<Q>(&types, index, groups);
        let before = run.end();
        let (run, arrays) = run.split::<Q>(index, slices);
        Iter(Left::new(run, InRows { matches, index, arrays, before, types }))
    }

    /// Returns the items of the one matching entity.
    ///
    /// # Errors
    /// No entity or more than one matches.
    pub fn single(&self) -> Result<Q::Items<'w>, Error> {
        let World { index, groups, columns, .. } = self.world;
        let matches = self.filter.newer_matches(&self.newer, index, groups, columns);
        self.world.read_slot::<Q>(the_only_one(matches)?, &self.types)
    }
}

impl<'w, Q: Terms> Query<&'w mut World, Q> {
    /// Returns the items of the one matching entity, for changing them.
    ///
    /// # Errors
    /// No entity or more than one matches. Nothing is marked as changed then.
    #[cfg_attr(not(web), track_caller)]
    pub fn single_mut(self) -> Result<Q::Items<'w>, Error> {
        let World { index, groups, columns, .. } = &*self.world;
        let matches = self.filter.newer_matches(&self.newer, index, groups, columns);
        let slot = the_only_one(matches)?;
        let Self { world, types, .. } = self;
        Ok(world.change_slot::<Q>(slot, &types))
    }
}

impl<'w, Q: ReadTerms> IntoIterator for Query<&'w World, Q> {
    type Item = Q::Items<'w>;
    type IntoIter = Iter<'w, Q>;

    fn into_iter(self) -> Iter<'w, Q> {
        self.iter()
    }
}

impl<'w, Q: ReadTerms> IntoIterator for &Query<&'w World, Q> {
    type Item = Q::Items<'w>;
    type IntoIter = Iter<'w, Q>;

    fn into_iter(self) -> Iter<'w, Q> {
        self.iter()
    }
}

/// Iterates over the matching entities. If an array that is changed is not visited in its own order,
/// references to the elements are collected and sorted first. [`for_each`](Query::for_each) does not
/// need to.
impl<'w, Q: Terms> IntoIterator for Query<&'w mut World, Q> {
    type Item = Q::Items<'w>;
    type IntoIter = IterMut<'w, Q>;

    #[cfg_attr(not(web), track_caller)]
    fn into_iter(self) -> IterMut<'w, Q> {
        let (run, InRows { matches, index, arrays, before, types }) = self.into_parts();
        let mut orders: Vec<_> = Vec::new();
        for component in Q::written(&types).difference(matches.in_order) {
            let dense = || {
                let located = matches.clone().map(|slot| index.located(slot).after(before));
                located.map(|it| it.dense(component)).filter(|&dense| dense != ABSENT)
            };
            // Most are: then no list is allocated.
            if !dense().is_sorted() {
                orders.push((component, dense().collect()));
            }
        }
        let arrays = Q::rests(arrays, &types, |component| {
            let position = orders.iter().position(|(other, _)| *other == component)?;
            Some(orders.swap_remove(position).1)
        });
        IterMut(Left::new(run, InRows { matches, index, arrays, before, types }))
    }
}

impl<'w, Q: Terms> Query<&'w mut World, Q> {
    /// Calls `visit` for each matching entity.
    #[cfg_attr(not(web), track_caller)]
    pub fn for_each(self, mut visit: impl FnMut(Q::Items<'_>)) {
        let (run, mut rest) = self.into_parts();
        run.for_each(&mut visit);
        while let Some(items) = rest.next_in_place() {
            visit(items);
        }
    }

    /// Calls `visit` for each matching entity, until it returns an error.
    ///
    /// # Errors
    /// The error of `visit`.
    #[cfg_attr(not(web), track_caller)]
    pub fn try_for_each<E>(
        self,
        mut visit: impl FnMut(Q::Items<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut run, mut rest) = self.into_parts();
        run.try_for_each(&mut visit)?;
        while let Some(items) = rest.next_in_place() {
            visit(items)?;
        }
        Ok(())
    }

    /// Returns the items of the first entities, and the entities after these. Marks what the query may change.
    #[cfg_attr(not(web), track_caller)]
    fn into_parts(mut self) -> (Q::Runs<'w>, InRows<'w, Q, Q::Slices<'w>>) {
        self.mark_written();
        let Self { world, types, filter, newer } = self;
        let World { index, groups, columns, .. } = world;
        let (index, groups): (&_, &_) = (index, groups);
        let mut matches = filter.newer_matches(&newer, index, groups, columns);
        let run = matches.take_run::<Q>(&types, index, groups);
        let before = run.end();
        let (run, arrays) = run.split::<Q>(index, Q::slices_mut(columns, &types));
        (run, InRows { matches, index, arrays, before, types })
    }

    /// Marks what the query may change: the elements of the matching entities if these are few,
    /// otherwise whole arrays, unless the changes of each entity are tracked.
    fn mark_written(&mut self) {
        for component in Q::written(&self.types) {
            let World { index, groups, columns, .. } = &mut *self.world;
            let index: &Index = index;
            let mut matches = self.filter.newer_matches(&self.newer, index, groups, columns);
            let column = &mut columns[component.index()];
            let most = matches.size_hint().1;
            let few = most.is_some_and(|most| most < column.len() / FEW);
            if few || column.changes().is_tracked() {
                let len = column.len();
                column.changes_mut().mark_values(matches.take_aligned(component), len);
                let dense = matches.map(|slot| index.located(slot).dense(component));
                dense
                    .filter(|&dense| dense != ABSENT)
                    .for_each(|dense| column.mark(dense as usize));
            } else {
                column.mark_all();
            }
        }
    }
}

impl World {
    /// Returns a query that reads: `query::<(&A, Option<&B>)>()` matches the entities that have an
    /// `A`.
    ///
    /// ```
    /// use cubefall::ecs::{Entity, World};
    ///
    /// struct Height(f32);
    ///
    /// let mut world = World::new();
    /// let tower = world.spawn((Height(30.0),));
    /// for (entity, height) in world.query::<(Entity, &Height)>() {
    ///     assert_eq!((entity, height.0), (tower, 30.0));
    /// }
    /// ```
    #[cfg_attr(not(web), track_caller)]
    pub fn query<Q: ReadTerms>(&self) -> Query<&Self, Q> {
        Query::new(self, Q::find(&self.columns))
    }

    /// Returns a query that may change components: `query_mut::<(&mut A, &B)>()` changes each `A`.
    ///
    /// ```
    /// use cubefall::ecs::World;
    ///
    /// struct Height(f32);
    /// struct Speed(f32);
    ///
    /// let mut world = World::new();
    /// world.spawn((Height(30.0), Speed(-2.0)));
    /// for (height, speed) in world.query_mut::<(&mut Height, &Speed)>() {
    ///     height.0 += speed.0;
    /// }
    /// assert_eq!(world.single::<&Height>().map(|height| height.0), Ok(28.0));
    /// ```
    ///
    /// # Panics
    /// The iteration panics if a component is named twice, and [`single_mut`](Query::single_mut) if one entity matches.
    #[cfg_attr(not(web), track_caller)]
    pub fn query_mut<Q: Terms>(&mut self) -> Query<&mut Self, Q> {
        let types = Q::register(&mut self.index, &mut self.columns);
        Query::new(self, types)
    }

    /// Returns the items of the one entity that matches a query: `single::<&Player>()`.
    ///
    /// # Errors
    /// As for [`Query::single`].
    #[cfg_attr(not(web), track_caller)]
    pub fn single<Q: ReadTerms>(&self) -> Result<Q::Items<'_>, Error> {
        self.query::<Q>().single()
    }

    /// Returns the items of the one entity that matches a query, for changing them.
    ///
    /// # Errors
    /// As for [`Query::single_mut`].
    #[cfg_attr(not(web), track_caller)]
    pub fn single_mut<Q: Terms>(&mut self) -> Result<Q::Items<'_>, Error> {
        self.query_mut::<Q>().single_mut()
    }

    /// Iterates over the entities that have all components of `signature`; over all entities for
    /// the empty signature.
    pub fn entities(&self, signature: Signature) -> impl Iterator<Item = super::Entity> {
        let registered: Signature = self.inspect().component_types().collect();
        // Otherwise, the signature is of another world.
        let required = registered.contains_all(signature).then_some(signature);
        let matches = Filter::new(required).matches_in(&self.index, &self.groups);
        matches.map(|slot| self.index.entity(slot))
    }
}

fn the_only_one(mut matches: Matches<'_>) -> Result<u32, Error> {
    let first = matches.next().ok_or(Error::NotSingle { found: 0 })?;
    match matches.next() {
        None => Ok(first),
        Some(_) => Err(Error::NotSingle { found: 2 }),
    }
}
