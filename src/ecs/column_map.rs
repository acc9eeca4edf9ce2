//! The packed arrays of a world, found by component type.

use std::any::{TypeId, type_name};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use super::column::Column;
use super::index::Index;
use super::{Component, ComponentType, MAX_COMPONENT_TYPES, Signature};

/// Places of the hash table: four for each possible type.
const PLACES: usize = 4 * MAX_COMPONENT_TYPES;

/// Number in a place without a component type.
const NONE: u8 = u8::MAX;

/// # Panics
/// `T` is a tuple or a reference, a mistake for the types in it.
#[inline]
#[cfg_attr(not(web), track_caller)]
pub(super) fn require_component<T>() {
    let name = type_name::<T>();
    assert!(
        !name.starts_with('&'),
        "{name} is a reference, which is no component: name the type without `&`, or wrap the reference in a struct"
    );
    assert!(
        !name.starts_with('('),
        "{name} is a tuple, which is no component: bundles are for `spawn`, `insert_bundle` and `remove_bundle`, \
         and are not nested"
    );
}

/// One column per registered component type, in the order of registration, and a hash table of the types.
#[derive(Debug)]
pub struct ColumnMap {
    columns: Vec<Column>,
    /// The number of a component type is at the first free place from that of its hash on.
    numbers: [u8; PLACES],
}

impl ColumnMap {
    pub(super) const fn new() -> Self {
        Self { columns: Vec::new(), numbers: [NONE; PLACES] }
    }

    /// Returns the component type of `T`; `None` if it is not registered.
    ///
    /// # Panics
    /// `T` is a tuple or a reference.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn find<T: Component>(&self) -> Option<ComponentType> {
        let type_id = TypeId::of::<T>();
        for place in places(type_id) {
            let number = self.numbers[place];
            // `NONE` is no index of a column.
            let Some(column) = self.columns.get(number as usize) else { break };
            if column.type_id() == type_id {
                return Some(ComponentType::new(number));
            }
        }
        require_component::<T>();
        None
    }

    /// Returns the component type of `T`, which is registered first if it is not yet.
    ///
    /// # Panics
    /// [`MAX_COMPONENT_TYPES`] others are registered, or `T` is a tuple or a reference.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn register<T: Component>(&mut self, index: &mut Index) -> ComponentType {
        match self.find::<T>() {
            Some(component) => component,
            None => self.add::<T>(index),
        }
    }

    #[cold]
    #[cfg_attr(not(web), track_caller)]
    fn add<T: Component>(&mut self, index: &mut Index) -> ComponentType {
        assert!(
            self.columns.len() < MAX_COMPONENT_TYPES,
            "cannot register component {}: a world has at most {MAX_COMPONENT_TYPES} component types",
            type_name::<T>(),
        );
        let place = places(TypeId::of::<T>()).find(|&place| self.numbers[place] == NONE);
        self.numbers[place.expect("the table has more places than types")] =
            self.columns.len() as u8;
        self.columns.push(Column::new::<T>(index.world().first_revision()));
        index.add_array()
    }

    /// Returns the set of the component types.
    ///
    /// # Panics
    /// One is named twice.
    #[inline]
    #[cfg_attr(not(web), track_caller)]
    pub(super) fn signature_of(&self, types: &[ComponentType]) -> Signature {
        let mut signature = Signature::EMPTY;
        for &component in types {
            if signature.contains(component) {
                self.named_twice(component);
            }
            signature = signature.with(component);
        }
        signature
    }

    #[cold]
    #[cfg_attr(not(web), track_caller)]
    fn named_twice(&self, component: ComponentType) -> ! {
        panic!("component {} is named twice", self[component.index()].name())
    }
}

impl Deref for ColumnMap {
    type Target = [Column];

    #[inline]
    fn deref(&self) -> &[Column] {
        &self.columns
    }
}

impl DerefMut for ColumnMap {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }
}

/// Returns the places of a type, from that of its hash on.
#[inline]
fn places(type_id: TypeId) -> impl Iterator<Item = usize> {
    let mut hash = HashedTypeId(0);
    type_id.hash(&mut hash);
    let first = hash.finish() as usize;
    (0..PLACES).map(move |step| first.wrapping_add(step) % PLACES)
}

/// Takes the bits of a type id as they are: they are a hash already. The result is a constant of the compiled
/// program.
struct HashedTypeId(u64);

impl Hasher for HashedTypeId {
    #[inline]
    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }

    /// For type ids that are not hashed as a number.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
