//! Log ratio: how two run medians differ.

use super::quantile::{self, SortedTimes};

/// The median frame time of one run: what the run says, in one number. Finite and above 0;
/// nanoseconds.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct RunMedian(f64);

impl RunMedian {
    /// A median from elsewhere, such as a saved result; none if it is not finite or not above 0.
    #[must_use]
    pub fn new(nanoseconds: f64) -> Option<Self> {
        (nanoseconds.is_finite() && nanoseconds > 0.0).then_some(Self(nanoseconds))
    }

    /// The median of a run; none without frames, or if half of them take no time.
    #[must_use]
    pub fn of(sorted: &SortedTimes) -> Option<Self> {
        sorted.median().and_then(Self::new)
    }

    /// In nanoseconds.
    #[must_use]
    pub const fn nanoseconds(self) -> f64 {
        self.0
    }
}

/// The difference of B from A as `ln(B / A)`: above 0 if B takes longer. Exchanging A and B changes
/// its sign and nothing else, which is not so of a percentage.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct LogRatio(pub f64);

impl LogRatio {
    /// Steps to 1. Ratios of runs are multiples of a step, 1.5e-11, far finer than any clock: they
    /// add up exactly, so that ties are ties on every machine.
    pub(super) const STEPS: f64 = (1_u64 << 36) as f64;

    /// The difference of run `b` from run `a`.
    #[must_use]
    pub fn between(a: RunMedian, b: RunMedian) -> Self {
        Self(((b.0.ln() - a.0.ln()) * Self::STEPS).round() / Self::STEPS)
    }

    /// What B takes more than A, as a share of A: 0.03 is 3 % longer, -0.03 is 3 % shorter.
    #[must_use]
    pub fn change(self) -> f64 {
        self.0.exp_m1()
    }

    /// The median of some; none of none.
    pub(super) fn median(ratios: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut ratios: Vec<_> = ratios.into_iter().map(|ratio| ratio.0).collect();
        quantile::median(&mut ratios).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_no_time_or_no_number_are_refused() {
        for wrong in [0.0, -0.0, -5.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(RunMedian::new(wrong), None);
        }
        assert_eq!(RunMedian::of(&SortedTimes::of(&[])), None);
        assert_eq!(RunMedian::of(&SortedTimes::of(&[0, 0, 5])), None);
        assert_eq!(RunMedian::of(&SortedTimes::of(&[4, 5])).map(RunMedian::nanoseconds), Some(4.5));
    }

    #[test]
    fn a_ratio_is_mirrored_when_the_runs_are_exchanged() {
        let [a, b] = [5e6, 5.15e6].map(|median| RunMedian::new(median).unwrap());
        let ratio = LogRatio::between(a, b);
        assert!((ratio.change() - 0.03).abs() < 1e-10, "{ratio:?}");
        assert_eq!(LogRatio::between(b, a).0, -ratio.0);
        assert_eq!(LogRatio::between(a, a).0, 0.0);
    }

    #[test]
    fn the_widest_ratio_is_a_number() {
        let [a, b] = [f64::MIN_POSITIVE, f64::MAX].map(|median| RunMedian::new(median).unwrap());
        assert!(LogRatio::between(a, b).0.is_finite());
        assert_eq!(LogRatio::median([]), None);
        let ratios = [3.0, -1.0, 2.0, 8.0].map(LogRatio);
        assert_eq!(LogRatio::median(ratios), Some(LogRatio(2.5)));
    }
}
