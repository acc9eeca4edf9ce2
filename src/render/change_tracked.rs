//! ChangeTracked array: values, and which of them are newer than a copy.

use std::ops::Range;

/// Values of one chunk of a [`ChangeTracked`] array.
pub const CHANGE_CHUNK: usize = 16;

/// Chunks that are looked at together, without a branch for each: most are as old as the copy.
const BLOCK: usize = 32;

/// A packed array that says which of its parts have changed.
///
/// A copy that was up to date at revision `r` lacks the chunks that are newer: chunk `c`, the values
/// from `c * CHANGE_CHUNK` on, is so if `everywhere` or `chunks[c]` is above `r`.
#[derive(Clone, Copy, Debug)]
pub struct ChangeTracked<'a, T> {
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

impl<'a, T> ChangeTracked<'a, T> {
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
        let chunks = &self.chunks[..self.chunks.len().min(len.div_ceil(CHANGE_CHUNK))];
        let mut next = 0;
        let parts = std::iter::from_fn(move || {
            let first = first_newer(chunks, next, since)?;
            let run = chunks[first..].iter().take_while(|&&chunk| chunk > since).count();
            next = first + run;
            Some(first * CHANGE_CHUNK..(next * CHANGE_CHUNK).min(len))
        });
        whole.into_iter().chain(parts)
    }
}

/// The first chunk from `next` on that is newer.
fn first_newer(chunks: &[u64], mut next: usize, since: u64) -> Option<usize> {
    let is_old =
        |block: &[u64]| block.iter().map(|&chunk| u64::from(chunk > since)).sum::<u64>() == 0;
    while let Some(block) = chunks.get(next..next + BLOCK)
        && is_old(block)
    {
        next += BLOCK;
    }
    Some(next + chunks[next..].iter().position(|&chunk| chunk > since)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newer(len: usize, since: Option<u64>, chunks: &[u64]) -> Vec<[usize; 2]> {
        let values = vec![0_u8; len];
        let tracked = ChangeTracked { values: &values, latest: 9, everywhere: 4, chunks };
        tracked.newer_than(since).map(|range| [range.start, range.end]).collect()
    }

    const CHUNKS: [u64; 5] = [5, 9, 3, 4, 6];

    #[test]
    fn chunks_newer_than_the_copy_are_merged_and_cut_to_the_array() {
        assert_eq!(newer(1000, Some(5), &CHUNKS), [[16, 32], [64, 80]]);
        assert_eq!(newer(1000, Some(4), &CHUNKS), [[0, 32], [64, 80]]);
        assert_eq!(newer(70, Some(5), &CHUNKS), [[16, 32], [64, 70]]);
        assert_eq!(newer(25, Some(8), &CHUNKS), [[16, 25]]);
        assert!(newer(16, Some(8), &CHUNKS).is_empty());
        assert!(newer(1000, Some(9), &CHUNKS).is_empty());
    }

    #[test]
    fn a_newer_chunk_is_found_wherever_it_is() {
        for at in 0..3 * BLOCK {
            let mut chunks = [4; 3 * BLOCK];
            chunks[at] = 8;
            let found = newer(10_000, Some(7), &chunks);
            assert_eq!(found, [[at * CHANGE_CHUNK, (at + 1) * CHANGE_CHUNK]]);
        }
    }

    #[test]
    fn a_copy_that_never_was_or_is_too_old_lacks_everything() {
        let lacks = [newer(1000, None, &CHUNKS), newer(0, None, &CHUNKS)];
        assert_eq!(lacks, [vec![[0, 1000]], vec![]]);
        assert_eq!(newer(1000, Some(3), &CHUNKS), [[0, 1000]]);
        let another = newer(1000, Some(10), &CHUNKS);
        assert_eq!(another, [[0, 1000]], "a copy of another array");
    }
}
