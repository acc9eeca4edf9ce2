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
/// The rolling median is that of the frames that end within half a second before the frame begins or begin within half a
/// second after it ends, without the frame itself. The adjacent frames are always part of it.
pub fn hitches(frames: &[u64]) -> Option<Vec<usize>> {
    let mut end = 0;
    let ends = frames.iter().map(|&time| {
        end += u128::from(time);
        end
    });
    let ends: Vec<u128> = ends.collect();
    let is_hitch = |&at: &usize| {
        let (time, end) = (u128::from(frames[at]), ends[at]);
        // Most frames are too short, whatever is around them.
        if time <= MIN_EXCESS {
            return false;
        }
        let first = ends[..at].partition_point(|before| before + HALF_WINDOW < end - time);
        let after = 1 + ends.partition_point(|begin| *begin <= end + HALF_WINDOW);
        let others = [&frames[first..at], &frames[at + 1..after.min(frames.len())]].concat();
        let doubled = doubled_median(others);
        4 * time > 5 * doubled && 2 * time > doubled + 2 * MIN_EXCESS
    };
    let is_possible = frames.len() > 1 && mean(frames) >= Some(MIN_MEAN);
    is_possible.then(|| (0..frames.len()).filter(is_hitch).collect())
}

/// Returns twice the median of at least one time; doubled, it is an integer.
fn doubled_median(mut times: Vec<u64>) -> u128 {
    let is_odd = times.len() % 2 == 1;
    let middle = times.len() / 2;
    let (below, &mut upper, _) = times.select_nth_unstable(middle);
    let lower = if is_odd { upper } else { below.iter().copied().max().unwrap_or(upper) };
    u128::from(lower) + u128::from(upper)
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
    frames.array_windows().map(|[last, next]| last.abs_diff(*next)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: u64 = 1_000_000;

    /// Twice the rolling medians, by their definition.
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
        fn hitches_match_the_definition(
            frames in prop::collection::vec(
                prop_oneof![1000..200_000_000_u64, Just(100_000_000), Just(u64::MAX)],
                2..40,
            ),
        ) {
            let is_hitch = |(time, doubled): (u64, u128)| {
                let time = u128::from(time);
                4 * time > 5 * doubled && 2 * time > doubled + 2 * MIN_EXCESS
            };
            let all = frames.iter().copied().zip(medians_by_definition(&frames)).enumerate();
            let expected = all.filter(|&(_, frame)| is_hitch(frame)).map(|(number, _)| number);
            prop_assert_eq!(hitches(&frames), Some(expected.collect()));
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
