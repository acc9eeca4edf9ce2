//! Results of significance tests.

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
    /// Which test.
    pub method: TestMethod,
}

/// A significance test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TestMethod {
    /// Exact sign-flip test of pairs, by the sum of their clipped differences.
    SignFlip,
    /// Rank-sum test (Mann-Whitney U) of two saved results. Advisory: the results were measured at different
    /// times.
    RankSum,
    /// Student's t-test of two sessions, with the spread between the sessions of a
    /// [baseline](super::Baseline).
    BetweenSessions,
}

impl TestMethod {
    /// Returns `true` for tests without pairs, which cannot separate the programs from the machine.
    pub const fn is_advisory(self) -> bool {
        matches!(self, Self::RankSum)
    }
}
