//! Columns: packed arrays of components with the type erased.

use std::any::{Any, TypeId, type_name};
use std::collections::TryReserveError;

use super::changes::Changes;
use super::entity::WorldId;
use super::{ComponentType, Error, Signature};

/// A type that can be a component: all owned data that may move between threads.
///
/// Implemented for every such type; nothing to derive.
pub trait Component: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Component for T {}

/// Operations on a packed array that do not depend on its component type.
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
        // The array is packed again before the destructor of the value can panic.
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
    changes: Changes,
    values: Box<dyn Values>,
}

impl Column {
    pub(super) fn new<T: Component>(world: WorldId) -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            name: type_name::<T>(),
            changes: Changes::new(world.first_revision()),
            values: Box::new(Vec::<T>::new()),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve(additional)
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.changes.mark(a);
        self.changes.mark(b);
        self.values.swap(a, b);
    }

    /// Swaps two values without marking them, for callers of [`mark_all`](Self::mark_all).
    pub(super) fn swap_unmarked(&mut self, a: usize, b: usize) {
        self.values.swap(a, b);
    }

    /// Marks all values as changed.
    pub(super) fn mark_all(&mut self) {
        self.changes.mark_all();
    }

    /// Marks one value as changed.
    pub(super) fn mark(&mut self, dense: usize) {
        self.changes.mark(dense);
    }

    /// Removes a value by swap-remove and drops it.
    pub(super) fn swap_drop(&mut self, hole: usize) {
        self.changes.mark(hole);
        self.values.swap_drop(hole);
    }

    /// Drops the values from index `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.changes.mark_shorter();
        self.values.truncate(len);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.values.shrink_to_fit();
        self.changes.shrink_to(self.values.len());
    }

    /// Returns the memory reserved for values and change log, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes() + self.changes.bytes()
    }

    /// Returns the values of a column of `T`.
    pub(super) fn values<T: Component>(&self) -> &Vec<T> {
        let values: &dyn Any = &*self.values;
        values.downcast_ref().expect(SAME_TYPE)
    }

    /// Returns the values of a column of `T` and marks all of them as changed.
    pub(super) fn values_mut<T: Component>(&mut self) -> &mut Vec<T> {
        self.changes.mark_all();
        self.values_unmarked()
    }

    /// Returns the values of a column of `T`, for callers that mark changes themselves.
    pub(super) fn values_unmarked<T: Component>(&mut self) -> &mut Vec<T> {
        let values: &mut dyn Any = &mut *self.values;
        values.downcast_mut().expect(SAME_TYPE)
    }

    /// Returns one value and marks it as changed.
    pub(super) fn value_mut<T: Component>(&mut self, dense: usize) -> &mut T {
        self.changes.mark(dense);
        &mut self.values_unmarked()[dense]
    }

    pub(super) fn push<T: Component>(&mut self, value: T) {
        self.changes.mark(self.values.len());
        self.values_unmarked().push(value);
    }

    /// Removes a value by swap-remove and returns it.
    pub(super) fn swap_remove<T: Component>(&mut self, hole: usize) -> T {
        self.changes.mark(hole);
        self.values_unmarked().swap_remove(hole)
    }

    /// Marks the last `count` values as appended.
    pub(super) fn mark_appended(&mut self, count: usize) {
        let len = self.values.len();
        self.changes.mark_range(len - count, len);
    }
}

const SAME_TYPE: &str = "the column was found by its type";

/// Returns the component type of `T`. A scan of at most 32 ids is faster than hashing one.
pub(super) fn find<T: Component>(columns: &[Column]) -> Result<ComponentType, Error> {
    let type_id = TypeId::of::<T>();
    columns
        .iter()
        .position(|column| column.type_id == type_id)
        .map(|number| ComponentType::new(number as u8))
        .ok_or(Error::NotRegistered(type_name::<T>()))
}

/// Returns the set of the component types; an error if one is named twice.
pub(super) fn signature_of(
    columns: &[Column],
    types: &[ComponentType],
) -> Result<Signature, Error> {
    let mut signature = Signature::EMPTY;
    for &component in types {
        if signature.contains(component) {
            return Err(Error::NamedTwice(columns[component.index()].name()));
        }
        signature = signature.with(component);
    }
    Ok(signature)
}

/// Calls `action` for each item. If it panics for one, the others follow during unwinding.
pub(super) fn for_each_despite_panic<T>(items: impl Iterator<Item = T>, action: impl FnMut(T)) {
    ForEach { items, action }.run();
}

struct ForEach<I: Iterator, F: FnMut(I::Item)> {
    items: I,
    action: F,
}

impl<I: Iterator, F: FnMut(I::Item)> ForEach<I, F> {
    fn run(&mut self) {
        self.items.by_ref().for_each(&mut self.action);
    }
}

impl<I: Iterator, F: FnMut(I::Item)> Drop for ForEach<I, F> {
    fn drop(&mut self) {
        self.run();
    }
}
