//! Removing groups.

use super::{GroupId, GroupInfo};
use crate::ecs::index::Owner;
use crate::ecs::{Error, Signature, World};

impl World {
    /// Removes a group. The entities and the order of the arrays stay; groups nested in it keep their
    /// members in front. `O(members)`.
    ///
    /// # Errors
    /// The group was removed before, or belongs to another world.
    pub fn remove_group(&mut self, id: GroupId) -> Result<(), Error> {
        let removed = self.find_group(id)?;
        self.groups.retain(|group| group.id != id);
        for component in removed.outermost {
            // The groups inside follow each other, from the outermost in.
            let next = self.groups.iter_mut().find(|group| group.owned.contains(component));
            let len = next.as_ref().map_or(0, |group| group.len);
            let list = self.index.array(component).owner().map_or(0, |owner| owner.list);
            let leaving =
                self.index.list(list)[len..self.index.array(component).aligned()].to_vec();
            for slot in leaving.into_iter().rev() {
                self.index.array_mut(component).leave(slot);
            }
            match next {
                Some(group) => {
                    group.outermost = group.outermost.with(component);
                    let owner = Owner::new(list, group.owned, group.excluded);
                    self.index.set_owner(component, owner);
                }
                None => self.index.remove_owner(component),
            }
        }
        self.index.trim_lists();
        let union = |of: fn(&GroupInfo) -> Signature| {
            self.groups.iter().map(of).fold(Signature::EMPTY, Signature::union)
        };
        (self.owned, self.excluded) = (union(|group| group.owned), union(|group| group.excluded));
        Ok(())
    }
}
