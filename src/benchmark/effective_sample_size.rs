//! Effective sample size of correlated frames.

use std::f64::consts::TAU;

/// Returns the number of independent frames with the same information about the mean frame time. `None` for
/// fewer than two frames or equal times. `O(n log n)`.
///
/// `n / (1 + 2 (sum of autocorrelations))`, at most n. The sum runs over pairs of lags while they are
/// positive: the initial positive sequence of Geyer, "Practical Markov Chain Monte Carlo", 1992.
pub fn effective_sample_size(frames: &[u64]) -> Option<f64> {
    if frames.iter().all(|&time| time == frames[0]) {
        return None;
    }
    let covariances = autocovariances(frames);
    let variance = covariances[0];
    let pairs = covariances.chunks(2).map(|pair| pair.iter().sum::<f64>());
    let sum = 2.0 * pairs.take_while(|&pair| pair > 0.0).sum::<f64>() - variance;
    // Negative autocorrelation would give more than n.
    Some(frames.len() as f64 * (variance / sum.max(variance)))
}

/// Returns the autocovariances at lags 0 to n - 1, up to a common factor: the Fourier transform of the
/// power spectrum (Wiener-Khinchin theorem).
fn autocovariances(frames: &[u64]) -> Vec<f64> {
    let mean = frames.iter().map(|&time| time as f64).sum::<f64>() / frames.len() as f64;
    let mut values: Vec<_> = frames.iter().map(|&time| (time as f64 - mean, 0.0)).collect();
    // Zero padding, so that the convolution is not circular.
    values.resize((2 * frames.len()).next_power_of_two(), (0.0, 0.0));
    transform(&mut values);
    for value in &mut values {
        *value = (value.0 * value.0 + value.1 * value.1, 0.0);
    }
    // The power spectrum is even: forward and inverse transform are equal up to the factor.
    transform(&mut values);
    values[..frames.len()].iter().map(|(real, _)| *real).collect()
}

/// In-place discrete Fourier transform (Cooley and Tukey 1965) of complex numbers, whose number must be a
/// power of two.
fn transform(values: &mut [(f64, f64)]) {
    let len = values.len();
    let unused = usize::BITS - len.trailing_zeros();
    for i in 1..len {
        let j = i.reverse_bits() >> unused;
        if i < j {
            values.swap(i, j);
        }
    }
    let mut half = 1;
    while half < len {
        for k in 0..half {
            let (sin, cos) = (-TAU * k as f64 / (2 * half) as f64).sin_cos();
            for i in (k..len).step_by(2 * half) {
                let (one, other) = (values[i], values[i + half]);
                let turned = (other.0 * cos - other.1 * sin, other.0 * sin + other.1 * cos);
                values[i] = (one.0 + turned.0, one.1 + turned.1);
                values[i + half] = (one.0 - turned.0, one.1 - turned.1);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effective_size_of_a_slope_matches_the_value_by_hand() {
        // Deviations -1.5, -0.5, 0.5, 1.5; the factor is the length of the transform, 8.
        let expected = [5.0, 1.25, -1.5, -2.25];
        for (found, expected) in autocovariances(&[1, 2, 3, 4]).iter().zip(expected) {
            assert!((found / 8.0 - expected).abs() < 1e-12, "{found} {expected}");
        }
        // The first pair of lags is 5 + 1.25, the second negative: 4 x 5 / (2 x 6.25 - 5).
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
