//! TestResult: what a test finds out about the difference of two programs.

use super::LogRatio;

/// Share of equal programs that a test may call different.
pub(super) const LEVEL: f64 = 0.05;

/// What a test of "B differs from A by nothing but chance" has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestResult {
    /// Two-sided p: how often chance alone would bring about a difference as great or greater.
    pub p: f64,
    /// Lower end of the 95 % interval of the difference: all differences that the same test does
    /// not reject. It leaves out 0 just where p <= 0.05.
    pub low: LogRatio,
    /// Upper end of that interval.
    pub high: LogRatio,
    /// How it was tested.
    pub method: TestMethod,
}

/// How it was tested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TestMethod {
    /// Pairs, over all ways to choose the signs of the differences: p is exact.
    SignFlip,
    /// Pairs, over as many ways chosen at random by a fixed seed, because there are too many: the
    /// same pairs always give the same figures.
    SampledSignFlip(usize),
    /// Two saved results, without pairs (Mann-Whitney). Advisory: one program was measured after
    /// the other, and whatever changed on the machine in between is taken for a difference.
    RankSum,
}

impl TestMethod {
    /// Whether it can only give advice, because no pair was measured side by side.
    #[must_use]
    pub const fn is_advisory(self) -> bool {
        matches!(self, Self::RankSum)
    }
}
