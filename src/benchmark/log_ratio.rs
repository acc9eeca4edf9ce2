//! Run medians and their differences.

use super::quantile;

/// Median frame time of one run, in ns: at least 0.5, the mean of 0 and 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct RunMedian(f64);

impl RunMedian {
    /// Wraps a median, in ns. `None` below 0.5, and if it is too large for a time.
    pub fn new(nanoseconds: f64) -> Option<Self> {
        (0.5..u64::MAX as f64).contains(&nanoseconds).then_some(Self(nanoseconds))
    }

    /// Returns the median of the medians of runs. Unlike their mean, it hardly moves with one disturbed run.
    /// `None` without runs.
    pub fn over(runs: &[Self]) -> Option<Self> {
        let mut times: Vec<_> = runs.iter().map(|run| run.0).collect();
        quantile::median(&mut times).and_then(Self::new)
    }

    /// Returns the median in ns.
    pub const fn nanoseconds(self) -> f64 {
        self.0
    }
}

/// Difference of B from A as `ln(B / A)`: above 0 if B takes longer.
///
/// Swapping A and B only changes the sign, unlike a percentage.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct LogRatio(pub f64);

impl LogRatio {
    /// Returns the difference of run `b` from run `a`.
    pub fn between(a: RunMedian, b: RunMedian) -> Self {
        // Multiples of 1.5e-11, far finer than any clock: sums are exact, and ties are the same on every machine.
        const STEPS: f64 = (1_u64 << 36) as f64;
        Self(((b.0.ln() - a.0.ln()) * STEPS).round() / STEPS)
    }

    /// Returns the relative change from A to B: 0.03 is 3 % longer, -0.03 is 3 % shorter.
    pub fn change(self) -> f64 {
        self.0.exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_zero_or_not_finite_are_rejected() {
        for wrong in [0.0, -0.0, 0.4, 2e19, -5.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(RunMedian::new(wrong), None);
        }
    }

    #[test]
    fn ratios_are_symmetric_and_finite() {
        let ratio = |a, b| {
            let [a, b] = [a, b].map(|median| RunMedian::new(median).unwrap());
            LogRatio::between(a, b)
        };
        assert!((ratio(5e6, 5.15e6).change() - 0.03).abs() < 1e-10);
        assert_eq!(ratio(5.15e6, 5e6).0, -ratio(5e6, 5.15e6).0);
        assert!(ratio(0.5, 1e19).0.is_finite());
    }
}
