//! Change logs: which chunks of a packed array have changed, for copies of it.

use std::ops::Range;

use super::change_times::{ChangeTimes, Checkpoint, Since};

/// Values per chunk, the unit in which changes are recorded: one cache line of the smallest
/// components (4 bytes).
pub const CHANGE_CHUNK: usize = 16;

/// Chunks per block: 4 KiB of revisions up to the next page, so that a search for a few changes in
/// millions of values skips nearly all of them.
pub const CHANGE_BLOCK: usize = 256;

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
    /// For each [`CHANGE_BLOCK`] chunks, an upper bound of their revisions.
    pub blocks: Vec<u64>,
    /// For tracked types.
    times: Option<Box<ChangeTimes>>,
}

impl Changes {
    pub(super) const fn new(first: u64) -> Self {
        Self {
            latest: first,
            everywhere: first,
            chunks: Vec::new(),
            blocks: Vec::new(),
            times: None,
        }
    }

    /// Records from now on when each of the `len` values is added and changed.
    pub(super) fn track(&mut self, len: usize, now: Checkpoint) {
        self.times.get_or_insert_with(|| Box::new(ChangeTimes::new(len, now)));
    }

    pub(super) fn is_tracked(&self) -> bool {
        self.times.is_some()
    }

    /// Sets the time of the changes that follow.
    pub(super) fn set_now(&mut self, now: Checkpoint) {
        if let Some(times) = &mut self.times {
            times.set_now(now);
        }
    }

    /// Returns `true` if the value was added or changed after a checkpoint.
    pub(super) fn is_newer(&self, dense: usize, since: Since) -> bool {
        self.times.as_ref().is_some_and(|times| times.is_newer(dense, since))
    }

    /// Records that any value may have changed.
    pub(super) fn mark_all(&mut self) {
        self.mark_moved();
        if let Some(times) = &mut self.times {
            times.change_all();
        }
    }

    /// Records that the first `count` values may have changed.
    pub(super) fn mark_front(&mut self, count: usize) {
        self.mark_moved();
        if let Some(times) = &mut self.times {
            times.change_front(count);
        }
    }

    /// Records that one value may have changed.
    #[inline]
    pub(super) fn mark(&mut self, dense: usize) {
        self.mark_chunk(dense);
        if let Some(times) = &mut self.times {
            times.change(dense);
        }
    }

    #[inline]
    fn mark_chunk(&mut self, dense: usize) {
        self.latest += 1;
        let chunk = dense / CHANGE_CHUNK;
        let block = self.blocks.get_mut(chunk / CHANGE_BLOCK);
        if let (Some(revision), Some(block)) = (self.chunks.get_mut(chunk), block) {
            *revision = self.latest;
            *block = self.latest;
        } else {
            self.mark_chunks(chunk..chunk + 1);
        }
    }

    /// Sets the revision of chunks that may be new.
    #[cold]
    fn mark_chunks(&mut self, chunks: Range<usize>) {
        let blocks = chunks.start / CHANGE_BLOCK..chunks.end.div_ceil(CHANGE_BLOCK);
        for (revisions, marked) in [(&mut self.chunks, chunks), (&mut self.blocks, blocks)] {
            if revisions.len() < marked.end {
                revisions.resize(marked.end, 0);
            }
            revisions[marked].fill(self.latest);
        }
    }

    /// Records that one value was replaced by that of another entity.
    #[inline]
    pub(super) fn mark_renewed(&mut self, dense: usize) {
        self.mark_chunk(dense);
        if let Some(times) = &mut self.times {
            times.renew(dense);
        }
    }

    /// Records that a value was appended at index `dense`.
    #[inline]
    pub(super) fn mark_pushed(&mut self, dense: usize) {
        self.mark_chunk(dense);
        self.extend_times(dense + 1);
    }

    /// Records that the values from `from` up to `to` were appended.
    pub(super) fn mark_range(&mut self, from: usize, to: usize) {
        self.latest += 1;
        self.mark_chunks(from / CHANGE_CHUNK..to.div_ceil(CHANGE_CHUNK));
        self.extend_times(to);
    }

    #[inline]
    fn extend_times(&mut self, len: usize) {
        if let Some(times) = &mut self.times {
            times.extend(len);
        }
    }

    /// Records that two values were swapped.
    #[inline]
    pub(super) fn mark_swapped(&mut self, a: usize, b: usize) {
        self.mark_chunk(a);
        self.mark_chunk(b);
        self.swap_times(a, b);
    }

    /// Records that two values were swapped, except for the revisions.
    pub(super) fn swap_times(&mut self, a: usize, b: usize) {
        if let Some(times) = &mut self.times {
            times.swap(a, b);
        }
    }

    /// Records that values moved in an order that only the caller knows, but did not change.
    pub(super) fn mark_moved(&mut self) {
        self.latest += 1;
        self.everywhere = self.latest;
    }

    /// Records that a value was removed by swap-remove.
    #[inline]
    pub(super) fn mark_removed(&mut self, hole: usize) {
        self.mark_chunk(hole);
        if let Some(times) = &mut self.times {
            times.swap_remove(hole);
        }
    }

    /// Records that the values from index `len` on were removed and no other value changed.
    pub(super) fn mark_shorter(&mut self, len: usize) {
        self.latest += 1;
        if let Some(times) = &mut self.times {
            times.truncate(len);
        }
    }

    /// Records that the first `count` values were removed.
    pub(super) fn mark_drained(&mut self, count: usize) {
        self.mark_moved();
        if let Some(times) = &mut self.times {
            times.drain_front(count);
        }
    }

    /// Records that all values were replaced by `len` others.
    pub(super) fn mark_replaced(&mut self, len: usize) {
        self.mark_moved();
        if let Some(times) = &mut self.times {
            times.truncate(0);
        }
        self.extend_times(len);
    }

    /// Forgets the chunks beyond the end of an array of `len` values.
    pub(super) fn shrink_to(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHANGE_CHUNK));
        self.blocks.truncate(self.chunks.len().div_ceil(CHANGE_BLOCK));
        self.chunks.shrink_to_fit();
        self.blocks.shrink_to_fit();
        if let Some(times) = &mut self.times {
            times.shrink_to_fit();
        }
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let times = self.times.as_ref().map_or(0, |times| times.bytes());
        (self.chunks.capacity() + self.blocks.capacity()) * size_of::<u64>() + times
    }
}
