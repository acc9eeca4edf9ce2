//! Packed arrays with a log of their changes.

use std::iter;
use std::ops::Range;

/// A packed array and the revisions at which its values changed.
#[derive(Clone, Copy, Debug)]
pub struct ChangeTracked<'a, T> {
    /// One value per cube.
    pub values: &'a [T],
    /// Current revision of the array.
    pub latest: u64,
    /// Index of the one value that changed, for each of the latest revisions: the last at `latest`. At the
    /// revision before the first of them, any value may have changed. Indices may be beyond the end.
    pub recent: &'a [u32],
}

impl<T> Default for ChangeTracked<'_, T> {
    /// No values.
    fn default() -> Self {
        Self::new(&[], 0)
    }
}

impl<'a, T> ChangeTracked<'a, T> {
    /// Values that all changed at `revision`, which must be a new number whenever a value or the length has changed: otherwise a
    /// renderer copies nothing.
    pub const fn new(values: &'a [T], revision: u64) -> Self {
        Self { values, latest: revision, recent: &[] }
    }

    /// Returns the indices at which a copy of `revision` is out of date, in the order of the changes; `None`
    /// if it may be anywhere. A `revision` of `None` stands for a copy that was never written.
    pub(super) fn since(self, revision: Option<u64>) -> Option<&'a [u32]> {
        // A revision above the latest belongs to another array.
        let changes = usize::try_from(self.latest.checked_sub(revision?)?).ok()?;
        self.recent.get(self.recent.len().checked_sub(changes)?..)
    }

    /// Returns the index ranges in which a copy of `revision` is out of date, ascending and disjoint.
    pub(super) fn newer_than(
        self,
        revision: Option<u64>,
        indices: &mut Vec<u32>,
    ) -> impl Iterator<Item = Range<usize>> + use<'_, T> {
        indices.clear();
        let (len, since) = (self.values.len(), self.since(revision));
        indices.extend_from_slice(since.unwrap_or_default());
        let whole = (since.is_none() && len > 0).then_some(0..len);
        whole.into_iter().chain(runs(indices, len))
    }
}

/// Sorts indices, and returns them as ranges below `len`, ascending and disjoint.
pub(super) fn runs(indices: &mut Vec<u32>, len: usize) -> impl Iterator<Item = Range<usize>> {
    // Mostly they are in order: cubes respawn in the order of the array.
    indices.sort_unstable();
    indices.dedup();
    indices.truncate(indices.partition_point(|&index| (index as usize) < len));
    let runs = indices.chunk_by(|&before, &next| next == before + 1);
    runs.map(|run| run[0] as usize..run[0] as usize + run.len())
}

/// Merges ascending disjoint ranges with at most `gap` indices between them.
pub(super) fn merged(
    ranges: impl Iterator<Item = Range<usize>>,
    gap: usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut ranges = ranges.peekable();
    iter::from_fn(move || {
        let mut range = ranges.next()?;
        while let Some(next) = ranges.next_if(|next| next.start - range.end <= gap) {
            range.end = next.end;
        }
        Some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newer(len: usize, since: Option<u64>, recent: &[u32]) -> Vec<[usize; 2]> {
        let values = vec![0_u8; len];
        let array = ChangeTracked { values: &values, latest: 9, recent };
        let mut indices = vec![77];
        array.newer_than(since, &mut indices).map(|range| [range.start, range.end]).collect()
    }

    /// Changes at the revisions 5 to 9.
    const RECENT: [u32; 5] = [40, 7, 8, 999, 7];

    #[test]
    fn adjacent_newer_values_are_merged_and_cut_to_the_array() {
        assert_eq!(newer(1000, Some(4), &RECENT), [[7, 9], [40, 41], [999, 1000]]);
        assert_eq!(newer(1000, Some(5), &RECENT), [[7, 9], [999, 1000]]);
        assert_eq!(newer(1000, Some(7), &RECENT), [[7, 8], [999, 1000]]);
        assert_eq!(newer(999, Some(7), &RECENT), [[7, 8]]);
        assert!(newer(7, Some(7), &RECENT).is_empty());
        assert!(newer(1000, Some(9), &RECENT).is_empty());
    }

    #[test]
    fn ranges_with_small_gaps_are_merged() {
        let merged = |gap| -> Vec<[usize; 2]> {
            let ranges = [7..9, 40..41, 999..1000].into_iter();
            merged(ranges, gap).map(|range| [range.start, range.end]).collect()
        };
        assert_eq!(merged(30), [[7, 9], [40, 41], [999, 1000]]);
        assert_eq!(merged(31), [[7, 41], [999, 1000]]);
        assert_eq!(merged(999), [[7, 1000]]);
    }

    #[test]
    fn a_missing_old_or_foreign_copy_is_out_of_date_everywhere() {
        let missing = [newer(1000, None, &RECENT), newer(0, None, &RECENT)];
        assert_eq!(missing, [vec![[0, 1000]], vec![]]);
        assert_eq!(newer(1000, Some(3), &RECENT), [[0, 1000]], "older than the log");
        assert_eq!(newer(1000, Some(10), &RECENT), [[0, 1000]], "of another array");
    }
}
