//! Conclusion: a comparison in words, the same in the terminal and in the report.

use super::{Comparison, Threshold, Verdict};
use crate::units;

impl Verdict {
    /// Returns the verdict in one or two words.
    #[must_use]
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

impl Comparison {
    /// Returns the reason for the verdict, as a sentence.
    #[must_use]
    pub fn conclusion(&self, threshold: Threshold) -> String {
        let percent = threshold.share() * 100.0;
        let is_advisory = self.test.is_some_and(|test| test.method.is_advisory());
        let samples = if is_advisory { "runs of each program" } else { "pairs" };
        match self.verdict {
            Verdict::Regression => format!("B is slower than A by more than {percent} %."),
            Verdict::Improvement => format!("B is faster than A by more than {percent} %."),
            Verdict::Equivalent => format!("Any difference is within {percent} %."),
            Verdict::Inconclusive { pairs_needed: Some(needed) } => {
                format!("The noise is too high; measure about {needed} {samples}.")
            }
            Verdict::Inconclusive { pairs_needed: None } => {
                format!("The noise is too high, even for 1,000 {samples}.")
            }
            Verdict::TooFewPairs => format!(
                "Measure at least {} pairs, or compare saved results of four runs each.",
                Verdict::FEWEST_PAIRS
            ),
        }
    }

    /// Returns the estimated change and, if there were enough runs for a test, its interval and p:
    /// `Change from A to B: +1.25 % (95 % interval +0.50 % to +2.00 %, p = 0.0020).`
    #[must_use]
    pub fn effect(&self) -> Option<String> {
        let estimate = units::change(self.estimate?.change());
        let Some(test) = self.test else { return Some(format!("Change from A to B: {estimate}.")) };
        let [low, high] = [test.low, test.high].map(|end| units::change(end.change()));
        Some(format!(
            "Change from A to B: {estimate} (95 % interval {low} to {high}, p = {:.4}).",
            test.p
        ))
    }

    /// Returns effect, verdict and conclusion, each sentence on a line of its own.
    #[must_use]
    pub fn text(&self, threshold: Threshold) -> String {
        let effect = self.effect().map(|effect| effect + "\n").unwrap_or_default();
        format!("{effect}{}: {}\n", self.verdict.name(), self.conclusion(threshold))
    }
}
