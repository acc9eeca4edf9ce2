//! Views: one component of any entity, with the component type looked up once.

use super::index::Index;
use super::{Changes, Component, ComponentType, Entity, Error, World};

/// All components of one type, for reading; returned by [`World::view`].
#[derive(Clone, Copy)]
pub struct View<'w, T> {
    index: &'w Index,
    component: ComponentType,
    values: &'w [T],
    changes: &'w Changes,
}

impl<'w, T: Component> View<'w, T> {
    /// Returns the component of an entity; `None` if the entity does not have it or does not live
    /// in this world. `O(1)`: reads one row and one element.
    #[must_use]
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&'w T> {
        self.values.get(self.index.find(entity, self.component)? as usize)
    }

    /// Returns the packed array.
    #[must_use]
    pub fn values(&self) -> &'w [T] {
        self.values
    }

    /// Returns the entities of the packed array, in its order.
    #[must_use]
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Entity> + 'w {
        let index = self.index;
        index.members(self.component).iter().map(|&slot| index.entity(slot))
    }

    /// Returns the change log of the packed array.
    #[must_use]
    pub fn changes(&self) -> &'w Changes {
        self.changes
    }
}

/// All components of one type, for changing them; returned by [`World::view_mut`].
pub struct ViewMut<'w, T> {
    index: &'w Index,
    component: ComponentType,
    values: &'w mut [T],
}

impl<T: Component> ViewMut<'_, T> {
    /// Returns the component of an entity; `None` if the entity does not have it or does not live
    /// in this world. `O(1)`.
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<&mut T> {
        self.values.get_mut(self.index.find(entity, self.component)? as usize)
    }

    /// Returns the components of several different entities.
    ///
    /// # Errors
    /// An entity does not have the component or does not live in this world, or two are the same.
    pub fn get_many_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[&mut T; N], Error> {
        let mut dense = [0; N];
        for (dense, &entity) in dense.iter_mut().zip(&entities) {
            self.index.check(entity)?;
            let found = self.index.find(entity, self.component);
            let missing = Error::Missing(entity, std::any::type_name::<T>());
            *dense = found.ok_or(missing)? as usize;
        }
        let repeated = (1..N).find(|&i| entities[..i].contains(&entities[i])).unwrap_or(0);
        let values = self.values.get_disjoint_mut(dense);
        values.map_err(|_| Error::EntityTwice(entities[repeated]))
    }

    /// Returns the packed array.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [T] {
        self.values
    }
}

impl World {
    /// Returns all components of one type. Faster than [`get`](Self::get) from the second access
    /// on.
    ///
    /// # Errors
    /// The component is not registered.
    pub fn view<T: Component>(&self) -> Result<View<'_, T>, Error> {
        let component = self.component_type::<T>()?;
        let column = &self.columns[component.index()];
        let (values, changes) = (column.values(), column.changes());
        Ok(View { index: &self.index, component, values, changes })
    }

    /// Returns all components of one type, and marks all of them as changed.
    ///
    /// # Errors
    /// The component is not registered.
    pub fn view_mut<T: Component>(&mut self) -> Result<ViewMut<'_, T>, Error> {
        let component = self.component_type::<T>()?;
        let values = self.columns[component.index()].values_mut();
        Ok(ViewMut { index: &self.index, component, values })
    }
}
