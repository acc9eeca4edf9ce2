//! Conclusion: a comparison in words, the same in the terminal and in the report.

use super::{Comparison, Threshold, Verdict};
use crate::units;

impl Verdict {
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

impl Comparison {
    /// Returns the reason for the verdict, as a sentence.
    pub fn conclusion(&self, threshold: Threshold) -> String {
        let percent = threshold.share() * 100.0;
        let is_advisory = self.test.is_some_and(|test| test.method.is_advisory());
        let samples = if is_advisory { "runs of each" } else { "pairs" };
        match self.verdict {
            Verdict::Regression => format!("B is slower than A by more than {percent} %."),
            Verdict::Improvement => format!("B is faster than A by more than {percent} %."),
            Verdict::Equivalent => format!("A and B differ by less than {percent} %."),
            Verdict::Inconclusive { pairs_needed: Some(needed) } => {
                format!("Too much noise; about {needed} {samples} may be enough.")
            }
            Verdict::Inconclusive { pairs_needed: None } => {
                format!("Too much noise; even 1,000 {samples} would not be enough.")
            }
            Verdict::TooFewPairs => format!(
                "At least {} pairs, or 4 runs of each result, are needed.",
                Verdict::FEWEST_PAIRS
            ),
        }
    }

    /// Returns the estimated change and, if there were enough runs for a test, its interval and p:
    /// `B vs A: +1.25 % (95 % interval +0.50 % to +2.00 %, p = 0.0020).`
    pub fn effect(&self) -> Option<String> {
        let estimate = units::change(self.estimate?.change());
        let Some(test) = self.test else { return Some(format!("B vs A: {estimate}.")) };
        let [low, high] = [test.low, test.high].map(|end| units::change(end.change()));
        Some(format!("B vs A: {estimate} (95 % interval {low} to {high}, p = {:.4}).", test.p))
    }

    /// Returns effect, verdict and conclusion, each sentence on a line of its own.
    pub fn text(&self, threshold: Threshold) -> String {
        let effect = self.effect().map(|effect| effect + "\n").unwrap_or_default();
        format!("{effect}{}: {}\n", self.verdict.name(), self.conclusion(threshold))
    }
}
