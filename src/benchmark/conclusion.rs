//! Conclusion: a comparison in words, the same in the terminal and in the report.

use super::{BaselineComparison, Comparison, TestMethod, Threshold, Verdict};
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
        let percent = threshold.percent();
        let method = self.test.map(|test| test.method);
        let samples = if method == Some(TestMethod::RankSum) { "runs of each" } else { "pairs" };
        match self.verdict {
            Verdict::Regression => format!("B is slower than A by more than {percent} %."),
            Verdict::Improvement => format!("B is faster than A by more than {percent} %."),
            Verdict::Equivalent => format!("A and B differ by less than {percent} %."),
            Verdict::Inconclusive { pairs_needed: Some(needed) } => {
                format!("Too much noise; about {needed} {samples} may be enough.")
            }
            Verdict::Inconclusive { .. } if method == Some(TestMethod::BetweenSessions) => {
                "Too much noise between sessions.".to_owned()
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
        Some(format!("B vs A: {}.", self.difference()?))
    }

    fn difference(&self) -> Option<String> {
        let estimate = units::change(self.estimate?.change());
        let Some(test) = self.test else { return Some(estimate) };
        let [low, high] = [test.low, test.high].map(|end| units::change(end.change()));
        Some(format!("{estimate} (95 % interval {low} to {high}, p = {:.4})", test.p))
    }

    /// Returns verdict, conclusion and effect, each sentence on a line of its own.
    pub fn text(&self, threshold: Threshold) -> String {
        let effect = self.effect().map(|effect| effect + "\n").unwrap_or_default();
        format!("{}: {}\n{effect}", self.verdict.name(), self.conclusion(threshold))
    }
}

impl BaselineComparison {
    /// Returns the reason for the verdict, as a sentence.
    pub fn conclusion(&self, threshold: Threshold) -> String {
        let percent = threshold.percent();
        match self.verdict() {
            Verdict::Regression => {
                format!("The candidate is slower than the baseline by more than {percent} %.")
            }
            Verdict::Improvement => {
                format!("The candidate is faster than the baseline by more than {percent} %.")
            }
            Verdict::Equivalent => {
                format!("The candidate is not slower than the baseline by more than {percent} %.")
            }
            Verdict::Inconclusive { .. } | Verdict::TooFewPairs => format!(
                "Too much noise between sessions ({}{}): add sessions to the baseline, or use a larger \
                 --threshold.",
                units::percent(self.spread),
                if self.sessions == 1 { ", assumed for one session" } else { "" },
            ),
        }
    }

    /// Returns the verdict with its conclusion, a line for the first session, and one for the last if it is
    /// another.
    pub fn text(&self, threshold: Threshold) -> String {
        let lines = [("first", self.first), ("last", self.last)].map(|(name, comparison)| {
            let difference = comparison.difference().unwrap_or_default();
            format!("Candidate vs {name} session: {difference}, {}\n", comparison.verdict.name())
        });
        let differences = lines[..self.sessions.min(2)].concat();
        format!("{}: {}\n{differences}", self.verdict().name(), self.conclusion(threshold))
    }
}
