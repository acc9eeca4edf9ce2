//! Owning group: the entities that have a set of components, kept as a common prefix of the arrays.
//!
//! ```text
//! group A owns {T, C}; group B, nested in A, owns {T, C, R}
//!
//! T:  b1 b2 b3 | a1 a2 | t1 t2        b: has T, C and R
//! C:  b1 b2 b3 | a1 a2 | c1           a: has T and C, no R
//! R:  b1 b2 b3 | r1                   t, c, r: has one of them only
//!     --- B --
//!     ------ A -------
//! ```
//!
//! Members lie at the same position in every owned array, so a system walks parallel slices without
//! any lookup. An entity enters by being swapped to the boundary, `O(owned arrays)`, and leaves
//! likewise.

#[cfg(feature = "serde")]
mod shape;

#[cfg(feature = "serde")]
pub(super) use self::shape::GroupShape;
use super::column::Column;
use super::index::Index;
use super::{Bundle, ComponentType, Entity, Error, GroupInfo, Signature, World, WorldId};

/// Name of an owning group of one world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GroupId {
    world: WorldId,
    number: u32,
}

/// One owning group.
#[derive(Clone, Copy)]
pub(super) struct Group {
    number: u32,
    owned: Signature,
    excluded: Signature,
    len: usize,
}

impl Group {
    /// One of the owned arrays; the members lie at the same positions in all of them.
    pub(super) fn any_owned(&self) -> ComponentType {
        self.owned.iter().next().expect("a group owns at least one component")
    }

    /// Slots of the members, in the order of the arrays.
    pub(super) fn members<'i>(&self, index: &'i Index) -> &'i [u32] {
        &index.members(self.any_owned())[..self.len]
    }

    /// Position of an entity in an owned array; below `len` if it is a member.
    fn dense(&self, index: &Index, slot: u32) -> usize {
        index.dense(slot)[self.any_owned().index()] as usize
    }

    /// Whether the group holds exactly the entities with `required` and without `excluded`.
    pub(super) fn is_of(&self, required: Signature, excluded: Signature) -> bool {
        self.owned == required && self.excluded == excluded
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What is known of it, in its world.
    pub(super) fn info(&self, world: WorldId) -> GroupInfo {
        let Self { number, owned, excluded, len } = *self;
        GroupInfo { id: GroupId { world, number }, owned, excluded, len }
    }

    pub(super) fn owned(&self) -> Signature {
        self.owned
    }

    /// Whether having one of `components` or not may decide about being a member.
    pub(super) fn concerns(&self, components: Signature) -> bool {
        !self.owned.union(self.excluded).is_disjoint(components)
    }

    /// `count` entities with `signature` were appended to arrays that hold members only.
    pub(super) fn grow(&mut self, signature: Signature, count: usize) {
        if self.matches(signature) {
            self.len += count;
        }
    }

    /// A member was taken out of the arrays, and all behind it have moved up.
    pub(super) fn lose(&mut self) {
        self.len -= 1;
    }

    /// All members were taken out of the arrays.
    pub(super) fn empty(&mut self) {
        self.len = 0;
    }

    pub(super) fn owns(&self, component: ComponentType) -> bool {
        self.owned.contains(component)
    }

    pub(super) fn matches(&self, signature: Signature) -> bool {
        signature.contains_all(self.owned) && signature.is_disjoint(self.excluded)
    }

    pub(super) fn is_around(&self, inner: &Self) -> bool {
        inner.owned.contains_all(self.owned) && inner.excluded.contains_all(self.excluded)
    }
}

/// All groups of a world; where two are nested, the outer one comes first.
pub(super) type Groups = Vec<Group>;

/// The group that a handle of the same world names.
pub(super) fn find(groups: &[Group], id: GroupId) -> Option<&Group> {
    groups.iter().find(|group| group.number == id.number)
}

/// Takes the entity in `slot` out of the groups that hold it under `before` but not under `after`.
pub(super) fn leave(
    groups: &mut Groups,
    index: &mut Index,
    columns: &mut [Column],
    slot: u32,
    [before, after]: [Signature; 2],
) {
    for group in groups.iter_mut().rev() {
        if group.matches(before) && !group.matches(after) {
            // A member lies at the same position in all owned arrays, and so does the last one.
            group.len -= 1;
            let position = group.dense(index, slot);
            if position != group.len {
                index.swap_all(group.owned, position, group.len);
                for component in group.owned.iter() {
                    columns[component.index()].swap(position, group.len);
                }
            }
        }
    }
}

/// Brings the entity in `slot` into the groups that hold it under `after` but not under `before`.
pub(super) fn enter(
    groups: &mut Groups,
    index: &mut Index,
    columns: &mut [Column],
    slot: u32,
    [before, after]: [Signature; 2],
) {
    for group in groups {
        if group.matches(after) && !group.matches(before) {
            move_to(group.len, group.owned, index, columns, slot);
            group.len += 1;
        }
    }
}

fn move_to(
    boundary: usize,
    owned: Signature,
    index: &mut Index,
    columns: &mut [Column],
    slot: u32,
) {
    for component in owned.iter() {
        let dense = index.dense(slot)[component.index()] as usize;
        if dense != boundary {
            index.swap(component, dense, boundary);
            columns[component.index()].swap(dense, boundary);
        }
    }
}

impl World {
    /// Creates the group that owns the arrays of the components in `Owned`; entities that have them
    /// all enter at once, `O(smallest array)`. Groups may be nested: `(A, B)` around `(A, B, C)`.
    /// Asking again for a group that exists returns it.
    ///
    /// # Errors
    /// A component is unknown or named twice, `Owned` is empty, or another group owns one of the
    /// components and neither group is nested in the other.
    pub fn group<Owned: Bundle>(&mut self) -> Result<GroupId, Error> {
        self.group_without::<Owned, ()>()
    }

    /// As [`group`](Self::group), for entities that have none of the components in `Excluded`. A
    /// nested group excludes at least what the one around it does.
    ///
    /// # Errors
    /// As for [`group`](Self::group); or `Owned` and `Excluded` share a component.
    pub fn group_without<Owned: Bundle, Excluded: Bundle>(&mut self) -> Result<GroupId, Error> {
        let mut group = Group {
            number: self.groups.len() as u32,
            owned: self.signature_of::<Owned>()?,
            excluded: self.signature_of::<Excluded>()?,
            len: 0,
        };
        if group.owned.is_empty() || !group.owned.is_disjoint(group.excluded) {
            return Err(Error::MalformedGroup);
        }
        let world = self.index.world();
        for other in &self.groups {
            if other.is_of(group.owned, group.excluded) {
                let number = other.number;
                return Ok(GroupId { world, number });
            }
            let shared = group.owned.iter().find(|&owned| other.owned.contains(owned));
            if let Some(shared) = shared
                && !group.is_around(other)
                && !other.is_around(&group)
            {
                let name = self.columns[shared.index()].name();
                return Err(Error::GroupsOverlap(name));
            }
        }

        // The groups inside the new one form a chain; the members of its outermost link are a
        // prefix already.
        let inner = self.groups.iter().position(|other| group.is_around(other));
        group.len = inner.map_or(0, |inner| self.groups[inner].len);
        let settled = group.len;
        // Listed first: entering changes the order the list is read from.
        let candidates = self.index.smallest(group.owned).unwrap_or_default();
        let entering: Vec<u32> = candidates
            .iter()
            .copied()
            .filter(|&slot| group.matches(self.index.signature(slot)))
            .filter(|&slot| group.dense(&self.index, slot) >= settled)
            .collect();
        for slot in entering {
            move_to(group.len, group.owned, &mut self.index, &mut self.columns, slot);
            group.len += 1;
        }
        let number = group.number;
        self.watched = self.watched.union(group.owned).union(group.excluded);
        self.groups.insert(inner.unwrap_or(self.groups.len()), group);
        Ok(GroupId { world, number })
    }

    pub(super) fn find_group(&self, id: GroupId) -> Result<&Group, Error> {
        let known = id.world == self.index.world();
        find(&self.groups, id).filter(|_| known).ok_or(Error::NoSuchGroup)
    }

    pub(super) fn check_owned(&self, id: GroupId, wanted: Signature) -> Result<usize, Error> {
        let group = self.find_group(id)?;
        match wanted.iter().find(|&wanted| !group.owned.contains(wanted)) {
            Some(foreign) => Err(Error::NotOwned(self.columns[foreign.index()].name())),
            None => Ok(group.len),
        }
    }

    /// How many entities are in the group.
    ///
    /// # Errors
    /// The group belongs to another world.
    pub fn group_len(&self, id: GroupId) -> Result<usize, Error> {
        Ok(self.find_group(id)?.len)
    }

    /// The members of the group, in the order of its slices.
    ///
    /// # Errors
    /// The group belongs to another world.
    pub fn group_entities(
        &self,
        id: GroupId,
    ) -> Result<impl ExactSizeIterator<Item = Entity> + DoubleEndedIterator, Error> {
        let members = self.find_group(id)?.members(&self.index);
        Ok(members.iter().map(|&slot| self.index.entity(slot)))
    }

    /// The member at one position of the group's slices; `None` behind their end. `O(1)`.
    ///
    /// # Errors
    /// The group belongs to another world.
    pub fn group_entity(&self, id: GroupId, position: usize) -> Result<Option<Entity>, Error> {
        let members = self.find_group(id)?.members(&self.index);
        Ok(members.get(position).map(|&slot| self.index.entity(slot)))
    }
}
