//! Access to the components of one entity.

use std::any::type_name;

use super::index::ABSENT;
use super::{Component, Entity, Error, ReadTerms, Terms, World};

impl World {
    /// Returns a component of an entity, or several: `get::<&A>(entity)`,
    /// `get::<(&A, Option<&B>)>(entity)`.
    ///
    /// # Errors
    /// The entity does not exist or belongs to another world, or it does not have a component.
    #[inline]
    pub fn get<Q: ReadTerms>(&self, entity: Entity) -> Result<Q::Items<'_>, Error> {
        self.get_from_slot::<Q>(self.index.check(entity)?)
    }

    /// Returns components of the entity in `slot`. A function of its own, so that the check of the handle
    /// is inlined where the handle comes from: passed on, it would be written to memory and read back.
    fn get_from_slot<Q: ReadTerms>(&self, slot: u32) -> Result<Q::Items<'_>, Error> {
        self.read_slot::<Q>(slot, &Q::find(&self.columns))
    }

    #[inline]
    pub(super) fn read_slot<Q: ReadTerms>(
        &self,
        slot: u32,
        types: &Q::Types,
    ) -> Result<Q::Items<'_>, Error> {
        let located = self.index.located(slot);
        let found = Q::read(&Q::slices(&self.columns, types), located, types);
        found.ok_or_else(|| self.missing::<Q>(slot, types))
    }

    /// Returns a component of an entity, for changing it.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    #[inline]
    pub fn get_mut<T: Component>(&mut self, entity: Entity) -> Result<&mut T, Error> {
        self.query_one_mut::<&mut T>(entity)
    }

    /// Returns several components of an entity, for changing them: `query_one_mut::<(&mut A, &B)>(entity)`.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    #[inline]
    pub fn query_one_mut<Q: Terms>(&mut self, entity: Entity) -> Result<Q::Items<'_>, Error> {
        self.query_one_from_slot::<Q>(self.index.check(entity)?)
    }

    fn query_one_from_slot<Q: Terms>(&mut self, slot: u32) -> Result<Q::Items<'_>, Error> {
        let types = Q::register(&mut self.index, &mut self.columns);
        self.check_present::<Q>(slot, &types)?;
        Ok(self.change_slot::<Q>(slot, &types))
    }

    /// Returns components of the entity in `slot`, which has those that `Q` requires, and marks what may be changed.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn change_slot<Q: Terms>(&mut self, slot: u32, types: &Q::Types) -> Q::Items<'_> {
        let Self { index, columns, .. } = self;
        let located = index.located(slot);
        for component in Q::written(types) {
            let dense = located.dense(component);
            if dense != ABSENT {
                columns[component.index()].mark(dense as usize);
            }
        }
        let mut rests = Q::rests(Q::slices_mut(columns, types), types, |_| None);
        Q::next(&mut rests, located, types)
    }

    /// Returns an error if the entity in `slot` lacks one of the components that `Q` requires.
    #[inline]
    fn check_present<Q: Terms>(&self, slot: u32, types: &Q::Types) -> Result<(), Error> {
        let signature = self.index.signature(slot);
        match Q::required(types) {
            Some(required) if signature.contains_all(required) => Ok(()),
            _ => Err(self.missing::<Q>(slot, types)),
        }
    }

    /// Returns the error that a living entity lacks one of the components that `Q` requires.
    #[cold]
    fn missing<Q: Terms>(&self, slot: u32, types: &Q::Types) -> Error {
        let signature = self.index.signature(slot);
        Error::Missing(self.index.entity(slot), Q::first_missing(types, signature))
    }

    /// Returns the components of several different entities, for changing them.
    ///
    /// # Errors
    /// As for [`get`](Self::get), for any of the entities; or two of them are the same.
    pub fn get_many_mut<T: Component, const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[&mut T; N], Error> {
        let component = self.register::<T>();
        let mut dense = [0; N];
        for (i, &entity) in entities.iter().enumerate() {
            self.index.check(entity)?;
            let found = self.index.find(entity, component);
            dense[i] = found.ok_or(Error::Missing(entity, type_name::<T>()))? as usize;
            if entities[..i].contains(&entity) {
                return Err(Error::EntityTwice(entity));
            }
        }
        let column = &mut self.columns[component.index()];
        for &dense in &dense {
            column.mark(dense);
        }
        let values = column.values_unmarked().get_disjoint_mut(dense);
        Ok(values.expect("the entities are different, and each has the component"))
    }
}
