//! View: one component of any entity, with the component type looked up once for many accesses.

use super::index::Index;
use super::{Component, ComponentType, Entity, Error, World};

/// All components of one type, to be read by handle; made by [`World::view`].
#[derive(Clone, Copy)]
pub struct View<'w, T> {
    index: &'w Index,
    component: ComponentType,
    values: &'w [T],
}

impl<'w, T: Component> View<'w, T> {
    /// The component of an entity; `None` if it does not live in this world or has none. `O(1)`:
    /// one row, one element.
    #[must_use]
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&'w T> {
        self.values.get(self.index.find(entity, self.component)? as usize)
    }

    /// The whole packed array.
    #[must_use]
    pub fn values(&self) -> &'w [T] {
        self.values
    }

    /// The entities of the packed array, in its order.
    #[must_use]
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Entity> + 'w {
        let index = self.index;
        index.members(self.component).iter().map(|&slot| index.entity(slot))
    }
}

/// All components of one type, to be changed by handle; made by [`World::view_mut`].
pub struct ViewMut<'w, T> {
    index: &'w Index,
    component: ComponentType,
    values: &'w mut [T],
}

impl<T: Component> ViewMut<'_, T> {
    /// The component of an entity; `None` if it does not live in this world or has none. `O(1)`.
    #[must_use]
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&T> {
        self.values.get(self.index.find(entity, self.component)? as usize)
    }

    /// The component of an entity, to be changed; `None` as for [`get`](Self::get).
    #[must_use]
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<&mut T> {
        self.values.get_mut(self.index.find(entity, self.component)? as usize)
    }

    /// The components of several entities at once, to be changed together.
    ///
    /// # Errors
    /// One of them does not live in this world or has no such component, or two are the same.
    pub fn get_many_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[&mut T; N], Error> {
        let mut dense = [0; N];
        for (dense, &entity) in dense.iter_mut().zip(&entities) {
            let found = self.index.find(entity, self.component);
            *dense = if let Some(found) = found {
                found as usize
            } else {
                self.index.check(entity)?;
                return Err(Error::Missing(entity, std::any::type_name::<T>()));
            };
        }
        let twice = (1..N).find(|&i| entities[..i].contains(&entities[i])).unwrap_or(0);
        let values = self.values.get_disjoint_mut(dense);
        values.map_err(|_| Error::EntityTwice(entities[twice]))
    }

    /// The whole packed array, to be changed.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [T] {
        self.values
    }
}

impl World {
    /// Components of one type, to be read by handle; worth it from the second access on.
    ///
    /// # Errors
    /// The component is not registered.
    pub fn view<T: Component>(&self) -> Result<View<'_, T>, Error> {
        let component = self.component_type::<T>()?;
        let values = self.columns[component.index()].values();
        Ok(View { index: &self.index, component, values })
    }

    /// Components of one type, to be changed by handle; worth it from the second access on.
    ///
    /// # Errors
    /// The component is not registered.
    pub fn view_mut<T: Component>(&mut self) -> Result<ViewMut<'_, T>, Error> {
        let component = self.component_type::<T>()?;
        let values = self.columns[component.index()].values_mut();
        Ok(ViewMut { index: &self.index, component, values })
    }
}
