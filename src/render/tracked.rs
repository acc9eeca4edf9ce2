//! Tracked array: values, and which of them are newer than a copy.

use std::ops::Range;

/// Values of one chunk of a [`Tracked`] array.
pub const TRACKED_CHUNK: usize = 64;

/// A packed array that says which of its parts have changed.
///
/// A copy that was up to date at revision `r` lacks the chunks that are newer: chunk `c`, the values
/// from `c * TRACKED_CHUNK` on, is so if `everywhere` or `chunks[c]` is above `r`.
#[derive(Clone, Copy, Debug)]
pub struct Tracked<'a, T> {
    /// One to a cube.
    pub values: &'a [T],
    /// Revision of the array now.
    pub latest: u64,
    /// Revision at which any value may have changed.
    pub everywhere: u64,
    /// For each chunk the revision at which one of its values was changed alone; a chunk beyond the
    /// end of this slice was not.
    pub chunks: &'a [u64],
}

impl<'a, T> Tracked<'a, T> {
    /// Values that are new as a whole at a revision.
    #[must_use]
    pub const fn new(values: &'a [T], revision: u64) -> Self {
        Self { values, latest: revision, everywhere: revision, chunks: &[] }
    }

    /// What a copy lacks that was up to date at a revision, or never: ranges of positions in
    /// ascending order, which neither touch nor overlap.
    pub(super) fn newer_than(
        self,
        revision: Option<u64>,
    ) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        let len = self.values.len();
        // A copy from the future is one of another array.
        let all = revision.is_none_or(|copied| copied < self.everywhere || copied > self.latest);
        let whole = (all && len > 0).then_some(0..len);
        let since = if all { u64::MAX } else { revision.unwrap_or(u64::MAX) };
        let chunks = &self.chunks[..self.chunks.len().min(len.div_ceil(TRACKED_CHUNK))];
        let mut next = 0;
        let parts = std::iter::from_fn(move || {
            let first = next + chunks[next..].iter().position(|&chunk| chunk > since)?;
            let run = chunks[first..].iter().take_while(|&&chunk| chunk > since).count();
            next = first + run;
            Some(first * TRACKED_CHUNK..(next * TRACKED_CHUNK).min(len))
        });
        whole.into_iter().chain(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newer(len: usize, since: Option<u64>) -> Vec<Range<usize>> {
        let values = vec![0_u8; len];
        let tracked =
            Tracked { values: &values, latest: 9, everywhere: 4, chunks: &[5, 9, 3, 4, 6] };
        tracked.newer_than(since).collect()
    }

    #[test]
    fn chunks_newer_than_the_copy_are_merged_and_cut_to_the_array() {
        assert_eq!(newer(1000, Some(5)), [64..128, 256..320]);
        assert_eq!(newer(1000, Some(4)), [0..128, 256..320]);
        assert_eq!(newer(300, Some(5)), [64..128, 256..300]);
        assert_eq!(newer(100, Some(8)), [64..100]);
        assert_eq!(newer(64, Some(8)), []);
        assert_eq!(newer(1000, Some(9)), []);
    }

    #[test]
    fn a_copy_that_never_was_or_is_too_old_lacks_everything() {
        assert_eq!((newer(1000, None), newer(0, None)), (vec![0..1000], vec![]));
        assert_eq!(newer(1000, Some(3)), [0..1000]);
        assert_eq!(newer(1000, Some(10)), [0..1000], "a copy of another array");
    }
}
