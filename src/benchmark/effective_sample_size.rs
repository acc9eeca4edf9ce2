//! Effective sample size of correlated frames.

/// Largest lag of the autocorrelations that are summed. More correlated frames drift, for which there is a warning.
const MAX_LAG: usize = 1000;

/// Returns the number of independent frames with the same information about the mean frame time. `None` for
/// fewer than two frames, or times that are equal as `f64`. `O(n)` for each lag that counts, at most 1,000.
///
/// `n / (1 + 2 (sum of autocorrelations))`, at most n. The sum runs over pairs of lags while they are
/// positive: the initial positive sequence of Geyer, "Practical Markov Chain Monte Carlo", 1992.
pub fn effective_sample_size(frames: &[u64]) -> Option<f64> {
    if frames.iter().all(|&time| time == frames[0]) {
        return None;
    }
    let mean = frames.iter().map(|&time| time as f64).sum::<f64>() / frames.len() as f64;
    let deviations: Vec<_> = frames.iter().map(|&time| time as f64 - mean).collect();
    // Up to a common factor.
    let covariance = |lag: usize| -> f64 {
        let later = deviations.get(lag..).unwrap_or_default();
        deviations.iter().zip(later).map(|(one, other)| one * other).sum()
    };
    let variance = covariance(0);
    let pairs = (0..frames.len().min(MAX_LAG)).step_by(2);
    let pairs = pairs.map(|lag| covariance(lag) + covariance(lag + 1));
    let sum = 2.0 * pairs.take_while(|&pair| pair > 0.0).sum::<f64>() - variance;
    // Negative autocorrelation would give more than n.
    (variance > 0.0).then(|| frames.len() as f64 * (variance / sum.max(variance)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effective_size_of_a_slope_matches_the_value_by_hand() {
        // Deviations -1.5, -0.5, 0.5, 1.5: covariances 5, 1.25, -1.5, -2.25. The first pair of lags is 5 + 1.25,
        // the second negative: 4 x 5 / (2 x 6.25 - 5).
        let size = effective_sample_size(&[1, 2, 3, 4]).unwrap();
        assert!((size - 8.0 / 3.0).abs() < 1e-12, "{size}");
    }

    #[test]
    fn alternating_times_count_fully_and_equal_times_are_unknown() {
        let alternating: Vec<_> = (0..1000).map(|number| 4 + 8 * (number % 2)).collect();
        assert_eq!(effective_sample_size(&alternating), Some(1000.0));
        assert_eq!([&[][..], &[5], &[5; 100]].map(effective_sample_size), [None; 3]);
    }
}
