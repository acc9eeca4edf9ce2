//! Memory: what a world has reserved.

use super::World;

/// Memory of one packed array, or of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// The component type, or `"rows"`.
    pub name: &'static str,
    /// Elements in use.
    pub len: usize,
    /// Bytes reserved, used or not. What components own on the heap is not counted.
    pub bytes: usize,
}

impl World {
    /// What is reserved for the rows, then for each packed array in the order of registration: its
    /// values, the slots of its members, and the record of its changes.
    #[must_use]
    pub fn memory(&self) -> Vec<MemoryUse> {
        let (slots, bytes) = self.index.rows_memory();
        let rows = MemoryUse { name: "rows", len: slots, bytes };
        let arrays = self.columns.iter().zip(self.index.members_memory());
        let arrays = arrays.map(|(column, (len, members))| MemoryUse {
            name: column.name(),
            len,
            bytes: column.bytes() + members,
        });
        std::iter::once(rows).chain(arrays).collect()
    }

    /// Gives memory back that is reserved but not used. Rows stay: a slot that was used once must
    /// remember its generation.
    pub fn shrink_to_fit(&mut self) {
        self.index.shrink_to_fit();
        self.columns.iter_mut().for_each(super::column::Column::shrink_to_fit);
    }
}
