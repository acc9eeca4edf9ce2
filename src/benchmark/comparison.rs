//! Comparison of two programs by the medians of their runs.

use serde_json::{Value, json};

use super::verdict::MAX_PAIRS;
use super::{LogRatio, RunMedian, TestResult, Threshold, Verdict, sign_flip};
use crate::units;

/// How program B compares with program A.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Estimated difference: where clipped differences balance; for a baseline, that of two sessions. `None`
    /// without pairs.
    pub estimate: Option<LogRatio>,
    /// Result of the significance test; `None` for too few pairs.
    pub test: Option<TestResult>,
    /// Smallest difference that matters.
    pub threshold: Threshold,
    /// Conclusion from estimate, test and threshold.
    pub verdict: Verdict,
}

impl Comparison {
    /// Compares two programs by pairs of runs (A, B).
    ///
    /// The two runs of a pair follow each other, in the order A B, B A, A B and so on. Drift of the
    /// machine from pair to pair cancels.
    pub fn of_pairs(pairs: &[(RunMedian, RunMedian)], threshold: Threshold) -> Self {
        let differences: Vec<_> = pairs.iter().map(|&(a, b)| LogRatio::between(a, b).0).collect();
        let estimate = sign_flip::estimate(&differences);
        let test = estimate.and_then(|estimate| sign_flip::test(&differences, estimate));
        let estimate = estimate.map(LogRatio);
        let decided = estimate.zip(test).map(|(it, test)| Verdict::of(it, test, threshold));
        Self { estimate, test, threshold, verdict: decided.unwrap_or(Verdict::TooFewPairs) }
    }

    /// Returns the reason for the verdict, as a sentence.
    pub fn conclusion(&self) -> String {
        let percent = self.threshold.percent();
        match self.verdict {
            Verdict::Regression => {
                format!("B is slower than A; the estimate is above {percent} %.")
            }
            Verdict::Improvement => {
                format!(
                    "B is faster than A; by the estimate, A takes more than {percent} % longer."
                )
            }
            Verdict::Equivalent => {
                format!("The median frame times of A and B differ by less than {percent} %.")
            }
            Verdict::Inconclusive { pairs_needed } => {
                let is_of_sessions = self.test.is_some_and(|test| test.pairs.is_none());
                let finding = match self.direction() {
                    Some(direction) => {
                        format!("B is {direction} than A, but perhaps by less than {percent} %")
                    }
                    None if is_of_sessions => {
                        "Too much noise for a difference of this size".to_owned()
                    }
                    None => "Too much noise".to_owned(),
                };
                let advice = match pairs_needed {
                    Some(needed) => format!("; about {needed} pairs may be enough"),
                    None if is_of_sessions => String::new(),
                    None => format!(
                        "; more than {} pairs may be needed: close other programs, or use another --threshold",
                        units::count(MAX_PAIRS)
                    ),
                };
                format!("{finding}{advice}.")
            }
            Verdict::TooFewPairs => {
                format!("At least {} pairs are needed.", Verdict::FEWEST_PAIRS)
            }
        }
    }

    /// Returns whether B is certainly slower or faster than A, by however little: the interval excludes 0.
    pub(super) fn direction(&self) -> Option<&'static str> {
        let TestResult { low, high, .. } = self.test?;
        let certain = [(low.0 > 0.0, "slower"), (high.0 < 0.0, "faster")];
        certain.into_iter().find_map(|(is_so, direction)| is_so.then_some(direction))
    }

    /// Returns the estimated change and, if there were enough runs for a test, its interval and p:
    /// `Median frame time of B vs A: +1.25 % (95 % interval +0.50 % to +2.00 %, p = 0.0020).`
    pub fn effect(&self) -> Option<String> {
        Some(format!("Median frame time of B vs A: {}.", self.change()?))
    }

    /// Returns the change with its interval and p. `None` without an estimate.
    pub(super) fn change(&self) -> Option<String> {
        let estimate = units::change(self.estimate?.change());
        let Some(test) = self.test else { return Some(estimate) };
        let [low, high] = [test.low, test.high].map(|end| units::change(end.change()));
        // No difference is impossible by chance.
        let p = if test.p < 0.0001 { "< 0.0001".to_owned() } else { format!("= {:.4}", test.p) };
        Some(format!("{estimate} (95 % interval {low} to {high}, p {p})"))
    }

    /// Returns verdict, conclusion and effect, each sentence on a line of its own.
    pub fn text(&self) -> String {
        let effect = self.effect().map(|effect| effect + "\n").unwrap_or_default();
        format!("{}: {}\n{effect}", self.verdict.name(), self.conclusion())
    }

    /// Returns what is written to JSON. Changes are fractions: 0.01 is 1 % slower.
    pub fn record(&self) -> Value {
        json!({
            "verdict": self.verdict.name(),
            "conclusion": self.conclusion(),
            "change": self.estimate.map(LogRatio::change),
            "interval": self.test.map(|test| [test.low.change(), test.high.change()]),
            "p": self.test.map(|test| test.p),
            "threshold": self.threshold.share(),
        })
    }
}

/// Returns the noise floor of a machine from pairs of runs of the same binary, as a relative difference
/// (0.01 is 1 %). `None` for fewer than six pairs.
///
/// Smaller differences often cannot be told from zero with that many pairs: it is the end of the 95 % interval
/// farther from 0.
pub fn noise_floor(pairs: &[(RunMedian, RunMedian)]) -> Option<f64> {
    let TestResult { low, high, .. } = Comparison::of_pairs(pairs, Threshold::default()).test?;
    Some(LogRatio(high.0.max(-low.0)).change())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs<const N: usize>(milliseconds: [f64; N]) -> [RunMedian; N] {
        milliseconds.map(|time| RunMedian::new(time * 1e6).unwrap())
    }

    #[test]
    fn too_few_runs_get_an_estimate_but_no_verdict() {
        let a = runs([5.0, 5.01, 4.99, 5.005, 5.0, 4.995]);
        let b = runs([5.155, 5.15, 5.15, 5.14, 5.16, 5.15]);
        let of_pairs = |n: usize| {
            let pairs: Vec<_> = a.into_iter().zip(b).take(n).collect();
            Comparison::of_pairs(&pairs, Threshold::default())
        };
        let few = of_pairs(5);
        assert_eq!((few.test, few.verdict), (None, Verdict::TooFewPairs));
        assert!((few.estimate.unwrap().change() - 0.03).abs() < 0.005, "{few:?}");
        let none = of_pairs(0);
        assert_eq!((none.estimate, none.verdict), (None, Verdict::TooFewPairs));
        assert_eq!(of_pairs(6).verdict, Verdict::Regression);
    }

    #[test]
    fn conclusions_say_what_the_threshold_is_compared_with() {
        let conclusion = |a: f64, b: f64| {
            let pairs = vec![runs([a, b]).into(); 6];
            Comparison::of_pairs(&pairs, Threshold::default()).conclusion()
        };
        assert_eq!(conclusion(5.0, 5.5), "B is slower than A; the estimate is above 2 %.");
        let faster = "B is faster than A; by the estimate, A takes more than 2 % longer.";
        assert_eq!(conclusion(5.5, 5.0), faster);
        assert_eq!(
            conclusion(5.0, 5.0),
            "The median frame times of A and B differ by less than 2 %."
        );
        let pairs = [5.04, 5.06, 5.08, 5.10, 5.12, 5.14].map(|b| runs([5.0, b]).into());
        let comparison = Comparison::of_pairs(&pairs, Threshold::default());
        let slightly = "B is slower than A, but perhaps by less than 2 %; ";
        assert!(comparison.conclusion().starts_with(slightly), "{comparison:?}");
    }

    #[test]
    fn p_is_never_zero() {
        let pairs: Vec<_> =
            (1..=20).map(|i| runs([5.0, 5.1 + 0.001 * f64::from(i)]).into()).collect();
        let effect = Comparison::of_pairs(&pairs, Threshold::default()).effect().unwrap();
        assert!(effect.ends_with("p < 0.0001)."), "{effect}");
    }

    #[test]
    fn noise_floor_is_the_wider_end_of_the_interval() {
        let pair = |[a, b]: [f64; 2]| runs([a, b]).into();
        let alternating = [[5.0, 5.05], [5.05, 5.0]].map(pair).repeat(3);
        let floor = noise_floor(&alternating).unwrap();
        assert!((floor - 0.01).abs() < 1e-4, "{floor}");
        let equal = vec![pair([5.0, 5.0]); 6];
        assert_eq!(noise_floor(&equal), Some(0.0));
        assert_eq!(noise_floor(&equal[1..]), None);
        let floor = |a: f64, b: f64| noise_floor(&[pair([a, b]); 6]).unwrap();
        for found in [floor(5.0, 5.1), floor(5.1, 5.0)] {
            assert!((found - 0.02).abs() < 1e-6, "{found}");
        }
    }

    #[test]
    fn p_has_four_decimals_down_to_a_ten_thousandth() {
        let p = |pairs: usize| {
            let pairs = vec![runs([5.0, 5.5]).into(); pairs];
            Comparison::of_pairs(&pairs, Threshold::default()).change().unwrap()
        };
        // 2 / 2^12 and 2 / 2^15.
        assert!(p(12).ends_with(", p = 0.0005)"), "{}", p(12));
        assert!(p(15).ends_with(", p < 0.0001)"), "{}", p(15));
    }
}
