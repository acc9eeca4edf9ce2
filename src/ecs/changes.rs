//! Change logs: which parts of a packed array have changed, by chunk for copies of it, and by entity
//! for tracked types.

/// Values per chunk, the unit in which changes are recorded: one cache line of the smallest
/// components (4 bytes).
pub const CHANGE_CHUNK: usize = 16;

/// A point in the history of a world, returned by [`World::checkpoint`](super::World::checkpoint) and
/// given to each system as [`Tick::last_run`](super::Tick::last_run). See
/// [`Query::changed`](super::Query::changed).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Checkpoint(pub(super) u64);

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
    tracked: Option<Box<Tracked>>,
}

/// When each value was added and changed.
#[derive(Debug)]
struct Tracked {
    now: Checkpoint,
    added: Vec<Checkpoint>,
    changed: Vec<Checkpoint>,
}

/// Which of the times of a value a query asks for.
#[derive(Clone, Copy)]
pub(super) enum Since {
    Added(Checkpoint),
    Changed(Checkpoint),
}

impl Changes {
    pub(super) const fn new(first: u64) -> Self {
        Self { latest: first, everywhere: first, chunks: Vec::new(), tracked: None }
    }

    /// Records from now on when each of the `len` values is added and changed.
    pub(super) fn track(&mut self, len: usize, now: Checkpoint) {
        if self.tracked.is_none() {
            let (added, changed) = (vec![now; len], vec![now; len]);
            self.tracked = Some(Box::new(Tracked { now, added, changed }));
        }
    }

    pub(super) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// Sets the time of the changes that follow.
    pub(super) fn set_now(&mut self, now: Checkpoint) {
        if let Some(tracked) = &mut self.tracked {
            tracked.now = now;
        }
    }

    /// Returns `true` if the value was added or changed after a checkpoint.
    pub(super) fn is_newer(&self, dense: usize, since: Since) -> bool {
        self.tracked.as_ref().is_some_and(|tracked| match since {
            Since::Added(since) => tracked.added[dense] > since,
            Since::Changed(since) => tracked.changed[dense] > since,
        })
    }

    /// Records that any value may have changed.
    pub(super) fn mark_all(&mut self) {
        self.mark_moved();
        if let Some(tracked) = &mut self.tracked {
            tracked.changed.fill(tracked.now);
        }
    }

    /// Records that the first `count` values may have changed.
    pub(super) fn mark_front(&mut self, count: usize) {
        self.mark_moved();
        if let Some(tracked) = &mut self.tracked {
            tracked.changed[..count].fill(tracked.now);
        }
    }

    /// Records that one value may have changed.
    #[inline]
    pub(super) fn mark(&mut self, dense: usize) {
        self.mark_chunk(dense);
        if let Some(tracked) = &mut self.tracked {
            tracked.changed[dense] = tracked.now;
        }
    }

    #[inline]
    fn mark_chunk(&mut self, dense: usize) {
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

    /// Records that one value was replaced by that of another entity.
    #[inline]
    pub(super) fn mark_renewed(&mut self, dense: usize) {
        self.mark(dense);
        if let Some(tracked) = &mut self.tracked {
            tracked.added[dense] = tracked.now;
        }
    }

    /// Records that a value was appended at index `dense`.
    #[inline]
    pub(super) fn mark_pushed(&mut self, dense: usize) {
        self.mark_chunk(dense);
        self.extend_tracked(dense + 1);
    }

    /// Records that the values from `from` up to `to` were appended.
    pub(super) fn mark_range(&mut self, from: usize, to: usize) {
        self.latest += 1;
        let end = to.div_ceil(CHANGE_CHUNK);
        if self.chunks.len() < end {
            self.chunks.resize(end, 0);
        }
        self.chunks[from / CHANGE_CHUNK..end].fill(self.latest);
        self.extend_tracked(to);
    }

    #[inline]
    fn extend_tracked(&mut self, len: usize) {
        if let Some(tracked) = &mut self.tracked {
            tracked.added.resize(len, tracked.now);
            tracked.changed.resize(len, tracked.now);
        }
    }

    /// Records that two values were swapped.
    #[inline]
    pub(super) fn mark_swapped(&mut self, a: usize, b: usize) {
        self.mark_chunk(a);
        self.mark_chunk(b);
        self.swap_tracked(a, b);
    }

    /// Records that two values were swapped, except for the revisions.
    pub(super) fn swap_tracked(&mut self, a: usize, b: usize) {
        if let Some(tracked) = &mut self.tracked {
            tracked.added.swap(a, b);
            tracked.changed.swap(a, b);
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
        if let Some(tracked) = &mut self.tracked {
            tracked.added.swap_remove(hole);
            tracked.changed.swap_remove(hole);
        }
    }

    /// Records that the values from index `len` on were removed and no other value changed.
    pub(super) fn mark_shorter(&mut self, len: usize) {
        self.latest += 1;
        if let Some(tracked) = &mut self.tracked {
            tracked.added.truncate(len);
            tracked.changed.truncate(len);
        }
    }

    /// Records that the first `count` values were removed.
    pub(super) fn mark_drained(&mut self, count: usize) {
        self.mark_moved();
        if let Some(tracked) = &mut self.tracked {
            tracked.added.drain(..count);
            tracked.changed.drain(..count);
        }
    }

    /// Records that all values were replaced by `len` others.
    pub(super) fn mark_replaced(&mut self, len: usize) {
        self.mark_moved();
        if let Some(tracked) = &mut self.tracked {
            tracked.added.clear();
            tracked.changed.clear();
        }
        self.extend_tracked(len);
    }

    /// Forgets the chunks beyond the end of an array of `len` values.
    pub(super) fn shrink_to(&mut self, len: usize) {
        self.chunks.truncate(len.div_ceil(CHANGE_CHUNK));
        self.chunks.shrink_to_fit();
        if let Some(tracked) = &mut self.tracked {
            tracked.added.shrink_to_fit();
            tracked.changed.shrink_to_fit();
        }
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let tracked = self.tracked.as_ref().map_or(0, |tracked| {
            (tracked.added.capacity() + tracked.changed.capacity()) * size_of::<Checkpoint>()
        });
        self.chunks.capacity() * size_of::<u64>() + tracked
    }
}
