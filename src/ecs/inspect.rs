//! Inspection of a world: component types, packed arrays, groups, slots and memory.

use std::fmt;

use super::column::Column;
use super::{ComponentType, Entity, GroupInfo, World};

/// State of the entity slots.
///
/// Slots that are neither alive nor free are reserved by [`Commands`](super::Commands), were returned by those that
/// were dropped, or are retired because no generation is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotCounts {
    /// Slots that were ever used or reserved.
    pub used: usize,
    /// Slots of living entities.
    pub alive: usize,
    /// Slots that the next entities use first.
    pub free: usize,
}

/// Memory of the rows, of the member lists, or of one packed array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// Rust name of the component type, `"rows"` or `"members"`.
    pub name: &'static str,
    /// Elements in use.
    pub len: usize,
    /// Reserved bytes. Heap memory owned by the components is not counted.
    pub bytes: usize,
}

/// Read access to the internal layout of a world; returned by [`World::inspect`].
#[derive(Clone, Copy, Debug)]
pub struct Inspector<'w> {
    world: &'w World,
}

impl World {
    /// Returns the internal layout, for debugging tools and displays.
    pub fn inspect(&self) -> Inspector<'_> {
        Inspector { world: self }
    }
}

/// Prints the number of entities, the length of each packed array, and the groups.
impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrays = self.columns.iter().map(|column| (column.name(), column.len()));
        f.debug_struct("World")
            .field("entities", &self.len())
            .field("arrays", &arrays.collect::<Vec<_>>())
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl Inspector<'_> {
    /// Returns the component types, in the order of registration.
    pub fn component_types(self) -> impl ExactSizeIterator<Item = ComponentType> {
        (0..self.world.columns.len() as u8).map(ComponentType::new)
    }

    /// Returns the Rust name of a component type; `None` if it is not registered.
    pub fn component_name(self, component: ComponentType) -> Option<&'static str> {
        self.world.columns.get(component.index()).map(Column::name)
    }

    /// Returns the length of a packed array; `None` if the component type is not registered.
    pub fn array_len(self, component: ComponentType) -> Option<usize> {
        self.world.columns.get(component.index()).map(Column::len)
    }

    /// Returns the entity at a dense index of a packed array; `None` beyond its end. `O(1)`.
    pub fn array_entity(self, component: ComponentType, dense: usize) -> Option<Entity> {
        self.array_len(component).filter(|&len| dense < len)?;
        Some(self.world.index.entity(self.world.index.slot_at(component, dense)))
    }

    /// Returns the dense index of an entity in a packed array; `None` if the entity does not have
    /// the component or does not live in this world. `O(1)`.
    pub fn dense_index(self, component: ComponentType, entity: Entity) -> Option<usize> {
        self.component_name(component)?;
        self.world.index.find(entity, component).map(|dense| dense as usize)
    }

    /// Returns the owning groups. An outer group comes before the groups nested in it.
    pub fn groups(self) -> impl ExactSizeIterator<Item = GroupInfo> {
        self.world.groups.iter().copied()
    }

    /// Returns the state of the slots. `O(1)`.
    pub fn slots(self) -> SlotCounts {
        let index = &self.world.index;
        let used = index.fresh().next() as usize;
        SlotCounts { used, alive: index.alive() as usize, free: index.free_slots() }
    }

    /// Returns the living entity in a slot; `None` if the slot is empty or was never used. `O(1)`.
    pub fn entity_in_slot(self, slot: u32) -> Option<Entity> {
        let index = &self.world.index;
        let alive = index.slots().contains(&slot) && index.lives(slot);
        alive.then(|| index.entity(slot))
    }

    /// Returns the memory of the rows, of the member lists of groups, and of each packed array in the
    /// order of registration: its values, its sparse index, and its change log.
    pub fn memory(self) -> Vec<MemoryUse> {
        let index = &self.world.index;
        let (slots, bytes) = index.rows_memory();
        let rows = MemoryUse { name: "rows", len: slots, bytes };
        let (len, bytes) = index.lists_memory();
        let members = MemoryUse { name: "members", len, bytes };
        let arrays = self.world.columns.iter().zip(index.arrays_memory());
        let arrays = arrays.map(|(column, bytes)| MemoryUse {
            name: column.name(),
            len: column.len(),
            bytes: column.bytes() + bytes,
        });
        [rows, members].into_iter().chain(arrays).collect()
    }
}
