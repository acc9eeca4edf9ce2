//! Columns: the frames of a run sorted into the columns of a picture, as many as there are, however
//! many frames.

use std::ops::Range;

use crate::benchmark::SortedTimes;
use crate::benchmark::distribution::total;

/// Which frames are under way in each of `count` columns of equal time; none if no time goes by. A
/// frame that goes on over several columns is in each of them, so that no column is empty; every
/// frame is in one at least.
pub(super) fn of(frames: &[u64], count: usize) -> Vec<Range<usize>> {
    let all = total(frames);
    if all == 0 {
        return Vec::new();
    }
    let mut begins = Vec::with_capacity(frames.len());
    let mut time = 0;
    for &frame in frames {
        begins.push(time);
        time += u128::from(frame);
    }
    let mut columns = Vec::with_capacity(count);
    let mut next = 0;
    for column in 1..=count {
        let begin = all * (column as u128 - 1) / count as u128;
        let end = all * column as u128 / count as u128;
        // The frame before is still under way, unless the next one begins just here.
        let is_new = next == 0 || begins.get(next).is_some_and(|&at| at <= begin);
        let first = if is_new { next } else { next - 1 };
        next = if column == count {
            frames.len()
        } else {
            begins.partition_point(|&at| at < end).max(first + 1)
        };
        columns.push(first..next);
    }
    columns
}

/// The frame times within one column, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Extent {
    pub(super) min: f64,
    pub(super) median: f64,
    pub(super) max: f64,
}

/// The extent of the frame times in each of `count` columns.
pub(super) fn extents(frames: &[u64], count: usize) -> Vec<Extent> {
    let extent = |column: Range<usize>| {
        let sorted = SortedTimes::of(&frames[column]);
        let (min, max) = (*sorted.times().first()? as f64, *sorted.times().last()? as f64);
        Some(Extent { min, median: sorted.median()?, max })
    };
    of(frames, count).into_iter().filter_map(extent).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_frame_is_in_every_column_it_lasts() {
        assert_eq!(of(&[10, 20, 10], 4), [0..1, 1..2, 1..2, 2..3]);
        assert_eq!(of(&[5, 5, 20, 10], 4), [0..2, 2..3, 2..3, 3..4]);
        assert_eq!(of(&[40], 4), [0..1, 0..1, 0..1, 0..1]);
        assert_eq!(of(&[15, 15, 10], 2), [0..2, 1..3]);
        assert_eq!((of(&[], 4), of(&[0, 0], 4)), (vec![], vec![]));
    }

    proptest! {
        #[test]
        fn every_frame_is_in_some_column_and_no_column_is_empty(
            frames in proptest::collection::vec(prop_oneof![Just(0), Just(u64::MAX), 0..100_u64], 1..300),
            count in 1..50_usize,
        ) {
            let columns = of(&frames, count);
            prop_assume!(!columns.is_empty());
            prop_assert_eq!(columns.len(), count);
            prop_assert!(columns.iter().all(|column| column.start < column.end));
            prop_assert_eq!((columns[0].start, columns[count - 1].end), (0, frames.len()));
            for pair in columns.windows(2) {
                let shared = pair[0].end - pair[1].start;
                prop_assert!(shared <= 1, "{:?}", pair);
            }
            let extents = extents(&frames, count);
            let lowest = extents.iter().map(|extent| extent.min).fold(f64::INFINITY, f64::min);
            let highest = extents.iter().map(|extent| extent.max).fold(0.0, f64::max);
            prop_assert_eq!(lowest, *frames.iter().min().unwrap() as f64);
            prop_assert_eq!(highest, *frames.iter().max().unwrap() as f64);
        }
    }
}
