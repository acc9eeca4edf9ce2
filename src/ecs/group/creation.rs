//! Creating groups.

use super::membership::append_member;
use super::{GroupId, GroupInfo};
use crate::ecs::index::Owner;
use crate::ecs::{Bundle, Signature, World};

impl World {
    /// Creates the group that owns the arrays of the components in `Owned`. Every entity that has
    /// all of them is a member. Groups may be nested: `(A, B)` around `(A, B, C)`. A group that
    /// exists already is returned. One pass over the smallest array.
    ///
    /// # Panics
    /// `Owned` is empty, or another group owns one of the components and neither group is nested in
    /// the other.
    #[cfg_attr(not(web), track_caller)]
    pub fn create_group<Owned: Bundle>(&mut self) -> GroupId {
        self.create_group_without::<Owned, ()>()
    }

    /// Creates a group like [`create_group`](Self::create_group), of the entities that have none of
    /// the components in `Excluded`. A nested group excludes at least the same components as the
    /// group around it.
    ///
    /// # Panics
    /// As for [`create_group`](Self::create_group); or `Owned` and `Excluded` share a component.
    #[cfg_attr(not(web), track_caller)]
    pub fn create_group_without<Owned: Bundle, Excluded: Bundle>(&mut self) -> GroupId {
        let mut group = GroupInfo {
            id: GroupId { world: self.id(), number: self.groups_created },
            owned: self.signature_of::<Owned>(),
            excluded: self.signature_of::<Excluded>(),
            len: 0,
            outermost: Signature::EMPTY,
            lists: 0,
        };
        assert!(
            !group.owned.is_empty() && group.owned.is_disjoint(group.excluded),
            "a group must own at least one component, and none that it excludes"
        );
        for other in &self.groups {
            if other.is_of(group.owned, group.excluded) {
                return other.id;
            }
            let shared = group.owned.intersection(other.owned).iter().next();
            if let Some(shared) = shared
                && !group.is_around(other)
                && !other.is_around(&group)
            {
                panic!(
                    "component {} is owned by another group, and neither group is nested in the other",
                    self.columns[shared.index()].name(),
                );
            }
        }
        self.groups_created += 1;

        // Groups inside the new one are nested in each other; the members of the outermost of them
        // are a prefix already.
        let inner = self.groups.iter().position(|other| group.is_around(other));
        group.len = inner.map_or(0, |inner| self.groups[inner].len);
        let number = inner.unwrap_or(self.groups.len());
        self.groups.insert(number, group);
        self.take_ownership(number);
        let group = self.groups[number];
        // Collected first because entering changes the order of the array.
        let smallest = self.index.smallest(group.owned).expect("the group owns an array");
        let entering: Vec<u32> = self
            .index
            .slots_of(smallest)
            .skip(group.len)
            .filter(|&slot| {
                let signature = self.index.signature(slot);
                group.matches(signature)
                    && !inner.is_some_and(|inner| self.groups[inner + 1].matches(signature))
            })
            .collect();
        self.owned = self.owned.union(group.owned);
        self.excluded = self.excluded.union(group.excluded);
        let Self { index, columns, groups, .. } = self;
        for slot in entering {
            append_member(&mut groups[number], slot, Signature::EMPTY, index, columns);
        }
        group.id
    }

    /// Makes a new group the outermost owner of the arrays that no group around it owns.
    fn take_ownership(&mut self, number: usize) {
        let group = self.groups[number];
        let around =
            self.groups.iter().filter(|other| other.id != group.id && other.is_around(&group));
        let taken = around.fold(group.owned, |taken, other| taken.difference(other.owned));
        let list = self.list_for(number, taken);
        for component in taken {
            self.index.set_owner(component, Owner::new(list, group.owned, group.excluded));
        }
        self.index.trim_lists();
        for other in &mut self.groups {
            other.outermost = other.outermost.difference(taken);
            let in_list = |&list: &u8| !other.owned.is_disjoint(self.index.arrays_of(list));
            other.lists =
                self.index.lists().filter(in_list).fold(0, |lists, list| lists | 1 << list);
        }
        self.groups[number].outermost = taken;
    }

    /// Returns the member list for arrays of which a new group is the outermost owner: that of a group
    /// around it, that of a group inside it, or a new one.
    fn list_for(&mut self, number: usize, taken: Signature) -> u8 {
        let group = self.groups[number];
        let owner_list = |component| self.index.array(component).owner().map(|owner| owner.list);
        if let Some(list) = group.owned.difference(taken).iter().find_map(owner_list) {
            return list;
        }
        let inner = self.groups[number + 1..].iter().find(|other| group.is_around(other)).copied();
        let Some(inner) = inner else { return self.index.add_list(&[]) };
        let list = inner.lists().find(|&list| {
            let arrays = inner.owned.intersection(self.index.arrays_of(list));
            !arrays.is_disjoint(taken) && inner.outermost.contains_all(arrays)
        });
        // Other arrays in the list of the inner group belong to a third group around it.
        list.unwrap_or_else(|| {
            let members = inner.members(&self.index).to_vec();
            self.index.add_list(&members)
        })
    }
}
