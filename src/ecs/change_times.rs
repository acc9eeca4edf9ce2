//! The times at which each value of a packed array was added and changed, for tracked types.

use std::ops::Range;

/// A point in the history of one world; other worlds do not detect it as foreign. Returned by
/// [`World::checkpoint`](super::World::checkpoint) and given to each system as
/// [`SystemArgs::last_run`](super::SystemArgs::last_run). See [`Query::changed`](super::Query::changed). The default is
/// older than all changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Checkpoint(pub(super) u64);

/// Which of the times of a value a query asks for.
#[derive(Clone, Copy)]
pub(super) enum Since {
    Added(Checkpoint),
    Changed(Checkpoint),
}

/// When each value was added and changed.
///
/// What the change log of every type calls is not inlined: a type that is not tracked then pays for a
/// branch only.
#[derive(Debug)]
pub(super) struct ChangeTimes {
    /// Time of the changes that happen now.
    now: Checkpoint,
    added: Vec<Checkpoint>,
    changed: Vec<Checkpoint>,
}

impl ChangeTimes {
    /// Returns the times of `len` values that are added now.
    pub(super) fn new(len: usize, now: Checkpoint) -> Self {
        Self { now, added: vec![now; len], changed: vec![now; len] }
    }

    pub(super) fn set_now(&mut self, now: Checkpoint) {
        self.now = now;
    }

    /// Returns `true` if the value was added or changed after a checkpoint.
    pub(super) fn is_newer(&self, dense: usize, since: Since) -> bool {
        match since {
            Since::Added(since) => self.added[dense] > since,
            Since::Changed(since) => self.changed[dense] > since,
        }
    }

    #[inline(never)]
    pub(super) fn change(&mut self, dense: usize) {
        self.changed[dense] = self.now;
    }

    /// Values that lie side by side change.
    pub(super) fn change_range(&mut self, values: Range<usize>) {
        self.changed[values].fill(self.now);
    }

    pub(super) fn change_all(&mut self) {
        self.changed.fill(self.now);
    }

    /// One value is replaced by that of another entity.
    #[inline(never)]
    pub(super) fn renew(&mut self, dense: usize) {
        self.added[dense] = self.now;
        self.changed[dense] = self.now;
    }

    /// Values are appended until there are `len`.
    #[inline(never)]
    pub(super) fn extend(&mut self, len: usize) {
        self.added.resize(len, self.now);
        self.changed.resize(len, self.now);
    }

    #[inline(never)]
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.added.swap(a, b);
        self.changed.swap(a, b);
    }

    #[inline(never)]
    pub(super) fn swap_remove(&mut self, hole: usize) {
        self.added.swap_remove(hole);
        self.changed.swap_remove(hole);
    }

    /// The values from index `len` on are removed.
    pub(super) fn truncate(&mut self, len: usize) {
        self.added.truncate(len);
        self.changed.truncate(len);
    }

    /// The first `count` values are removed.
    pub(super) fn drain_front(&mut self, count: usize) {
        self.added.drain(..count);
        self.changed.drain(..count);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.added.shrink_to_fit();
        self.changed.shrink_to_fit();
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.added.capacity() + self.changed.capacity()) * size_of::<Checkpoint>()
    }
}
