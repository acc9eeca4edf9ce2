//! Access to the members of a group: slices, chunks and order.

use std::cmp::Ordering;

use super::{GroupId, GroupInfo};
use crate::ecs::index::Index;
use crate::ecs::{Component, Entity, Error, ReadTerms, Signature, Terms, World};

impl World {
    /// Returns a group, for reading its members.
    ///
    /// # Errors
    /// The group was removed, or belongs to another world.
    pub fn group(&self, id: GroupId) -> Result<Group<'_>, Error> {
        Ok(Group { group: self.find_group(id)?, world: self })
    }

    /// Returns a group, for changing the components of its members.
    ///
    /// # Errors
    /// The group was removed, or belongs to another world.
    pub fn group_mut(&mut self, id: GroupId) -> Result<GroupMut<'_>, Error> {
        Ok(GroupMut { group: self.find_group(id)?, world: self })
    }

    pub(in crate::ecs) fn find_group(&self, id: GroupId) -> Result<GroupInfo, Error> {
        self.groups.iter().find(|group| group.id == id).copied().ok_or(Error::NoSuchGroup)
    }

    /// # Panics
    /// The group does not own all of `components`.
    #[cfg_attr(not(web), track_caller)]
    pub(in crate::ecs) fn assert_owned(&self, group: &GroupInfo, components: Signature) {
        if let Some(foreign) = components.difference(group.owned).iter().next() {
            panic!("component {} is not owned by the group", self.columns[foreign.index()].name());
        }
    }
}

impl World {
    /// # Panics
    /// The group does not own the component of each term.
    #[cfg_attr(not(web), track_caller)]
    fn assert_terms_owned<Q: Terms>(&self, group: &GroupInfo, types: &Q::Types) {
        if types.as_ref().iter().any(Option::is_none) {
            match Q::first_missing(types, group.owned) {
                // Only a handle or an optional component is not required.
                "" => panic!(
                    "a term is a handle, which `Group::entities` and `GroupMut::entities_and_slices_mut` return, or the \
                     group does not own its component"
                ),
                name => panic!("component {name} is not owned by the group"),
            }
        }
        self.assert_owned(group, types.as_ref().iter().flatten().copied().collect());
    }
}

/// Read access to the members of a group; returned by [`World::group`].
#[derive(Clone, Copy, Debug)]
pub struct Group<'w> {
    world: &'w World,
    group: GroupInfo,
}

impl<'w> Group<'w> {
    /// Returns the number of members.
    pub fn len(self) -> usize {
        self.group.len
    }

    /// Returns `true` if the group has no member.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the members, in the order of the slices.
    pub fn entities(self) -> impl ExactSizeIterator<Item = Entity> + DoubleEndedIterator + 'w {
        let index = &self.world.index;
        self.group.members(index).iter().map(|&slot| index.entity(slot))
    }

    /// Returns the member at an index of the slices; `None` beyond their end. `O(1)`.
    pub fn entity(self, dense: usize) -> Option<Entity> {
        let members = self.group.members(&self.world.index);
        members.get(dense).map(|&slot| self.world.index.entity(slot))
    }

    /// Returns the index of an entity in the slices; `None` if it does not live or is no member. `O(1)`.
    pub fn index_of(self, entity: Entity) -> Option<usize> {
        let index = &self.world.index;
        let slot = index.check(entity).ok()?;
        let is_member = self.group.matches(index.signature(slot));
        is_member.then(|| index.position(slot, self.group.lists.trailing_zeros() as u8))
    }

    /// Returns one slice of components per term: `slices::<(&A, &B)>()` is `(&[A], &[B])`. All
    /// slices have the length of the group, and an index is the same entity in each. `O(terms)`.
    ///
    /// # Panics
    /// The group does not own a component, or a term is [`Entity`].
    #[cfg_attr(not(web), track_caller)]
    pub fn slices<Q: ReadTerms>(self) -> Q::Slices<'w> {
        let types = Q::find(&self.world.columns);
        self.world.assert_terms_owned::<Q>(&self.group, &types);
        Q::split_at(Q::slices(&self.world.columns, &types), self.group.len).0
    }
}

/// Write access to the members of a group; returned by [`World::group_mut`].
#[derive(Debug)]
pub struct GroupMut<'w> {
    pub(in crate::ecs) world: &'w mut World,
    pub(in crate::ecs) group: GroupInfo,
}

impl<'w> GroupMut<'w> {
    /// Returns one slice of components per term: `slices_mut::<(&mut A, &B)>()` is
    /// `(&mut [A], &[B])`. See [`Group::slices`]; for the handles too,
    /// [`entities_and_slices_mut`](Self::entities_and_slices_mut).
    ///
    /// # Panics
    /// The group does not own a component, a term is [`Entity`], or a component is named twice.
    #[cfg_attr(not(web), track_caller)]
    pub fn slices_mut<Q: Terms>(self) -> Q::Slices<'w> {
        self.entities_and_slices_mut::<Q>().1
    }

    /// Returns the members, in the order of the slices, and the slices as
    /// [`slices_mut`](Self::slices_mut) does.
    ///
    /// # Panics
    /// As for [`slices_mut`](Self::slices_mut).
    #[cfg_attr(not(web), track_caller)]
    pub fn entities_and_slices_mut<Q: Terms>(
        self,
    ) -> (impl ExactSizeIterator<Item = Entity> + 'w, Q::Slices<'w>) {
        let Self { world, group } = self;
        let types = Q::find(&world.columns);
        world.assert_terms_owned::<Q>(&group, &types);
        let World { index, columns, .. } = world;
        for component in Q::written(&types).iter().filter(|_| group.len > 0) {
            let column = &mut columns[component.index()];
            let len = column.len();
            column.changes_mut().mark_values(0..group.len, len);
        }
        let index: &Index = index;
        let entities = group.members(index).iter().map(|&slot| index.entity(slot));
        (entities, Q::split_at(Q::slices_mut(columns, &types), group.len).0)
    }

    /// Calls `work` for chunks of the slices, of at most `size` entities each, on all threads of the
    /// current rayon pool and in any order. Chunks share no entity, so the result does not depend on
    /// the number of threads. An empty group is one chunk of empty slices.
    ///
    /// A chunk has no handles of its members. For work that needs their handles, or other members, use rayon on whole
    /// slices:
    ///
    /// ```
    /// use cubefall::ecs::{Entity, World};
    /// use rayon::prelude::*;
    ///
    /// struct Position(f32);
    /// struct Velocity(f32);
    ///
    /// let mut world = World::new();
    /// let flock = world.create_group::<(Position, Velocity)>();
    /// world.spawn_batch((0..100).map(|i| (Position(i as f32), Velocity(0.0))))?;
    ///
    /// let birds: Vec<Entity> = world.group(flock)?.entities().collect();
    /// let (positions, velocities) =
    ///     world.group_mut(flock)?.slices_mut::<(&Position, &mut Velocity)>();
    /// velocities.par_iter_mut().enumerate().for_each(|(i, velocity)| {
    ///     // `birds[i]` follows the next bird.
    ///     velocity.0 = positions[(i + 1) % positions.len()].0 - positions[i].0;
    /// });
    /// assert_eq!(world.get::<&Velocity>(birds[99])?.0, -99.0);
    /// # Ok::<(), cubefall::ecs::Error>(())
    /// ```
    ///
    /// # Panics
    /// As for [`slices_mut`](Self::slices_mut); or `size` is 0.
    #[cfg(parallel)]
    #[cfg_attr(not(web), track_caller)]
    pub fn par_for_each_chunk<Q: Terms>(self, size: usize, work: impl Fn(Q::Slices<'_>) + Sync) {
        assert!(size > 0, "a chunk holds at least one entity");
        let len = self.group.len;
        split_chunks::<Q>(self.slices_mut::<Q>(), len, size, &work);
    }

    /// Sorts the members by one of the owned components; a stable sort. All owned arrays stay
    /// parallel. Members of a nested group stay in front and are sorted among themselves.
    ///
    /// # Panics
    /// The group does not own the component. May panic if `compare` is no total order; the sections
    /// sorted before stay sorted.
    #[cfg_attr(not(web), track_caller)]
    pub fn sort_by<T: Component>(self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let Self { world, group } = self;
        let component = world.register::<T>();
        world.assert_owned(&group, Signature::EMPTY.with(component));
        // The lengths of the group and of those nested in it cut the arrays into sections.
        let nested = world.groups.iter().filter(|other| group.is_around(other));
        let mut ends: Vec<_> = nested.map(|inner| (inner.len, *inner)).collect();
        ends.sort_by_key(|&(len, inner)| (len, std::cmp::Reverse(inner.owned.len())));
        let mut start = 0;
        for (end, innermost) in ends {
            world.sort_section(&innermost, start..end, component, &mut compare);
            start = end;
        }
    }
}

/// Halves the slices at a multiple of `size` until one chunk is left, and processes the halves in
/// parallel.
#[cfg(parallel)]
fn split_chunks<Q: Terms>(
    slices: Q::Slices<'_>,
    len: usize,
    size: usize,
    work: &(impl Fn(Q::Slices<'_>) + Sync),
) {
    if len <= size {
        return work(slices);
    }
    let middle = len.div_ceil(size) / 2 * size;
    let (front, back) = Q::split_at(slices, middle);
    let process_front = || split_chunks::<Q>(front, middle, size, work);
    let process_back = || split_chunks::<Q>(back, len - middle, size, work);
    if rayon::current_num_threads() == 1 {
        // Waking the pool costs as much as integrating thousands of entities.
        process_front();
        process_back();
    } else {
        rayon::join(process_front, process_back);
    }
}
