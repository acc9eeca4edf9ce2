//! Changes: which parts of a packed array are newer than a copy of it.

use super::{Component, Error, World};

/// Values of one chunk: the finest grain at which changes are told apart. Of the smallest
/// components, 4 bytes, it is one cache line.
pub const CHANGE_CHUNK: usize = 16;

/// Which parts of a packed array may have changed, and when; from [`World::changes`].
///
/// A copy (on a GPU, say) that was up to date at revision `r` lacks what changed in the chunks that
/// are newer: chunk `c`, the values from `c * CHANGE_CHUNK` on, is so if `everywhere` or
/// `chunks[c]` is above `r`.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'w> {
    /// Revision of the array now; grows with every call that may have changed a value, the order or
    /// the count.
    pub latest: u64,
    /// Revision at which any value may have changed.
    pub everywhere: u64,
    /// For each chunk the revision at which one of its values was changed alone; a chunk beyond the
    /// end of this slice was not.
    pub chunks: &'w [u64],
}

/// The record behind [`Changes`], one to a packed array.
pub(super) struct ChangeLog {
    latest: u64,
    everywhere: u64,
    chunks: Vec<u64>,
}

impl ChangeLog {
    pub(super) fn new(first: u64) -> Self {
        Self { latest: first, everywhere: first, chunks: Vec::new() }
    }

    /// Any value may change, or all lie elsewhere.
    pub(super) fn mark_all(&mut self) {
        self.latest += 1;
        self.everywhere = self.latest;
    }

    /// The value at a position changes.
    #[inline]
    pub(super) fn mark(&mut self, position: usize) {
        self.latest += 1;
        let chunk = position / CHANGE_CHUNK;
        match self.chunks.get_mut(chunk) {
            Some(revision) => *revision = self.latest,
            None => self.mark_new(chunk),
        }
    }

    /// The first change in a chunk.
    #[cold]
    fn mark_new(&mut self, chunk: usize) {
        self.chunks.resize(chunk + 1, 0);
        self.chunks[chunk] = self.latest;
    }

    /// The values from position `from` up to `to` are new.
    pub(super) fn mark_range(&mut self, from: usize, to: usize) {
        self.latest += 1;
        let end = to.div_ceil(CHANGE_CHUNK);
        if self.chunks.len() < end {
            self.chunks.resize(end, 0);
        }
        self.chunks[from / CHANGE_CHUNK..end].fill(self.latest);
    }

    /// Values went from the end; those that stay are what they were.
    pub(super) fn mark_shorter(&mut self) {
        self.latest += 1;
    }

    /// Forgets the chunks behind the end of an array of `len` values.
    pub(super) fn shrink_to(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHANGE_CHUNK));
        self.chunks.shrink_to_fit();
    }

    /// Memory reserved.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<u64>()
    }

    fn read(&self) -> Changes<'_> {
        Changes { latest: self.latest, everywhere: self.everywhere, chunks: &self.chunks }
    }
}

impl World {
    /// Which parts of the packed array of `T` may have changed, and when. `O(1)`.
    ///
    /// # Errors
    /// The type is not registered.
    pub fn changes<T: Component>(&self) -> Result<Changes<'_>, Error> {
        Ok(self.columns[self.component_type::<T>()?.index()].changes().read())
    }
}
