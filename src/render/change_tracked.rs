//! Packed arrays with a log of their changes.

use std::ops::Range;

/// Values per chunk of a [`ChangeTracked`] array.
pub const CHANGE_CHUNK: usize = 16;

/// Chunks per block of a [`ChangeTracked`] array.
pub const CHANGE_BLOCK: usize = 256;

/// Chunks tested at once: usually none of them has changed.
const GROUP: usize = 32;

/// A packed array and the revisions at which its parts changed.
///
/// A copy of revision `r` is out of date in chunk `c`, the values from `c * CHANGE_CHUNK` on, if
/// `everywhere` or `chunks[c]` is above `r`.
#[derive(Clone, Copy, Debug)]
pub struct ChangeTracked<'a, T> {
    /// One value per cube.
    pub values: &'a [T],
    /// Current revision of the array.
    pub latest: u64,
    /// Latest revision at which any value may have changed.
    pub everywhere: u64,
    /// Latest revision of each chunk; chunks beyond the end have not changed.
    pub chunks: &'a [u64],
    /// Upper bound of the revisions of each [`CHANGE_BLOCK`] chunks; a missing one is not known.
    pub blocks: &'a [u64],
}

impl<'a, T> ChangeTracked<'a, T> {
    /// Values that all changed at `revision`.
    pub const fn new(values: &'a [T], revision: u64) -> Self {
        Self { values, latest: revision, everywhere: revision, chunks: &[], blocks: &[] }
    }

    /// Returns the index ranges in which a copy of `revision` is out of date, ascending and disjoint.
    /// `None` stands for a copy that was never written.
    pub(super) fn newer_than(
        self,
        revision: Option<u64>,
    ) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        let len = self.values.len();
        // A revision above the latest belongs to another array.
        let all = revision.is_none_or(|copied| copied < self.everywhere || copied > self.latest);
        let whole = (all && len > 0).then_some(0..len);
        let since = if all { u64::MAX } else { revision.unwrap_or(u64::MAX) };
        let chunks = &self.chunks[..self.chunks.len().min(len.div_ceil(CHANGE_CHUNK))];
        let mut next = 0;
        let parts = std::iter::from_fn(move || {
            let first = first_newer(chunks, self.blocks, next, since)?;
            let run = chunks[first..].iter().take_while(|&&chunk| chunk > since).count();
            next = first + run;
            Some(first * CHANGE_CHUNK..(next * CHANGE_CHUNK).min(len))
        });
        whole.into_iter().chain(parts)
    }
}

/// Returns the first chunk above `since`, from `next` on.
fn first_newer(chunks: &[u64], blocks: &[u64], mut next: usize, since: u64) -> Option<usize> {
    while next < chunks.len() {
        let block = next / CHANGE_BLOCK;
        let end = chunks.len().min((block + 1) * CHANGE_BLOCK);
        if blocks.get(block).is_none_or(|&revision| revision > since)
            && let Some(found) = first_above(&chunks[next..end], since)
        {
            return Some(next + found);
        }
        next = end;
    }
    None
}

/// Returns the position of the first revision above `since`.
fn first_above(chunks: &[u64], since: u64) -> Option<usize> {
    let is_old =
        |group: &&[u64]| group.iter().map(|&chunk| u64::from(chunk > since)).sum::<u64>() == 0;
    let old = chunks.chunks_exact(GROUP).take_while(is_old).count() * GROUP;
    Some(old + chunks[old..].iter().position(|&chunk| chunk > since)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newer(len: usize, since: Option<u64>, chunks: &[u64]) -> Vec<[usize; 2]> {
        let values = vec![0_u8; len];
        let block = |chunks: &[u64]| chunks.iter().copied().max().unwrap_or_default();
        let blocks: Vec<_> = chunks.chunks(CHANGE_BLOCK).map(block).collect();
        let array =
            ChangeTracked { values: &values, latest: 9, everywhere: 4, chunks, blocks: &blocks };
        array.newer_than(since).map(|range| [range.start, range.end]).collect()
    }

    const CHUNKS: [u64; 5] = [5, 9, 3, 4, 6];

    #[test]
    fn adjacent_newer_chunks_are_merged_and_cut_to_the_array() {
        assert_eq!(newer(1000, Some(5), &CHUNKS), [[16, 32], [64, 80]]);
        assert_eq!(newer(1000, Some(4), &CHUNKS), [[0, 32], [64, 80]]);
        assert_eq!(newer(70, Some(5), &CHUNKS), [[16, 32], [64, 70]]);
        assert_eq!(newer(25, Some(8), &CHUNKS), [[16, 25]]);
        assert!(newer(16, Some(8), &CHUNKS).is_empty());
        assert!(newer(1000, Some(9), &CHUNKS).is_empty());
    }

    #[test]
    fn a_newer_chunk_is_found_at_any_position() {
        const LEN: usize = 2 * CHANGE_BLOCK + 3 * GROUP / 2;
        for at in 0..LEN {
            let mut chunks = [4; LEN];
            chunks[at] = 8;
            let found = newer(LEN * CHANGE_CHUNK, Some(7), &chunks);
            assert_eq!(found, [[at * CHANGE_CHUNK, (at + 1) * CHANGE_CHUNK]]);
        }
    }

    #[test]
    fn a_missing_old_or_foreign_copy_is_out_of_date_everywhere() {
        let missing = [newer(1000, None, &CHUNKS), newer(0, None, &CHUNKS)];
        assert_eq!(missing, [vec![[0, 1000]], vec![]]);
        assert_eq!(newer(1000, Some(3), &CHUNKS), [[0, 1000]], "older than `everywhere`");
        assert_eq!(newer(1000, Some(10), &CHUNKS), [[0, 1000]], "of another array");
    }
}
