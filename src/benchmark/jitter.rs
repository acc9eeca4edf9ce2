//! Jitter: differences between consecutive frame times.

use super::quantile::mean;
use super::{Percentile, SortedTimes};

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
    use super::*;

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
