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
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&'w T> {
        self.values.get(self.index.find(entity, self.component)? as usize)
    }

    /// Returns the packed array.
    pub fn values(&self) -> &'w [T] {
        self.values
    }

    /// Returns the entities of the packed array, in its order.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Entity> + 'w {
        let index = self.index;
        index.slots_of(self.component).map(|slot| index.entity(slot))
    }

    /// Returns the change log of the packed array.
    pub fn changes(&self) -> &'w Changes {
        self.changes
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
}
