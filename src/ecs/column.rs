//! Columns: packed arrays of components with the type erased.

use std::any::{Any, TypeId, type_name};
use std::collections::TryReserveError;
use std::fmt;
use std::mem::needs_drop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Entity;
use super::changes::Changes;
use super::references::MapEntities;

/// A type that can be a component: all owned data that may move between threads.
///
/// Implemented for every such type; nothing to derive. Only tuples and references are refused when they are used:
/// a tuple of components is a [`Bundle`](super::Bundle).
pub trait Component: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Component for T {}

/// Operations on a packed array that do not depend on its component type.
trait Values: Any + Send + Sync {
    fn len(&self) -> usize;
    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError>;
    fn swap(&mut self, a: usize, b: usize);
    fn swap_drop(&mut self, hole: usize);
    fn truncate(&mut self, len: usize);
    fn shrink_to(&mut self, capacity: usize);
    fn bytes(&self) -> usize;
    fn value(&self, dense: usize) -> &dyn Any;
}

impl<T: Component> Values for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.try_reserve(additional)
    }

    fn swap(&mut self, a: usize, b: usize) {
        // Faster than `slice::swap`, which also swaps a value with itself.
        let [a, b] = self.get_disjoint_mut([a, b]).expect(DIFFERENT);
        std::mem::swap(a, b);
    }

    fn swap_drop(&mut self, hole: usize) {
        // The array is packed again before the destructor of the value can panic.
        drop(self.swap_remove(hole));
    }

    fn truncate(&mut self, len: usize) {
        if needs_drop::<T>() && len < self.len() {
            // A second panic of a destructor would end the program.
            for_each_despite_panic(self.drain(len..), drop);
        } else {
            self.truncate(len);
        }
    }

    fn shrink_to(&mut self, capacity: usize) {
        self.shrink_to(capacity);
    }

    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }

    fn value(&self, dense: usize) -> &dyn Any {
        &self[dense]
    }
}

type MapValues = fn(&mut dyn Any, &mut dyn FnMut(Entity) -> Entity);

fn map_values<T: Component + MapEntities>(
    values: &mut dyn Any,
    map: &mut dyn FnMut(Entity) -> Entity,
) {
    let values: &mut Vec<T> = values.downcast_mut().expect(SAME_TYPE);
    values.map_entities(map);
}

/// The values of one component type, without holes, and their change log.
pub struct Column {
    type_id: TypeId,
    name: &'static str,
    changes: Changes,
    values: Box<dyn Values>,
    needs_drop: bool,
    map_values: Option<MapValues>,
}

/// Prints the name of the component type and the number of values.
impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("name", &self.name)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl Column {
    pub(super) fn new<T: Component>(first_revision: u64) -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            name: type_name::<T>(),
            changes: Changes::new(first_revision),
            values: Box::new(Vec::<T>::new()),
            needs_drop: needs_drop::<T>(),
            map_values: None,
        }
    }

    pub(super) fn type_id(&self) -> TypeId {
        self.type_id
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if the values have destructors.
    pub(super) fn needs_drop(&self) -> bool {
        self.needs_drop
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(super) fn changes_mut(&mut self) -> &mut Changes {
        &mut self.changes
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.values.try_reserve(additional)
    }

    #[inline]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.changes.mark_swapped(a, b);
        self.values.swap(a, b);
    }

    /// Swaps two values without marking them, for callers of [`mark_moved`](Self::mark_moved).
    pub(super) fn swap_unmarked(&mut self, a: usize, b: usize) {
        self.changes.swap_times(a, b);
        self.values.swap(a, b);
    }

    /// Marks all values as moved.
    pub(super) fn mark_moved(&mut self) {
        self.changes.mark_moved();
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
        self.changes.mark_removed(hole);
        self.values.swap_drop(hole);
    }

    /// Drops the values from index `len` on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.changes.mark_shorter(len);
        self.values.truncate(len);
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.values.shrink_to(capacity);
        self.changes.shrink_to(self.values.len());
    }

    /// Returns the memory reserved for values and change log, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.values.bytes() + self.changes.bytes()
    }

    /// Returns one value.
    pub(super) fn any_value(&self, dense: usize) -> &dyn Any {
        self.values.value(dense)
    }

    /// Returns the values of a column of `T`.
    pub(super) fn values<T: Component>(&self) -> &Vec<T> {
        let values: &dyn Any = &*self.values;
        values.downcast_ref().expect(SAME_TYPE)
    }

    /// Returns the values of a column of `T`, for callers that mark changes themselves.
    pub(super) fn values_unmarked<T: Component>(&mut self) -> &mut Vec<T> {
        self.parts_mut().0
    }

    /// Returns the values of a column of `T` and its change log.
    pub(super) fn parts_mut<T: Component>(&mut self) -> (&mut Vec<T>, &mut Changes) {
        let values: &mut dyn Any = &mut *self.values;
        (values.downcast_mut().expect(SAME_TYPE), &mut self.changes)
    }

    /// Replaces the value of one entity by that of another, and returns the former.
    pub(super) fn renew<T: Component>(&mut self, dense: usize, value: T) -> T {
        self.changes.mark_renewed(dense);
        std::mem::replace(&mut self.values_unmarked()[dense], value)
    }

    pub(super) fn push<T: Component>(&mut self, value: T) {
        let (values, changes) = self.parts_mut();
        changes.mark_pushed(values.len());
        values.push(value);
    }

    /// Removes a value by swap-remove and returns it.
    pub(super) fn swap_remove<T: Component>(&mut self, hole: usize) -> T {
        self.changes.mark_removed(hole);
        self.values_unmarked().swap_remove(hole)
    }

    /// Removes the first `count` values.
    pub(super) fn drain_front<T: Component>(&mut self, count: usize) -> Vec<T> {
        self.changes.mark_drained(count);
        let values = self.values_unmarked::<T>();
        // Not `drain`, which copies the values even if they are the whole array.
        let rest = values.split_off(count);
        std::mem::replace(values, rest)
    }

    /// Replaces all values, and returns the former.
    pub(super) fn replace<T: Component>(&mut self, values: Vec<T>) -> Vec<T> {
        self.changes.mark_replaced(values.len());
        std::mem::replace(self.values_unmarked(), values)
    }

    /// Makes [`map_entities`](Self::map_entities) change the values of a column of `T`.
    pub(super) fn enable_mapping<T: Component + MapEntities>(&mut self) {
        self.map_values = Some(map_values::<T>);
    }

    /// Replaces the handles in all values.
    #[cfg(feature = "serde")]
    pub(super) fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        if let Some(map_values) = self.map_values {
            map_values(&mut *self.values, map);
        }
    }

    /// Marks the last `count` values as appended.
    pub(super) fn mark_appended(&mut self, count: usize) {
        let len = self.values.len();
        self.changes.mark_range(len - count, len);
    }
}

const DIFFERENT: &str = "two values are swapped";
const SAME_TYPE: &str = "the column was found by its type";

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
        for item in self.items.by_ref() {
            // A second panic that leaves `drop` would abort the process.
            let _ = catch_unwind(AssertUnwindSafe(|| (self.action)(item)));
        }
    }
}
