//! Column: one packed array of components, its type erased.

use std::any::{Any, TypeId, type_name};
use std::collections::TryReserveError;

use super::changes::ChangeLog;
use super::entity::WorldId;
use super::prefab::CloneValue;
use super::{ComponentType, Error};

/// A type that can be a component: any owned data that may move between threads.
///
/// Nothing has to be derived or implemented.
pub trait Component: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Component for T {}

/// What can be done to a packed array without knowing its component type.
trait Values: Any + Send + Sync {
    fn len(&self) -> usize;
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
    fn swap(&mut self, a: usize, b: usize);
    fn swap_drop(&mut self, hole: usize);
    fn truncate(&mut self, len: usize);
    fn shrink_to_fit(&mut self);
    fn bytes(&self) -> usize;
}

impl<T: Component> Values for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.as_mut_slice().swap(a, b);
    }

    fn swap_drop(&mut self, hole: usize) {
        // The hole is closed before the value's destructor can panic.
        drop(self.swap_remove(hole));
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

/// The values of one component type, without holes, in the order of `Index::members`.
pub struct Column {
    type_id: TypeId,
    name: &'static str,
    changes: ChangeLog,
    clone_value: Option<CloneValue>,
    values: Box<dyn Values>,
}

impl Column {
    pub(super) fn new<T: Component>(world: WorldId) -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            name: type_name::<T>(),
            changes: ChangeLog::new(world.first_revision()),
            clone_value: None,
            values: Box::new(Vec::<T>::new()),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn changes(&self) -> &ChangeLog {
        &self.changes
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// How a value is copied; none if the component was not registered as cloneable.
    pub(super) fn clone_value(&self) -> Option<CloneValue> {
        self.clone_value
    }

    pub(super) fn set_clone(&mut self, clone_value: CloneValue) {
        self.clone_value = Some(clone_value);
    }

    pub(super) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve(additional)
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.changes.mark(a);
        self.changes.mark(b);
        self.values.swap(a, b);
    }

    /// As [`swap`](Self::swap), for a caller that has marked everything as changed.
    pub(super) fn swap_unmarked(&mut self, a: usize, b: usize) {
        self.values.swap(a, b);
    }

    /// Any value may be changed.
    pub(super) fn mark_all(&mut self) {
        self.changes.mark_all();
    }

    /// The value at a position may be changed.
    pub(super) fn mark(&mut self, position: usize) {
        self.changes.mark(position);
    }

    /// Moves the last value into the hole and drops the value that was there.
    pub(super) fn swap_drop(&mut self, hole: usize) {
        self.changes.mark(hole);
        self.values.swap_drop(hole);
    }

    /// Drops the values from position `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.changes.mark_shorter();
        self.values.truncate(len);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
        self.changes.shrink_to(self.values.len());
    }

    /// Memory reserved for values and for the record of changes.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes() + self.changes.bytes()
    }

    /// The values of a column that holds `T`.
    pub(super) fn values<T: Component>(&self) -> &Vec<T> {
        let values: &dyn Any = &*self.values;
        values.downcast_ref().expect(FOUND)
    }

    /// The values of a column that holds `T`, any of which may be changed.
    pub(super) fn values_mut<T: Component>(&mut self) -> &mut Vec<T> {
        self.changes.mark_all();
        self.unmarked()
    }

    /// The value at a position, to be changed.
    pub(super) fn value_mut<T: Component>(&mut self, position: usize) -> &mut T {
        self.changes.mark(position);
        &mut self.unmarked()[position]
    }

    pub(super) fn push<T: Component>(&mut self, value: T) {
        let values: &mut dyn Any = &mut *self.values;
        let values: &mut Vec<T> = values.downcast_mut().expect(FOUND);
        self.changes.mark(values.len());
        values.push(value);
    }

    /// Moves the last value into the hole and hands out the value that was there.
    pub(super) fn swap_remove<T: Component>(&mut self, hole: usize) -> T {
        self.changes.mark(hole);
        self.unmarked().swap_remove(hole)
    }

    /// The values, for a caller that marks what it changes, or only appends and then says so by
    /// [`appended`](Self::appended).
    pub(super) fn unmarked<T: Component>(&mut self) -> &mut Vec<T> {
        let values: &mut dyn Any = &mut *self.values;
        values.downcast_mut().expect(FOUND)
    }

    /// All values from position `from` on were appended.
    pub(super) fn appended(&mut self, from: usize) {
        self.changes.mark_range(from, self.values.len());
    }
}

const FOUND: &str = "the column was found by its type";

/// The number under which `T` is registered; a scan of at most 32 ids, shorter than hashing one.
pub(super) fn find<T: Component>(columns: &[Column]) -> Result<ComponentType, Error> {
    let type_id = TypeId::of::<T>();
    columns
        .iter()
        .position(|column| column.type_id == type_id)
        .map(|number| ComponentType::new(number as u8))
        .ok_or(Error::NotRegistered(type_name::<T>()))
}
