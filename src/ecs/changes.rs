//! Change logs: which parts of a packed array have changed since a copy of it was made.

/// Values per chunk, the unit in which changes are recorded: one cache line of the smallest
/// components (4 bytes).
pub const CHANGE_CHUNK: usize = 16;

/// Change log of a packed array; returned by [`View::changes`](super::View::changes).
///
/// A copy, for instance on a GPU, that was up to date at revision `r` is outdated in the chunks with
/// a newer revision. Chunk `c` holds the values from `c * CHANGE_CHUNK` on; it is outdated if
/// `everywhere` or its entry in `chunks` is greater than `r`. A missing entry counts as 0.
#[derive(Debug)]
pub struct Changes {
    /// Current revision. Every call that may change a value, the order or the length increases it.
    pub latest: u64,
    /// Last revision that may have changed every value.
    pub everywhere: u64,
    /// For each chunk, the last revision that changed values of it alone. Chunks beyond the end have
    /// none.
    pub chunks: Vec<u64>,
}

impl Changes {
    pub(super) fn new(first: u64) -> Self {
        Self { latest: first, everywhere: first, chunks: Vec::new() }
    }

    /// Records that any value may have changed or moved.
    pub(super) fn mark_all(&mut self) {
        self.latest += 1;
        self.everywhere = self.latest;
    }

    /// Records that one value may have changed.
    #[inline]
    pub(super) fn mark(&mut self, dense: usize) {
        self.latest += 1;
        let chunk = dense / CHANGE_CHUNK;
        match self.chunks.get_mut(chunk) {
            Some(revision) => *revision = self.latest,
            None => self.mark_new(chunk),
        }
    }

    #[cold]
    fn mark_new(&mut self, chunk: usize) {
        self.chunks.resize(chunk + 1, 0);
        self.chunks[chunk] = self.latest;
    }

    /// Records that the values from `from` up to `to` were appended.
    pub(super) fn mark_range(&mut self, from: usize, to: usize) {
        self.latest += 1;
        let end = to.div_ceil(CHANGE_CHUNK);
        if self.chunks.len() < end {
            self.chunks.resize(end, 0);
        }
        self.chunks[from / CHANGE_CHUNK..end].fill(self.latest);
    }

    /// Records that values were removed from the end and no other value changed.
    pub(super) fn mark_shorter(&mut self) {
        self.latest += 1;
    }

    /// Forgets the chunks beyond the end of an array of `len` values.
    pub(super) fn shrink_to(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHANGE_CHUNK));
        self.chunks.shrink_to_fit();
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.capacity() * size_of::<u64>()
    }
}
