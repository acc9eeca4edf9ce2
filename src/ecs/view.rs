//! Views: the components of any entity, with the component type looked up once.

use std::fmt;
use std::ops::Range;

use super::changes::Changes;
use super::column::Column;
use super::column_map::ColumnMap;
use super::index::{Finder, Index};
use super::term::ComponentTerm;
use super::terms::disjoint;
use super::tuples::for_each_tuple;
use super::{Component, ComponentType, Entity, World};

/// All components of one type, for reading; returned by [`World::view`].
pub struct View<'w, T> {
    index: &'w Index,
    /// `None` if the component was never used.
    component: Option<(ComponentType, Finder<'w>)>,
    values: &'w [T],
    changes: &'w Changes,
}

/// Prints the values.
impl<T: fmt::Debug> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values).finish()
    }
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for View<'_, T> {}

impl<'w, T: Component> View<'w, T> {
    fn new(index: &'w Index, column: Option<&'w Column>, component: Option<ComponentType>) -> Self {
        static UNUSED: Changes = Changes::new(0);
        let values = column.map_or(&[][..], |column| column.values());
        let component = component.map(|component| (component, index.finder(component)));
        Self { index, component, values, changes: column.map_or(&UNUSED, Column::changes) }
    }

    /// Returns the component of an entity; `None` if the entity does not have it or does not live
    /// in this world. `O(1)`: reads one row and one element.
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&'w T> {
        let (_, finder) = self.component.as_ref()?;
        self.values.get(finder.find(entity)? as usize)
    }

    /// Returns the packed array.
    pub fn values(&self) -> &'w [T] {
        self.values
    }

    /// Returns the number of entities with the component.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if no entity has the component.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the entities of the packed array, in its order.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Entity> + use<'w, T> {
        self.iter().map(|(entity, _)| entity)
    }

    /// Returns the entity at an index of the packed array, such as one from its change log; `None` beyond its end.
    pub fn entity(&self, dense: usize) -> Option<Entity> {
        let ((component, _), index) = (self.component?, self.index);
        (dense < self.len()).then(|| index.entity(index.slot_at(component, dense)))
    }

    /// Iterates over all entities with the component, in the order of the packed array.
    pub fn iter(&self) -> ViewIter<'w, T> {
        ViewIter { view: *self, left: 0..self.len() }
    }

    /// Returns the change log of the packed array, which begins with the first call for this array.
    pub fn changes(&self) -> &'w Changes {
        self.changes.begin();
        self.changes
    }
}

impl<'w, T: Component> IntoIterator for View<'w, T> {
    type Item = (Entity, &'w T);
    type IntoIter = ViewIter<'w, T>;

    fn into_iter(self) -> ViewIter<'w, T> {
        self.iter()
    }
}

impl<'w, T: Component> IntoIterator for &View<'w, T> {
    type Item = (Entity, &'w T);
    type IntoIter = ViewIter<'w, T>;

    fn into_iter(self) -> ViewIter<'w, T> {
        self.iter()
    }
}

/// Iterator over the entities of a view and their components; returned by [`View::iter`].
pub struct ViewIter<'w, T> {
    view: View<'w, T>,
    /// Dense indices that are left.
    left: Range<usize>,
}

impl<T> Clone for ViewIter<'_, T> {
    fn clone(&self) -> Self {
        Self { view: self.view, left: self.left.clone() }
    }
}

/// Prints how many entities are left.
impl<T> fmt::Debug for ViewIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewIter").field("left", &self.left.len()).finish_non_exhaustive()
    }
}

impl<'w, T> Iterator for ViewIter<'w, T> {
    type Item = (Entity, &'w T);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let View { index, component, values, .. } = self.view;
        let dense = self.left.next()?;
        let (component, _) = component.expect("it has values");
        Some((index.entity(index.slot_at(component, dense)), &values[dense]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<T> ExactSizeIterator for ViewIter<'_, T> {}

/// All components of one type, for changing them; returned by [`World::view_mut`]. Iterate with
/// [`iter_mut`](Self::iter_mut), or with [`as_view`](Self::as_view) to read only.
pub struct ViewMut<'w, T> {
    index: &'w Index,
    component: ComponentType,
    finder: Finder<'w>,
    values: &'w mut [T],
    changes: &'w mut Changes,
}

/// Prints the values.
impl<T: fmt::Debug> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&*self.values).finish()
    }
}

impl<T: Component> ViewMut<'_, T> {
    /// Returns the component of an entity; `None` if the entity does not have it or does not live
    /// in this world.
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&T> {
        self.values.get(self.finder.find(entity)? as usize)
    }

    /// Returns the component of an entity, for changing it.
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<&mut T> {
        let dense = self.finder.find(entity)? as usize;
        self.changes.mark(dense);
        self.values.get_mut(dense)
    }

    /// Returns the same components for reading: a view with all that it offers.
    pub fn as_view(&self) -> View<'_, T> {
        let component = Some((self.component, self.finder));
        View { index: self.index, component, values: self.values, changes: self.changes }
    }

    /// Iterates over all entities with the component, in the order of the packed array.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Entity, &mut T)> {
        self.changes.mark_all();
        let entities = self.index.slots_of(self.component).map(|slot| self.index.entity(slot));
        entities.zip(self.values.iter_mut())
    }
}

/// The components that [`World::view`] returns views of: `&T`, or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no views to read",
    note = "use `&T`, or a tuple of up to eight `&T`; `view_mut` takes `&mut T`, too"
)]
pub trait ReadViews {
    /// One [`View`] for each component.
    type Views<'w>;

    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn views<'w>(index: &'w Index, columns: &'w ColumnMap) -> Self::Views<'w>;
}

impl<T: Component> ReadViews for &T {
    type Views<'w> = View<'w, T>;

    fn views<'w>(index: &'w Index, columns: &'w ColumnMap) -> View<'w, T> {
        let component = columns.find::<T>();
        View::new(index, component.map(|component| &columns[component.index()]), component)
    }
}

/// A component that [`World::view_mut`] returns a view of: `&T` or `&mut T`.
#[diagnostic::on_unimplemented(message = "`{Self}` has no view", note = "use `&T` or `&mut T`")]
pub trait ViewTerm: ComponentTerm {
    /// [`View`] or [`ViewMut`].
    type View<'w>;

    #[doc(hidden)]
    fn view<'w>(index: &'w Index, column: &'w mut Column, it: ComponentType) -> Self::View<'w>;
}

impl<T: Component> ViewTerm for &T {
    type View<'w> = View<'w, T>;

    fn view<'w>(index: &'w Index, column: &'w mut Column, it: ComponentType) -> View<'w, T> {
        View::new(index, Some(column), Some(it))
    }
}

impl<T: Component> ViewTerm for &mut T {
    type View<'w> = ViewMut<'w, T>;

    fn view<'w>(index: &'w Index, column: &'w mut Column, it: ComponentType) -> ViewMut<'w, T> {
        let (values, changes) = column.parts_mut();
        ViewMut { index, component: it, finder: index.finder(it), values, changes }
    }
}

/// The components that [`World::view_mut`] returns views of: `&mut T`, or a tuple of up to eight `&T` and
/// `&mut T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no views",
    note = "use `&T` or `&mut T`, or a tuple of up to eight of these"
)]
pub trait Views {
    /// One [`View`] or [`ViewMut`] for each component.
    type Views<'w>;

    #[doc(hidden)]
    #[cfg_attr(not(web), track_caller)]
    fn views_mut<'w>(index: &'w mut Index, columns: &'w mut ColumnMap) -> Self::Views<'w>;
}

impl<V: ViewTerm> Views for V {
    type Views<'w> = V::View<'w>;

    fn views_mut<'w>(index: &'w mut Index, columns: &'w mut ColumnMap) -> V::View<'w> {
        <(V,)>::views_mut(index, columns).0
    }
}

macro_rules! views {
    ($(($term:ident $column:ident $position:tt))+) => {
        impl<$($term: ReadViews),+> ReadViews for ($($term,)+) {
            type Views<'w> = ($($term::Views<'w>,)+);

            fn views<'w>(index: &'w Index, columns: &'w ColumnMap) -> Self::Views<'w> {
                ($($term::views(index, columns),)+)
            }
        }

        impl<$($term: ViewTerm),+> Views for ($($term,)+) {
            type Views<'w> = ($($term::View<'w>,)+);

            fn views_mut<'w>(index: &'w mut Index, columns: &'w mut ColumnMap) -> Self::Views<'w> {
                let types = [$($term::register(index, columns)),+];
                let [$($column),+] = disjoint(columns, types);
                ($({
                    let (column, it) = $column.zip(types[$position]).expect("registered above");
                    $term::view(index, column, it)
                },)+)
            }
        }
    };
}

for_each_tuple!(
    views! [(A a 0)] (B b 1) (C c 2) (D d 3) (E e 4) (F f 5) (G g 6) (H h 7)
);

impl World {
    /// Returns all components of one type, or of several: `view::<&A>()`, `view::<(&A, &B)>()`.
    /// Faster than [`get`](Self::get) from the second access on.
    #[cfg_attr(not(web), track_caller)]
    pub fn view<V: ReadViews>(&self) -> V::Views<'_> {
        V::views(&self.index, &self.columns)
    }

    /// Returns all components of one type, or of several, for changing them. With several views, a
    /// loop over one component can read another of any entity:
    ///
    /// ```
    /// use cubefall::ecs::{Entity, World};
    ///
    /// struct Position(f32);
    /// struct Velocity(f32);
    /// struct Target(Entity);
    ///
    /// let mut world = World::new();
    /// let plane = world.spawn((Position(8.0),));
    /// let missile = world.spawn((Position(2.0), Velocity(0.0), Target(plane)));
    ///
    /// let (mut velocities, positions, targets) =
    ///     world.view_mut::<(&mut Velocity, &Position, &Target)>();
    /// for (entity, velocity) in velocities.iter_mut() {
    ///     let target = targets.get(entity).and_then(|target| positions.get(target.0));
    ///     if let (Some(own), Some(target)) = (positions.get(entity), target) {
    ///         velocity.0 += (target.0 - own.0).signum();
    ///     }
    /// }
    /// assert_eq!(world.get::<&Velocity>(missile).map(|velocity| velocity.0), Ok(1.0));
    /// ```
    #[cfg_attr(not(web), track_caller)]
    pub fn view_mut<V: Views>(&mut self) -> V::Views<'_> {
        V::views_mut(&mut self.index, &mut self.columns)
    }
}
