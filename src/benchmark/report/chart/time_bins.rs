//! Time bins: a run divided into a fixed number of equal stretches of time, so that a chart does not grow
//! with the number of frames.

use std::ops::Range;

use crate::benchmark::quantile::total;

/// Returns the frames under way in each of `count` bins of equal duration; nothing if no time passes.
///
/// A frame that lasts over several bins is in each of them, so that no bin is empty. Every frame is in at
/// least one.
pub(crate) fn time_bins(frames: &[u64], count: usize) -> Vec<Range<usize>> {
    let duration = total(frames);
    if duration == 0 {
        return Vec::new();
    }
    let ends = frames.iter().scan(0, |time, &frame| {
        *time += u128::from(frame);
        Some(*time)
    });
    let ends: Vec<_> = ends.collect();
    let mut next = 0;
    let bin = |bin: u128| {
        let [start, end] = [bin, bin + 1].map(|edge| duration * edge / count as u128);
        // With the previous frame, if that is still under way.
        let first = ends.partition_point(|&at| at <= start).min(next);
        let is_last = bin + 1 == count as u128;
        let started = if is_last { frames.len() } else { ends.partition_point(|&at| at < end) + 1 };
        next = started.clamp(first + 1, frames.len());
        first..next
    };
    (0..count as u128).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_frame_is_in_every_bin_it_lasts() {
        assert_eq!(time_bins(&[10, 20, 10], 4), [0..1, 1..2, 1..2, 2..3]);
        assert_eq!(time_bins(&[5, 5, 20, 10], 4), [0..2, 2..3, 2..3, 3..4]);
        assert_eq!(time_bins(&[40], 4), [0..1, 0..1, 0..1, 0..1]);
        assert_eq!(time_bins(&[15, 15, 10], 2), [0..2, 1..3]);
        assert_eq!((time_bins(&[], 4), time_bins(&[0, 0], 4)), (vec![], vec![]));
    }

    proptest! {
        #[test]
        fn every_frame_is_in_a_bin_and_no_bin_is_empty(
            frames in proptest::collection::vec(prop_oneof![Just(0), Just(u64::MAX), 0..100_u64], 1..300),
            count in 1..50_usize,
        ) {
            let bins = time_bins(&frames, count);
            prop_assume!(!bins.is_empty());
            prop_assert_eq!(bins.len(), count);
            prop_assert!(bins.iter().all(|bin| bin.start < bin.end));
            prop_assert_eq!((bins[0].start, bins[count - 1].end), (0, frames.len()));
            for pair in bins.windows(2) {
                let shared = pair[0].end - pair[1].start;
                prop_assert!(shared <= 1, "{:?}", pair);
            }
        }
    }
}
