//! Run medians and their differences.

use super::quantile::{self, SortedTimes};

/// Median frame time of one run, in ns. Finite and above 0.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct RunMedian(f64);

impl RunMedian {
    /// Wraps a median, in ns. `None` if it is not finite or not above 0.
    pub fn new(nanoseconds: f64) -> Option<Self> {
        (nanoseconds.is_finite() && nanoseconds > 0.0).then_some(Self(nanoseconds))
    }

    /// Returns the median of a run. `None` without frames, or if it is 0.
    pub fn of(sorted: &SortedTimes) -> Option<Self> {
        sorted.median().and_then(Self::new)
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
    /// Quantization steps per unit. Ratios are multiples of 1.5e-11, far finer than any clock, so that
    /// sums are exact and ties are the same on every machine.
    pub(super) const STEPS: f64 = (1_u64 << 36) as f64;

    /// Returns the difference of run `b` from run `a`.
    pub fn between(a: RunMedian, b: RunMedian) -> Self {
        Self(((b.0.ln() - a.0.ln()) * Self::STEPS).round() / Self::STEPS)
    }

    /// Returns the relative change from A to B: 0.03 is 3 % longer, -0.03 is 3 % shorter.
    pub fn change(self) -> f64 {
        self.0.exp_m1()
    }

    /// Returns the median; `None` for an empty iterator.
    pub(super) fn median(ratios: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut ratios: Vec<_> = ratios.into_iter().map(|ratio| ratio.0).collect();
        quantile::median(&mut ratios).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_zero_or_not_finite_are_rejected() {
        for wrong in [0.0, -0.0, -5.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(RunMedian::new(wrong), None);
        }
        assert_eq!(RunMedian::of(&SortedTimes::of(&[])), None);
        assert_eq!(RunMedian::of(&SortedTimes::of(&[0, 0, 5])), None);
        assert_eq!(RunMedian::of(&SortedTimes::of(&[4, 5])).map(RunMedian::nanoseconds), Some(4.5));
    }

    #[test]
    fn swapping_the_runs_negates_the_ratio() {
        let [a, b] = [5e6, 5.15e6].map(|median| RunMedian::new(median).unwrap());
        let ratio = LogRatio::between(a, b);
        assert!((ratio.change() - 0.03).abs() < 1e-10, "{ratio:?}");
        assert_eq!(LogRatio::between(b, a).0, -ratio.0);
        assert_eq!(LogRatio::between(a, a).0, 0.0);
    }

    #[test]
    fn extreme_ratios_are_finite() {
        let [a, b] = [f64::MIN_POSITIVE, f64::MAX].map(|median| RunMedian::new(median).unwrap());
        assert!(LogRatio::between(a, b).0.is_finite());
        assert_eq!(LogRatio::median([]), None);
        let ratios = [3.0, -1.0, 2.0, 8.0].map(LogRatio);
        assert_eq!(LogRatio::median(ratios), Some(LogRatio(2.5)));
    }
}
