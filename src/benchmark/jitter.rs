//! Jitter: differences between consecutive frame times.

use super::quantile::total;

/// Returns the mean absolute difference between consecutive frame times, in ns. `None` for fewer than two
/// frames.
pub fn jitter(frames: &[u64]) -> Option<f64> {
    let steps: Vec<_> = frames.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
    (!steps.is_empty()).then(|| total(&steps) as f64 / steps.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_the_mean_absolute_difference() {
        assert_eq!(jitter(&[4, 12, 4, 9]), Some(7.0));
        assert_eq!(jitter(&[5, 5]), Some(0.0));
        assert_eq!(jitter(&[0, u64::MAX, 0]), Some(2_f64.powi(64)));
    }

    #[test]
    fn fewer_than_two_frames_have_no_jitter() {
        assert_eq!((jitter(&[]), jitter(&[5])), (None, None));
    }
}
