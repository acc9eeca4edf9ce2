//! Jitter: how much a frame time differs from the one before.

use super::distribution::total;
use super::quantile::{Percentile, SortedTimes};

/// Jitter of one run; nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jitter {
    /// Mean of `|f[i] - f[i - 1]|`.
    pub mean: f64,
    /// Its 99th percentile; none where there are too few frames.
    pub p99: Option<f64>,
}

impl Jitter {
    /// The jitter of frame times in the order of the frames, in nanoseconds; none of fewer than two
    /// frames.
    #[must_use]
    pub fn of(frames: &[u64]) -> Option<Self> {
        let steps: Vec<_> = frames.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
        if steps.is_empty() {
            return None;
        }
        let mean = total(&steps) as f64 / steps.len() as f64;
        Some(Self { mean, p99: SortedTimes::of(&steps).percentile(Percentile::P99) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_counts_the_steps_between_frames() {
        assert_eq!(Jitter::of(&[4, 12, 4, 9]), Some(Jitter { mean: 7.0, p99: None }));
        // 990 steps of 0 and ten of 100: position 989.01 lies 0.01 of the way from the one to the
        // other.
        let mut frames = vec![50; 991];
        for number in 0..10 {
            frames.push(50 + 100 * ((number + 1) % 2));
        }
        assert_eq!(Jitter::of(&frames), Some(Jitter { mean: 1.0, p99: Some(1.0) }));
    }

    #[test]
    fn jitter_of_one_frame_is_not_known() {
        assert_eq!((Jitter::of(&[]), Jitter::of(&[5])), (None, None));
        assert_eq!(Jitter::of(&[5, 5]), Some(Jitter { mean: 0.0, p99: None }));
        let widest = Jitter::of(&[0, u64::MAX, 0]).unwrap();
        assert_eq!(widest.mean, 2_f64.powi(64));
    }
}
