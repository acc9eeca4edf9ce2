//! Bimodality: frame times of two separate levels, between which no single number is typical.

use super::{Percentile, SortedTimes};

/// Share of the variance between the two groups above which they are separate.
///
/// In simulations of at least 200 frames, Gaussian, exponential, log-normal and uniform times stay below
/// 0.83 and strongly correlated ones below 0.9. Two equally frequent levels reach 0.9 at a distance of six
/// standard deviations.
const MIN_SEPARATION: f64 = 0.9;

/// Distance between the means of the two groups, relative to the mean, below which they make no difference.
const MIN_DISTANCE: f64 = 0.05;

/// Returns `true` if frame times have two separate levels. `None` for fewer than 200 frames.
///
/// The times between p5 and p95 are divided into a faster and a slower group, so that the share of the
/// variance between the groups is as large as possible (Otsu, "A Threshold Selection Method from Gray-Level
/// Histograms", 1979). They are bimodal if this share exceeds 0.9 and the means of the groups differ by more
/// than 5 %. Unlike Sarle's coefficient, which is near 1 for a few spikes, this ignores spikes beyond p95.
pub fn is_bimodal(sorted: &SortedTimes) -> Option<bool> {
    let times = sorted.times();
    let tail = times.len() / 20;
    let middle = &times[tail..times.len() - tail];
    if times.len() < Percentile::P95.frames_needed() {
        return None;
    }
    let len = middle.len() as f64;
    let mean = middle.iter().map(|&time| time as f64).sum::<f64>() / len;
    let variance = middle.iter().map(|&time| (time as f64 - mean).powi(2)).sum::<f64>() / len;
    let (mut sum, mut between, mut distance) = (0.0, 0.0, 0.0);
    for (count, &time) in (1..middle.len()).zip(middle) {
        sum += time as f64 - mean;
        let faster = count as f64 / len;
        // Mean of the slower group minus mean of the faster.
        let difference = -sum / (len * faster * (1.0 - faster));
        let explained = faster * (1.0 - faster) * difference.powi(2);
        if explained > between {
            (between, distance) = (explained, difference);
        }
    }
    Some(between > MIN_SEPARATION * variance && distance > MIN_DISTANCE * mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn bimodal(frames: &[u64]) -> Option<bool> {
        is_bimodal(&SortedTimes::of(frames))
    }

    /// `count` times, evenly spread over 1 ms from `start` ms.
    fn level(start: u64, count: u64) -> impl Iterator<Item = u64> {
        (0..count).map(move |number| start * MS + number * MS / count)
    }

    #[test]
    fn two_levels_are_bimodal_and_one_is_not() {
        let frames = |slow: u64| level(8, 500).chain(level(slow, 300)).collect::<Vec<_>>();
        assert_eq!(bimodal(&frames(16)), Some(true));
        assert_eq!(bimodal(&frames(9)), Some(false), "adjacent");
        let two = |step: u64| (0..400).map(|i| 5 * MS + i % 2 * step).collect::<Vec<_>>();
        assert_eq!([MS, 100, 0].map(|step| bimodal(&two(step))), [true, false, false].map(Some));
    }

    #[test]
    fn spikes_and_a_long_tail_are_not_bimodal() {
        let spikes = level(5, 960).chain(level(50, 40)).collect::<Vec<_>>();
        assert_eq!(bimodal(&spikes), Some(false));
        // Quantiles of an exponential distribution.
        let tail = (1..1000).map(|rank| 5e6 - 1e6 * (f64::from(rank) / 1e3).ln());
        assert_eq!(bimodal(&tail.map(|time| time as u64).collect::<Vec<_>>()), Some(false));
    }

    #[test]
    fn fewer_than_200_frames_are_unknown() {
        assert_eq!((bimodal(&[5; 199]), bimodal(&[0; 200])), (None, Some(false)));
    }

    #[test]
    fn levels_are_separate_above_the_limits_of_variance_distance_and_tail() {
        let shifted = |step: u64| level(8, 500).chain(level(8, 500).map(move |it| it + step));
        // The groups explain 86 and 93 % of the variance.
        let explained = [1_400_000, 2_000_000].map(|step| shifted(step).collect::<Vec<_>>());
        assert_eq!(explained.map(|frames| bimodal(&frames)), [false, true].map(Some));
        let two = |step: u64| (0..400).map(|i| 5 * MS + i % 2 * step).collect::<Vec<_>>();
        assert_eq!([200_000, 350_000].map(|step| bimodal(&two(step))), [false, true].map(Some));
        let slow = level(5, 940).chain(level(50, 60)).collect::<Vec<_>>();
        assert_eq!(bimodal(&slow), Some(true), "6 % are more than the tail");
    }
}
