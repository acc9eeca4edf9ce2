//! Change logs: which values of a packed array have changed, for copies of it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::change_times::{ChangeTimes, Checkpoint, Since};

/// Single changes that every log keeps.
const LEAST_RECENT: usize = 1024;

/// A log keeps one single change for this many values. If more have changed, copying all values takes about as
/// long as copying each of them.
const VALUES_PER_RECENT: usize = 8;

/// Change log of a packed array; returned by [`View::changes`](super::View::changes).
///
/// A copy, for instance on a GPU, that was up to date at revision `r` is outdated at the indices
/// [`since(r)`](Self::since). The log begins when it is first asked for, or when the type is tracked; other
/// arrays have none.
#[derive(Debug)]
pub struct Changes {
    /// Whether single changes are recorded. Otherwise they cost nothing but the check of this.
    recorded: AtomicBool,
    /// Latest revision at which any value may have changed.
    everywhere: u64,
    /// Index of the value that changed, for each later revision.
    recent: Vec<u32>,
    /// Largest length of `recent`. Follows the length of the array when there is no room.
    limit: usize,
    /// For tracked types.
    times: Option<Box<ChangeTimes>>,
}

impl Changes {
    pub(super) const fn new(first: u64) -> Self {
        Self {
            recorded: AtomicBool::new(false),
            everywhere: first,
            recent: Vec::new(),
            limit: LEAST_RECENT,
            times: None,
        }
    }

    /// Records single changes from now on.
    pub(super) fn begin(&self) {
        self.recorded.store(true, Ordering::Relaxed);
    }

    #[inline]
    fn is_recorded(&mut self) -> bool {
        *self.recorded.get_mut()
    }

    /// Current revision. Every call that may change a value, the order or the length increases it, once the
    /// log has begun.
    pub fn latest(&self) -> u64 {
        self.everywhere + self.recent.len() as u64
    }

    /// Latest revision at which any value may have changed.
    pub fn everywhere(&self) -> u64 {
        self.everywhere
    }

    /// Index of the value that changed, for each revision after [`everywhere`](Self::everywhere). An index
    /// may occur more than once, or be beyond the end.
    pub fn recent(&self) -> &[u32] {
        &self.recent
    }

    /// Returns the indices of the values that may have changed after a revision, as in
    /// [`recent`](Self::recent); `None` if any value may have.
    pub fn since(&self, revision: u64) -> Option<&[u32]> {
        // A revision above the latest belongs to another array.
        let changes = usize::try_from(self.latest().checked_sub(revision)?).ok()?;
        Some(&self.recent[self.recent.len().checked_sub(changes)?..])
    }

    /// Records from now on when each of the `len` values is added and changed.
    pub(super) fn track(&mut self, len: usize, now: Checkpoint) {
        self.begin();
        self.times.get_or_insert_with(|| Box::new(ChangeTimes::new(len, now)));
    }

    pub(super) fn is_tracked(&self) -> bool {
        self.times.is_some()
    }

    /// Sets the time of the changes that follow.
    pub(super) fn set_now(&mut self, now: Checkpoint) {
        self.update_times(|times| times.set_now(now));
    }

    /// Returns `true` if the value was added or changed after a checkpoint.
    pub(super) fn is_newer(&self, dense: usize, since: Since) -> bool {
        self.times.as_ref().is_some_and(|times| times.is_newer(dense, since))
    }

    /// Records that any value may have changed.
    pub(super) fn mark_all(&mut self) {
        self.mark_moved();
        self.update_times(ChangeTimes::change_all);
    }

    /// Records that values that lie side by side, of an array of `len`, may have changed.
    pub(super) fn mark_values(&mut self, values: Range<usize>, len: usize) {
        self.set_len(len);
        self.mark_each(values.clone());
        self.update_times(|times| times.change_range(values));
    }

    /// Records that one value may have changed.
    #[inline]
    pub(super) fn mark(&mut self, dense: usize) {
        self.record(dense, |times| times.change(dense));
    }

    /// Records a change at one index, and applies `update` to the times.
    #[inline]
    fn record(&mut self, dense: usize, update: impl FnOnce(&mut ChangeTimes)) {
        if self.is_recorded() {
            self.push(dense);
            self.update_times(update);
        }
    }

    #[inline]
    fn update_times(&mut self, update: impl FnOnce(&mut ChangeTimes)) {
        if let Some(times) = &mut self.times {
            update(times);
        }
    }

    /// Adds a change of one value.
    #[inline]
    fn push(&mut self, dense: usize) {
        if self.recent.len() == self.recent.capacity() {
            self.make_room(dense + 1);
        }
        self.recent.push(dense as u32);
    }

    /// Reserves memory up to the limit of an array of at least `len` values, or forgets the older half of the
    /// single changes.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, len: usize) {
        self.set_len(len);
        if self.recent.len() < self.limit {
            self.recent.reserve_exact(self.limit - self.recent.len());
        } else {
            self.forget(self.recent.len().div_ceil(2));
        }
    }

    /// Forgets the oldest single changes.
    fn forget(&mut self, count: usize) {
        self.everywhere += count as u64;
        self.recent.drain(..count);
    }

    /// Records that one value was replaced by that of another entity.
    #[inline]
    pub(super) fn mark_renewed(&mut self, dense: usize) {
        self.record(dense, |times| times.renew(dense));
    }

    /// Records that single values were replaced by those of other entities.
    #[cfg(parallel)]
    pub(super) fn mark_all_renewed(&mut self, indices: &[u32]) {
        if !self.is_recorded() {
            return;
        }
        if self.times.is_none() && self.recent.len() + indices.len() <= self.recent.capacity() {
            self.recent.extend_from_slice(indices);
        } else {
            for &dense in indices {
                self.mark_renewed(dense as usize);
            }
        }
    }

    /// Records that a value was appended at index `dense`.
    #[inline]
    pub(super) fn mark_pushed(&mut self, dense: usize) {
        self.record(dense, |times| times.extend(dense + 1));
    }

    /// Records that the values from `from` up to `to` were appended.
    pub(super) fn mark_range(&mut self, from: usize, to: usize) {
        self.set_len(to);
        self.mark_each(from..to);
        self.update_times(|times| times.extend(to));
    }

    /// Adds the changes of values that lie side by side: one by one, or as a change anywhere if they are many.
    fn mark_each(&mut self, values: Range<usize>) {
        if self.is_recorded() && values.len() < self.limit / 2 {
            values.for_each(|dense| self.push(dense));
        } else {
            self.mark_moved();
        }
    }

    fn set_len(&mut self, len: usize) {
        self.limit = self.limit.max(len / VALUES_PER_RECENT);
    }

    /// Records that two values were swapped.
    #[inline]
    pub(super) fn mark_swapped(&mut self, a: usize, b: usize) {
        if self.is_recorded() {
            self.push(a);
            self.push(b);
            self.swap_times(a, b);
        }
    }

    /// Records that two values were swapped, except for the revisions.
    pub(super) fn swap_times(&mut self, a: usize, b: usize) {
        self.update_times(|times| times.swap(a, b));
    }

    /// Records that values moved in an order that only the caller knows, but did not change.
    pub(super) fn mark_moved(&mut self) {
        self.everywhere = self.latest() + 1;
        self.recent.clear();
    }

    /// Records that a value was removed by swap-remove.
    #[inline]
    pub(super) fn mark_removed(&mut self, hole: usize) {
        self.record(hole, |times| times.swap_remove(hole));
    }

    /// Records that the values from index `len` on were removed and no other value changed.
    pub(super) fn mark_shorter(&mut self, len: usize) {
        self.record(len, |times| times.truncate(len));
    }

    /// Records that the first `count` values were removed.
    pub(super) fn mark_drained(&mut self, count: usize) {
        self.mark_moved();
        self.update_times(|times| times.drain_front(count));
    }

    /// Records that all values were replaced by `len` others.
    pub(super) fn mark_replaced(&mut self, len: usize) {
        self.mark_moved();
        self.set_len(len);
        self.update_times(|times| {
            times.truncate(0);
            times.extend(len);
        });
    }

    /// Frees memory that an array of `len` values does not need.
    pub(super) fn shrink_to(&mut self, len: usize) {
        self.limit = LEAST_RECENT.max(len / VALUES_PER_RECENT);
        let kept = self.recent.len().min(len / VALUES_PER_RECENT);
        self.forget(self.recent.len() - kept);
        self.recent.shrink_to_fit();
        self.update_times(ChangeTimes::shrink_to_fit);
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        let times = self.times.as_ref().map_or(0, |times| times.bytes());
        self.recent.capacity() * size_of::<u32>() + times
    }
}
