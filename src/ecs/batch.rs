//! Spawning and despawning many entities at once, array by array.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::column::{Column, for_each_despite_panic};
use super::index::Index;
use super::signature::Bits;
use super::{
    Bundle, ComponentTuple, ComponentType, Entity, Error, MAX_COMPONENT_TYPES, Signature, World,
};

/// Batches smaller than the largest array divided by this number are despawned one by one.
/// Compacting reads every element of an array, a single despawn only one.
const COMPACTING_FACTOR: usize = 16;

impl World {
    /// Spawns one entity per bundle and returns the handles in order, the same as those of as many
    /// calls of [`spawn`](Self::spawn). Each array grows once, to what the batch needs, if `bundles` knows its length (the
    /// lower bound of [`size_hint`](Iterator::size_hint)). No element moves if the groups of the new entities have all
    /// elements of their arrays.
    ///
    /// If `bundles` panics, no entity is spawned.
    ///
    /// # Errors
    /// The entity limit would be exceeded, or there is not enough memory for the handles and the index. The bundles taken
    /// from the iterator are dropped then. Too little memory for the components ends the process, unless
    /// [`reserve`](Self::reserve) has reserved it.
    #[cfg_attr(not(web), track_caller)]
    pub fn spawn_batch<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = B>,
    ) -> Result<Vec<Entity>, Error> {
        let (types, signature) = self.resolve::<B::Components>();
        let bundles = bundles.into_iter();
        let vacancies = self.index.vacancies();

        let columns = &mut self.columns;
        let expected = bundles.size_hint().0.min(vacancies);
        for component in signature {
            // Only a hint: an iterator may promise more than fits in memory.
            let _ = columns[component.index()].try_reserve(expected);
        }
        // One more than there are vacancies is enough to detect that they are too many.
        let items = bundles.take(vacancies.saturating_add(1)).map(B::into_components);
        let extend = AssertUnwindSafe(|| B::Components::extend(items, &types, columns));
        let extended = catch_unwind(extend).map(|count| (count <= vacancies).then_some(count));
        let Ok(Some(count)) = extended else {
            drop_without_members(&mut self.columns, &self.index, signature);
            extended.unwrap_or_else(|panic| resume_unwind(panic));
            return Err(Error::EntityLimit { limit: self.index.limits().entities });
        };
        let mut entities = Vec::new();
        let reserved = entities.try_reserve_exact(count);
        if reserved.and_then(|()| self.index.try_reserve(signature, count)).is_err() {
            drop_without_members(&mut self.columns, &self.index, signature);
            return Err(Error::OutOfMemory { entities: count });
        }

        let lists = self.appendable_lists(signature);
        let entities = self.index.create_batch(count, signature, lists, entities);
        if lists.is_some() {
            for group in self.groups.iter_mut().filter(|group| group.matches(signature)) {
                group.len += count;
            }
        } else {
            for entity in &entities {
                self.place_new(entity.index(), signature);
            }
        }
        self.notify_all_added(&entities, signature);
        Ok(entities)
    }

    /// Returns the member lists of the groups that match `signature`, as bits, if each of these groups
    /// has all elements of its arrays: appended elements are members then without being moved.
    fn appendable_lists(&self, signature: Signature) -> Option<Bits> {
        let mut lists = 0;
        for group in self.groups.iter().filter(|group| group.matches(signature)) {
            let mut owned = group.owned.iter();
            if owned.any(|owned| self.index.array(owned).len() != group.len) {
                return None;
            }
            lists |= group.lists;
        }
        Some(lists)
    }

    /// Despawns the entities that live in this world and returns their number. Stale, foreign and
    /// repeated handles are skipped. If the batch is large, arrays are compacted one after the other, and the remaining
    /// elements keep their order; the components are dropped after all observers were called.
    pub fn despawn_batch(&mut self, entities: &[Entity]) -> usize {
        let largest = self.index.largest();
        if entities.len() < largest / COMPACTING_FACTOR {
            let mut despawned = 0;
            for_each_despite_panic(entities.iter(), |&entity| {
                despawned += usize::from(self.despawn(entity).is_ok());
            });
            return despawned;
        }
        let mut removed = [0; MAX_COMPONENT_TYPES];
        // Consecutive entities with the same signature are counted together.
        let (mut despawned, mut run) = (0, (Signature::EMPTY, 0));
        let mut count = |(signature, times): (Signature, usize)| {
            signature.iter().for_each(|component| removed[component.index()] += times);
        };
        let destroy = |&entity: &Entity| {
            let Ok(slot) = self.index.check(entity) else { return };
            let signature = self.index.signature(slot);
            self.notify_removed(slot, signature);
            // Leaves its elements in the packed arrays, which are compacted below.
            self.index.destroy(slot);
            if signature != run.0 {
                count(std::mem::replace(&mut run, (signature, 0)));
            }
            run.1 += 1;
            despawned += 1;
            self.observers.despawned(entity);
        };
        // If an observer panics, the arrays are compacted before the panic continues.
        let observed =
            catch_unwind(AssertUnwindSafe(|| for_each_despite_panic(entities.iter(), destroy)));
        count(run);
        self.compact_arrays(&removed);
        observed.unwrap_or_else(|panic| resume_unwind(panic));
        despawned
    }

    /// Despawns all entities, so that all their handles become stale. Component types, groups, systems, observers and
    /// resources stay.
    pub fn clear(&mut self) {
        let all: Vec<_> = self.entities(Signature::EMPTY).collect();
        self.despawn_batch(&all);
    }

    /// Removes destroyed entities from the packed arrays; `removed` is their number in each array.
    fn compact_arrays(&mut self, removed: &[usize; MAX_COMPONENT_TYPES]) {
        let Self { index, columns, groups, .. } = self;
        let components = (0..columns.len() as u8).map(ComponentType::new);
        let affected: Signature =
            components.filter(|component| removed[component.index()] > 0).collect();
        for component in affected {
            let column = &mut columns[component.index()];
            column.mark_moved();
            index.compact(component, |to, from| column.swap_unmarked(to, from));
        }
        let lists = index.lists().filter(|&list| !index.arrays_of(list).is_disjoint(affected));
        for list in lists.collect::<Vec<_>>() {
            // The length of a group is updated with one of its lists.
            let counted = groups.iter_mut().filter(|group| group.lists().next() == Some(list));
            let mut old_lens: Vec<_> = counted.map(|group| (group.len, group)).collect();
            index.compact_list(list, |position| {
                let members = old_lens.iter_mut().filter(|(len, _)| position < *len);
                members.for_each(|(_, group)| group.len -= 1);
            });
        }
        // Destructors run last: if one panics, the index is consistent.
        drop_without_members(columns, index, affected);
    }
}

/// Drops the values beyond the members of their arrays.
fn drop_without_members(columns: &mut [Column], index: &Index, components: Signature) {
    for_each_despite_panic(components.iter(), |component| {
        columns[component.index()].truncate(index.array(component).len());
    });
}
