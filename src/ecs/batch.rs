//! Batch: many entities spawned or despawned at once, array by array instead of one by one.

use super::column::Column;
use super::group;
use super::index::Index;
use super::{Bundle, ComponentType, Entity, Error, MAX_COMPONENT_TYPES, Signature, World};

/// A batch smaller than this share of the world's largest array is despawned one by one: closing
/// gaps looks at every element, taking one out at one.
const WORTH_COMPACTING: usize = 16;

impl World {
    /// Spawns an entity for each bundle, and returns their handles in order: those that as many
    /// calls of [`spawn`](Self::spawn) would give. Each array grows once, and where all elements of
    /// the arrays are in the groups the new entities belong to, no element is moved.
    ///
    /// If `bundles` panics, no entity is spawned.
    ///
    /// # Errors
    /// A component is unknown or given twice, the entity limit would be passed, or there is no memory
    /// for the entities; the bundles that were taken from the iterator are dropped.
    pub fn spawn_batch<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = B>,
    ) -> Result<Vec<Entity>, Error> {
        let types = B::types(&self.columns)?;
        let signature = B::signature(&types, &self.columns)?;
        let bundles = bundles.into_iter();
        let vacancies = self.index.vacancies();

        let unfinished =
            Unfinished { columns: &mut self.columns, index: &self.index, types: types.as_ref() };
        let expected = bundles.size_hint().0.min(vacancies);
        for component in types.as_ref() {
            // Only a hint: an iterator may promise more than there is memory for.
            let _ = unfinished.columns[component.index()].try_reserve(expected);
        }
        // One more than there is room for is enough to know that they are too many.
        let bundles = bundles.take(vacancies.saturating_add(1));
        let count = B::extend(bundles, &types, unfinished.columns);
        if count > vacancies {
            return Err(Error::EntityLimit { limit: self.index.limits().entities });
        }
        std::mem::forget(unfinished);
        let Ok(entities) = self.index.try_reserve_batch(count, signature) else {
            let Self { columns, index, .. } = self;
            drop(Unfinished { columns, index, types: types.as_ref() });
            return Err(Error::OutOfMemory { entities: count });
        };

        let settled = self.is_settled(signature);
        let entities = self.index.create_batch(count, signature, entities);
        if settled {
            self.groups.iter_mut().for_each(|group| group.grow(signature, count));
        } else {
            for entity in &entities {
                self.enter_groups(entity.index(), Signature::EMPTY, signature);
            }
        }
        self.observers.gained(&entities, signature);
        Ok(entities)
    }

    /// Whether every group that holds entities with `signature` holds all elements of its arrays,
    /// so that elements appended to these are its members as they lie.
    fn is_settled(&self, signature: Signature) -> bool {
        let mut holding = self.groups.iter().filter(|group| group.matches(signature));
        holding.all(|group| {
            group.owned().iter().all(|owned| self.index.members(owned).len() == group.len())
        })
    }

    /// Despawns the entities that live in this world, and returns how many these were; stale,
    /// foreign and repeated handles are passed over. Where the batch is large and nobody observes,
    /// gaps are closed array by array, and the others keep their order.
    pub fn despawn_batch(&mut self, entities: &[Entity]) -> usize {
        let largest = self.index.largest();
        if entities.len() < largest / WORTH_COMPACTING || !self.observers.is_empty() {
            return entities.iter().filter(|&&entity| self.despawn(entity).is_ok()).count();
        }
        let mut gone = [0; MAX_COMPONENT_TYPES];
        let (mut despawned, mut run) = (0, (Signature::EMPTY, 0));
        let mut count = |(signature, times): (Signature, usize)| {
            signature.iter().for_each(|component| gone[component.index()] += times);
        };
        for &entity in entities {
            let Ok(slot) = self.index.check(entity) else { continue };
            let signature = self.index.destroy_later(slot);
            if signature != run.0 {
                count(std::mem::replace(&mut run, (signature, 0)));
            }
            run.1 += 1;
            despawned += 1;
        }
        count(run);
        self.close_gaps(&gone);
        despawned
    }

    /// Despawns every entity. Component types, groups and systems stay; no handle given out before
    /// becomes valid again.
    pub fn clear(&mut self) {
        let everyone: Vec<_> = self.entities(Signature::EMPTY).collect();
        self.despawn_batch(&everyone);
    }

    /// Takes destroyed entities out of the packed arrays; `gone` says how many of each array these
    /// are.
    fn close_gaps(&mut self, gone: &[usize; MAX_COMPONENT_TYPES]) {
        let Self { index, columns, groups, .. } = self;
        let mut kept = [None; MAX_COMPONENT_TYPES];
        for (number, column) in columns.iter_mut().enumerate() {
            let component = ComponentType::new(number as u8);
            if gone[number] == 0 {
                continue;
            }
            let first_of = groups.iter_mut().filter(|group| group.any_owned() == component);
            if gone[number] == index.members(component).len() {
                first_of.for_each(group::Group::empty);
                index.forget_members(component);
                kept[number] = Some(0);
                continue;
            }
            let mut lens: Vec<_> = first_of.map(|group| (group.len(), group)).collect();
            column.mark_all();
            let swap = |to, from| column.swap_unmarked(to, from);
            let left = index.compact(component, swap, |position| {
                lens.iter_mut()
                    .filter(|(len, _)| position < *len)
                    .for_each(|(_, group)| group.lose());
            });
            kept[number] = Some(left);
        }
        // Destructors come last: whichever panics, the index is sound.
        let mut tails = Tails { columns, kept };
        tails.drop_all();
    }
}

/// Values that are appended to the arrays before their entities exist; taken back when dropped.
pub(super) struct Unfinished<'w> {
    pub(super) columns: &'w mut [Column],
    pub(super) index: &'w Index,
    pub(super) types: &'w [ComponentType],
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        let mut kept = [None; MAX_COMPONENT_TYPES];
        for &component in self.types {
            kept[component.index()] = Some(self.index.members(component).len());
        }
        Tails { columns: self.columns, kept }.drop_all();
    }
}

/// Values behind the end of their arrays, which are dropped also if one destructor panics.
struct Tails<'w> {
    columns: &'w mut [Column],
    kept: [Option<usize>; MAX_COMPONENT_TYPES],
}

impl Tails<'_> {
    fn drop_all(&mut self) {
        for (column, kept) in self.columns.iter_mut().zip(&mut self.kept) {
            if let Some(kept) = kept.take() {
                column.truncate(kept);
            }
        }
    }
}

impl Drop for Tails<'_> {
    fn drop(&mut self) {
        self.drop_all();
    }
}
