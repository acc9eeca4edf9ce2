//! Verdict: what may be said of two programs.

use super::test_result::LEVEL;
use super::{LogRatio, TestResult};

/// More pairs than this nobody would measure.
const MOST_PAIRS: f64 = 1000.0;

/// What may be said of program B beside program A.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// B takes longer: p <= 0.05, the whole interval is above 0 and the estimate above the
    /// threshold.
    Regression,
    /// B takes less long: as a regression, mirrored.
    Improvement,
    /// The whole interval is within the threshold: there may be a difference, but none that
    /// matters.
    Equivalent,
    /// Neither can be said yet.
    Inconclusive {
        /// How many pairs (of saved results: runs of each program) would likely settle it, if the
        /// estimate stays as it is: the interval shrinks with the square root of their number. None
        /// where these would be over 1,000, as when the difference is just the threshold.
        pairs_needed: Option<usize>,
    },
    /// Fewer than [six](Self::FEWEST_PAIRS) pairs, or of saved results too few runs (four of each will
    /// do): no outcome of a test could be below 5 %.
    TooFewPairs,
}

impl Verdict {
    /// Fewest pairs that get a verdict: of six, both ways for all to have one sign make 2 / 64.
    pub const FEWEST_PAIRS: usize = 6;

    /// The verdict on so many pairs.
    pub(super) fn of(
        pairs: usize,
        estimate: LogRatio,
        evidence: TestResult,
        threshold: Threshold,
    ) -> Self {
        let TestResult { p, low: LogRatio(low), high: LogRatio(high), .. } = evidence;
        let (estimate, threshold) = (estimate.0, threshold.log_ratio());
        if p <= LEVEL && low > 0.0 && estimate > threshold {
            Self::Regression
        } else if p <= LEVEL && high < 0.0 && estimate < -threshold {
            Self::Improvement
        } else if -threshold <= low && high <= threshold {
            Self::Equivalent
        } else {
            // How many times too wide the interval is: to leave out 0, or to fit into the
            // threshold.
            let too_wide = if estimate > threshold {
                (estimate - low) / estimate
            } else if estimate < -threshold {
                (estimate - high) / estimate
            } else {
                ((high - estimate) / (threshold - estimate))
                    .max((estimate - low) / (estimate + threshold))
            };
            let needed = (pairs as f64 * too_wide * too_wide).ceil().max(pairs as f64 + 1.0);
            let pairs_needed = (needed <= MOST_PAIRS).then(|| to_count(needed));
            Self::Inconclusive { pairs_needed }
        }
    }
}

#[expect(clippy::cast_sign_loss, reason = "a number of pairs")]
fn to_count(number: f64) -> usize {
    number as usize
}

/// The smallest difference that matters, as a share: 0.02 is 2 %.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Threshold(f64);

impl Threshold {
    /// None if the share is not finite or not above 0.
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (share.is_finite() && share > 0.0).then_some(Self(share))
    }

    /// As a share.
    #[must_use]
    pub const fn share(self) -> f64 {
        self.0
    }

    /// As far to one side as to the other: 2 % longer is matched by 1.96 % shorter.
    fn log_ratio(self) -> f64 {
        self.0.ln_1p()
    }
}

impl Default for Threshold {
    /// 2 %.
    fn default() -> Self {
        Self(0.02)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::TestMethod;

    fn verdict(low: f64, estimate: f64, high: f64) -> Verdict {
        let p = if low > 0.0 || high < 0.0 { 0.03 } else { 0.3 };
        let (low, high) = (LogRatio(low), LogRatio(high));
        let evidence = TestResult { p, low, high, method: TestMethod::SignFlip };
        Verdict::of(10, LogRatio(estimate), evidence, Threshold::default())
    }

    fn inconclusive(pairs: usize) -> Verdict {
        Verdict::Inconclusive { pairs_needed: Some(pairs) }
    }

    #[test]
    fn a_difference_has_to_be_sure_and_to_matter() {
        assert_eq!(verdict(0.01, 0.03, 0.05), Verdict::Regression);
        assert_eq!(verdict(-0.05, -0.03, -0.01), Verdict::Improvement);
        assert_eq!(verdict(0.005, 0.01, 0.015), Verdict::Equivalent);
        assert_eq!(verdict(-0.01, 0.0, 0.01), Verdict::Equivalent);
        assert_eq!(verdict(0.0, 0.0, 0.0), Verdict::Equivalent);
    }

    #[test]
    fn what_is_not_sure_says_how_many_pairs_would_do() {
        // 0.03 has to leave out 0 but the interval reaches twice as far: four times the pairs.
        assert_eq!(verdict(-0.03, 0.03, 0.09), inconclusive(40));
        assert_eq!(verdict(-0.09, -0.03, 0.03), inconclusive(40));
        // Twice as far as the threshold.
        let threshold = Threshold::default().log_ratio();
        assert_eq!(verdict(-2.0 * threshold, 0.0, threshold), inconclusive(40));
        // Sure, but not whether it matters.
        assert_eq!(verdict(0.001, 0.015, 0.0205), inconclusive(14));
        assert_eq!(verdict(0.0, 0.03, 0.06), inconclusive(11));
    }

    #[test]
    fn a_difference_just_at_the_threshold_is_never_settled() {
        let threshold = Threshold::default().log_ratio();
        let never = Verdict::Inconclusive { pairs_needed: None };
        assert_eq!(verdict(0.01, threshold, 0.03), never);
        assert_eq!(verdict(-0.03, -threshold, -threshold), never);
        assert_eq!(verdict(-1.0, 0.0, 1.0), never);
    }

    #[test]
    fn thresholds_that_are_none_are_refused() {
        for wrong in [0.0, -0.02, f64::NAN, f64::INFINITY] {
            assert_eq!(Threshold::new(wrong), None);
        }
        assert_eq!(Threshold::new(0.02), Some(Threshold::default()));
        assert_eq!(Threshold::default().share(), 0.02);
    }
}
