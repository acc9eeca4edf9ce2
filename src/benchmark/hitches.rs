//! How evenly frames follow each other: hitches, which take much longer than the frames around them, and
//! jitter, the differences between consecutive frame times.

use super::quantile::mean;
use super::{Percentile, SortedTimes};

/// Minimum excess of a hitch over the rolling median, in ns. Shorter ones are not visible.
const MIN_EXCESS: u128 = 4_000_000;

/// Least mean of frame times, in ns. Of shorter ones, too many would be in the window of the rolling median.
const MIN_MEAN: f64 = 1000.0;

/// Half of the window of the rolling median, in ns.
const HALF_WINDOW: u128 = 500_000_000;

/// Returns the indices of the hitches among frame times in ns, in frame order: frames longer than 2.5 times
/// the rolling median and more than 4 ms above it. `None` for fewer than two frames, or frames that are shorter
/// on average than any can be.
///
/// The rolling median covers half a second before and after the frame. `O(n w)` for windows of `w` frames.
pub fn hitches(frames: &[u64]) -> Option<Vec<usize>> {
    let is_hitch = |&(number, doubled): &(usize, u128)| {
        let time = u128::from(frames[number]);
        4 * time > 5 * doubled && 2 * time > doubled + 2 * MIN_EXCESS
    };
    let medians = (0..).zip(doubled_medians(frames));
    let is_possible = frames.len() > 1 && mean(frames) >= Some(MIN_MEAN);
    is_possible.then(|| medians.filter(is_hitch).map(|(number, _)| number).collect())
}

/// Returns twice the rolling median of each of at least two frames, in ns; doubled, it is an integer.
///
/// The window holds the frames that end within half a second before the frame begins or begin within half a
/// second after it ends, without the frame itself. The adjacent frames are always part of it.
fn doubled_medians(frames: &[u64]) -> impl Iterator<Item = u128> {
    let time = |number: usize| frames.get(number).map_or(0, |&time| u128::from(time));
    // Sorted times of the frames in the window.
    let mut window = Vec::new();
    let place = |window: &[u64], time: u64| window.partition_point(|&other| other < time);
    // First frame of the window and the one after its last; end of the former, start of the latter.
    let (mut first, mut after) = (0, 0);
    let (mut first_end, mut after_begin, mut begin) = (time(0), 0, 0);
    (0..frames.len()).map(move |number| {
        let end = begin + time(number);
        while after < frames.len() && after_begin <= end + HALF_WINDOW {
            window.insert(place(&window, frames[after]), frames[after]);
            after_begin += time(after);
            after += 1;
        }
        while first < number && first_end + HALF_WINDOW < begin {
            window.remove(place(&window, frames[first]));
            first += 1;
            first_end += time(first);
        }
        begin = end;
        let own = place(&window, frames[number]);
        let other = |rank: usize| u128::from(window[rank + usize::from(rank >= own)]);
        let others = window.len() - 1;
        if others == 0 { 0 } else { other((others - 1) / 2) + other(others / 2) }
    })
}

/// Returns the mean absolute difference between consecutive frame times, in ns. `None` for fewer than two
/// frames.
pub fn jitter(frames: &[u64]) -> Option<f64> {
    mean(&steps(frames))
}

/// Returns the 99th percentile of the absolute differences between consecutive frame times, in ns. `None` for
/// fewer frames than p99 [needs](Percentile::frames_needed).
pub fn jitter_p99(frames: &[u64]) -> Option<f64> {
    let enough = frames.len() >= Percentile::P99.frames_needed();
    enough.then(|| SortedTimes::of(&steps(frames)).quantile(Percentile::P99.per_mille()))?
}

fn steps(frames: &[u64]) -> Vec<u64> {
    frames.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: u64 = 1_000_000;

    /// Direct implementation of the definition.
    fn medians_by_definition(frames: &[u64]) -> Vec<u128> {
        let begin = |number: usize| frames[..number].iter().copied().map(u128::from).sum::<u128>();
        let median = |i: usize| {
            let before = (0..i).filter(|&j| begin(j + 1) + HALF_WINDOW >= begin(i));
            let after = (i + 1..frames.len()).filter(|&j| begin(j) <= begin(i + 1) + HALF_WINDOW);
            let mut near: Vec<_> = before.chain(after).map(|j| u128::from(frames[j])).collect();
            near.sort_unstable();
            near[(near.len() - 1) / 2] + near[near.len() / 2]
        };
        (0..frames.len()).map(median).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn rolling_medians_match_the_definition(
            frames in prop::collection::vec(
                prop_oneof![0..200_000_000_u64, Just(100_000_000), Just(u64::MAX)],
                2..40,
            ),
        ) {
            let found: Vec<_> = doubled_medians(&frames).collect();
            prop_assert_eq!(found, medians_by_definition(&frames));
        }
    }

    #[test]
    fn a_hitch_exceeds_the_median_by_factor_and_by_time() {
        let hitches_at = |usual: u64, odd: u64| {
            let mut frames = vec![usual; 1000];
            (frames[0], frames[300], frames[999]) = (odd, odd, odd);
            hitches(&frames).unwrap()
        };
        assert!(hitches_at(8 * MS, 20 * MS).is_empty());
        assert_eq!(hitches_at(8 * MS, 20 * MS + 1), [0, 300, 999]);
        assert!(hitches_at(MS, 5 * MS).is_empty());
        assert_eq!(hitches_at(MS, 5 * MS + 1), [0, 300, 999]);
    }

    #[test]
    fn a_slower_section_is_no_hitch() {
        let mut frames = vec![4 * MS; 1000];
        frames.extend(vec![40 * MS; 1000]);
        // Half a second is 125 fast frames but 12 slow ones, so the first slow ones have mostly
        // fast neighbors; the rest are no hitches.
        assert!(hitches(&frames).unwrap().iter().all(|number| (1000..1013).contains(number)));
    }

    #[test]
    fn fewer_than_two_frames_or_impossible_ones_have_no_hitch_count() {
        assert_eq!((hitches(&[]), hitches(&[5000])), (None, None));
        assert_eq!((hitches(&[0, 2000]), hitches(&[0, 1999])), (Some(vec![]), None));
    }

    #[test]
    fn jitter_is_the_mean_absolute_difference() {
        assert_eq!(jitter(&[4, 12, 4, 9]), Some(7.0));
        assert_eq!([&[][..], &[5], &[5, 5]].map(jitter), [None, None, Some(0.0)]);
        assert_eq!(jitter(&[0, u64::MAX, 0]), Some(2_f64.powi(64)));
    }

    #[test]
    fn p99_is_that_of_the_differences() {
        // Every 50th frame is 20 ns longer: 4 % of the differences are 20 and the others 0.
        let frames = |n: u64| (0..n).map(|i| if i % 50 == 9 { 25 } else { 5 }).collect::<Vec<_>>();
        assert_eq!(jitter_p99(&frames(1000)), Some(20.0));
        assert_eq!(jitter_p99(&frames(999)), None);
    }
}
