//! Verdict of a comparison, from the result of a significance test.

use super::LogRatio;

/// Significance level of all tests.
pub(super) const LEVEL: f64 = 0.05;

/// Result of a two-sided test of "A and B are equal".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestResult {
    /// p-value: the probability of a difference at least this large if A and B are equal.
    pub p: f64,
    /// Lower end of the 95 % confidence interval: the differences the same test does not reject. The
    /// interval excludes 0 exactly if p <= 0.05.
    pub low: LogRatio,
    /// Upper end of that interval.
    pub high: LogRatio,
    /// Number of pairs; `None` for the sessions of a [baseline](super::Baseline).
    pub pairs: Option<usize>,
}

/// Largest number of pairs suggested.
pub(super) const MAX_PAIRS: f64 = 1000.0;

/// Conclusion about program B compared with program A.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// B is slower: p <= 0.05, the interval is above 0 and the estimate above the threshold.
    Regression,
    /// B is faster: the mirror image of a regression.
    Improvement,
    /// The interval is within the threshold: no relevant difference.
    Equivalent,
    /// None of the above yet.
    Inconclusive {
        /// Number of pairs likely to give a verdict, if the estimate stays: the interval shrinks with the square root.
        /// `None` above 1,000, as with an estimate close to the threshold, and for a baseline: more sessions only estimate
        /// their spread better.
        pairs_needed: Option<usize>,
    },
    /// Fewer than [six](Self::FEWEST_PAIRS) pairs: no test can reach p <= 0.05.
    TooFewPairs,
}

impl Verdict {
    /// Minimum number of pairs. With six of equal sign, p = 2 / 64.
    pub const FEWEST_PAIRS: usize = 6;

    pub(super) fn of(estimate: LogRatio, evidence: TestResult, threshold: Threshold) -> Self {
        let TestResult { p, low: LogRatio(low), high: LogRatio(high), pairs } = evidence;
        let (estimate, threshold) = (estimate.0, threshold.log_ratio());
        if p <= LEVEL && low > 0.0 && estimate > threshold {
            Self::Regression
        } else if p <= LEVEL && high < 0.0 && estimate < -threshold {
            Self::Improvement
        } else if -threshold <= low && high <= threshold {
            Self::Equivalent
        } else {
            // Factor by which the interval is too wide to exclude 0 or to fit into the threshold.
            let too_wide = if estimate > threshold {
                (estimate - low) / estimate
            } else if estimate < -threshold {
                (estimate - high) / estimate
            } else {
                ((high - estimate) / (threshold - estimate))
                    .max((estimate - low) / (estimate + threshold))
            };
            let needed = |pairs: f64| (pairs * too_wide * too_wide).ceil().max(pairs + 1.0);
            let needed = pairs.map(|pairs| needed(pairs as f64)).filter(|it| *it <= MAX_PAIRS);
            Self::Inconclusive { pairs_needed: needed.map(|needed| needed as usize) }
        }
    }

    /// Returns the verdict in one or two words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regression => "Regression",
            Self::Improvement => "Improvement",
            Self::Equivalent => "Equivalent",
            Self::Inconclusive { .. } => "Inconclusive",
            Self::TooFewPairs => "No verdict",
        }
    }
}

/// Smallest relevant difference, as a fraction: 0.02 is 2 %.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Threshold(f64);

impl Threshold {
    /// Creates a threshold. `None` if it is not finite or not above 0.
    pub fn new(share: f64) -> Option<Self> {
        (share.is_finite() && share > 0.0).then_some(Self(share))
    }

    /// Returns the fraction.
    pub const fn share(self) -> f64 {
        self.0
    }

    /// Returns the threshold in percent, without the rounding error of `100.0 * 0.07`.
    pub(super) fn percent(self) -> f64 {
        (self.0 * 1e8).round() / 1e6
    }

    /// Symmetric in both directions: 2 % longer corresponds to 1.96 % shorter.
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

    fn verdict(low: f64, estimate: f64, high: f64) -> Verdict {
        let p = if low > 0.0 || high < 0.0 { 0.03 } else { 0.3 };
        let (low, high) = (LogRatio(low), LogRatio(high));
        let evidence = TestResult { p, low, high, pairs: Some(10) };
        Verdict::of(LogRatio(estimate), evidence, Threshold::default())
    }

    #[test]
    fn a_verdict_needs_significance_and_relevance() {
        assert_eq!(verdict(0.01, 0.03, 0.05), Verdict::Regression);
        assert_eq!(verdict(-0.05, -0.03, -0.01), Verdict::Improvement);
        assert_eq!(verdict(0.005, 0.01, 0.015), Verdict::Equivalent);
        assert_eq!(verdict(-0.01, 0.0, 0.01), Verdict::Equivalent);
        assert_eq!(verdict(0.0, 0.0, 0.0), Verdict::Equivalent);
    }

    #[test]
    fn inconclusive_verdicts_estimate_the_pairs_needed() {
        let threshold = Threshold::default().log_ratio();
        for (low, estimate, high, pairs_needed) in [
            // The interval around 0.03 must halve to exclude 0: four times the pairs.
            (-0.03, 0.03, 0.09, Some(40)),
            (-0.09, -0.03, 0.03, Some(40)),
            // Twice as wide as the threshold allows.
            (-2.0 * threshold, 0.0, threshold, Some(40)),
            // Significant, but perhaps not relevant.
            (0.001, 0.015, 0.0205, Some(14)),
            (0.0, 0.03, 0.06, Some(11)),
            // No number of pairs decides a difference at the threshold.
            (0.01, threshold, 0.03, None),
            (-0.03, -threshold, -threshold, None),
            (-1.0, 0.0, 1.0, None),
        ] {
            let expected = Verdict::Inconclusive { pairs_needed };
            assert_eq!(verdict(low, estimate, high), expected, "{low} {estimate} {high}");
        }
    }

    #[test]
    fn invalid_thresholds_are_rejected() {
        for wrong in [0.0, -0.02, f64::NAN, f64::INFINITY] {
            assert_eq!(Threshold::new(wrong), None);
        }
        assert_eq!(Threshold::new(0.02), Some(Threshold::default()));
        assert_eq!(Threshold::default().share(), 0.02);
        assert_eq!([0.07, 0.29, 0.002].map(|it| Threshold(it).percent()), [7.0, 29.0, 0.2]);
    }
}
