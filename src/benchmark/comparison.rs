//! Comparison of two programs by the medians of their runs.

use super::{LogRatio, RunMedian, TestResult, Threshold, Verdict, rank_sum, sign_flip};

/// How program B compares with program A.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Number of pairs. For saved results, the number of runs of the smaller one; for a baseline, the number
    /// of its sessions.
    pub pairs: usize,
    /// Estimated difference: where clipped differences balance; for saved results, the median; for a
    /// baseline, that of two sessions. `None` without pairs.
    pub estimate: Option<LogRatio>,
    /// Result of the significance test; `None` for too few pairs.
    pub test: Option<TestResult>,
    /// Conclusion from estimate, test and threshold.
    pub verdict: Verdict,
}

impl Comparison {
    /// Compares two programs by pairs of runs (A, B).
    ///
    /// The two runs of a pair follow each other, in the order A B, B A, A B and so on. Drift of the
    /// machine from pair to pair cancels.
    pub fn of_pairs(pairs: &[(RunMedian, RunMedian)], threshold: Threshold) -> Self {
        let differences: Vec<_> = pairs.iter().map(|&(a, b)| LogRatio::between(a, b)).collect();
        let estimate = sign_flip::estimate(&differences);
        let test = estimate.and_then(|estimate| sign_flip::test(&differences, estimate));
        Self::new(pairs.len(), estimate, test, threshold)
    }

    /// Compares the runs of two results that were measured at different times.
    ///
    /// This is advisory: a change of the machine in between counts as a difference of the programs. The
    /// estimate is the median over all differences between a run of B and a run of A (Hodges and
    /// Lehmann 1963). For `a` and `b` runs, the estimate is `O(a b log (a b))` and the test
    /// `O(a b min(a, b))`.
    pub fn of_saved(a: &[RunMedian], b: &[RunMedian], threshold: Threshold) -> Self {
        let from = |&a: &RunMedian| b.iter().map(move |&b| LogRatio::between(a, b));
        let differences: Vec<_> = a.iter().flat_map(from).collect();
        let estimate = LogRatio::median(differences.iter().copied());
        let test = rank_sum::test(differences, a.len(), b.len());
        Self::new(a.len().min(b.len()), estimate, test, threshold)
    }

    pub(super) fn new(
        pairs: usize,
        estimate: Option<LogRatio>,
        test: Option<TestResult>,
        threshold: Threshold,
    ) -> Self {
        let verdict = match (estimate, test) {
            (Some(estimate), Some(test)) => Verdict::of(pairs, estimate, test, threshold),
            _ => Verdict::TooFewPairs,
        };
        Self { pairs, estimate, test, verdict }
    }
}

/// Returns the noise floor of a machine from pairs of runs of the same binary, as a relative difference
/// (0.01 is 1 %). `None` for fewer than six pairs.
///
/// Smaller differences cannot be told from zero with that many pairs: it is the end of the 95 % interval
/// farther from 0.
pub fn noise_floor(pairs: &[(RunMedian, RunMedian)]) -> Option<f64> {
    let TestResult { low, high, .. } = Comparison::of_pairs(pairs, Threshold::default()).test?;
    Some(LogRatio(high.0.max(-low.0)).change())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::TestMethod;

    fn runs<const N: usize>(milliseconds: [f64; N]) -> [RunMedian; N] {
        milliseconds.map(|time| RunMedian::new(time * 1e6).unwrap())
    }

    /// Runs of 5 ms with a few tenths of a percent of noise.
    fn baseline() -> [RunMedian; 8] {
        runs([5.0, 5.01, 4.99, 5.005, 5.0, 4.995, 5.015, 5.0])
    }

    fn scaled(by: f64) -> [RunMedian; 8] {
        runs([5.005, 5.0, 5.0, 4.99, 5.01, 5.0, 4.995, 5.005].map(|time| time * by))
    }

    fn pairs(by: f64) -> Vec<(RunMedian, RunMedian)> {
        baseline().into_iter().zip(scaled(by)).collect()
    }

    #[test]
    fn pairs_get_the_verdict_of_their_true_difference() {
        let verdict = |by: f64| Comparison::of_pairs(&pairs(by), Threshold::default()).verdict;
        assert_eq!(verdict(1.03), Verdict::Regression);
        assert_eq!(verdict(0.97), Verdict::Improvement);
        assert_eq!(verdict(1.0), Verdict::Equivalent);
        // One difference in seven has the other sign.
        let mut mixed = pairs(1.03)[..7].to_vec();
        mixed[2] = (mixed[2].1, mixed[2].0);
        let mixed = Comparison::of_pairs(&mixed, Threshold::default()).verdict;
        assert!(matches!(mixed, Verdict::Inconclusive { pairs_needed: Some(8..) }), "{mixed:?}");
    }

    #[test]
    fn saved_results_get_advisory_verdicts() {
        let compared =
            |by: f64| Comparison::of_saved(&baseline(), &scaled(by), Threshold::default());
        assert_eq!(compared(1.03).verdict, Verdict::Regression);
        assert_eq!(compared(0.97).verdict, Verdict::Improvement);
        assert_eq!(compared(1.0).verdict, Verdict::Equivalent);
        assert!(compared(1.0).test.unwrap().method.is_advisory());
        assert!(!TestMethod::SignFlip.is_advisory());
    }

    #[test]
    fn fewer_than_six_pairs_get_an_estimate_but_no_verdict() {
        let few = Comparison::of_pairs(&pairs(1.03)[..5], Threshold::default());
        assert_eq!((few.pairs, few.test, few.verdict), (5, None, Verdict::TooFewPairs));
        assert!((few.estimate.unwrap().change() - 0.03).abs() < 0.005);
        let none = Comparison::of_pairs(&[], Threshold::default());
        assert_eq!((none.estimate, none.verdict), (None, Verdict::TooFewPairs));
        let few = Comparison::of_saved(&baseline()[..3], &scaled(1.03)[..3], Threshold::default());
        assert_eq!((few.pairs, few.test, few.verdict), (3, None, Verdict::TooFewPairs));
        let enough =
            Comparison::of_saved(&baseline()[..5], &scaled(1.03)[..5], Threshold::default());
        assert_eq!((enough.pairs, enough.verdict), (5, Verdict::Regression));
        let none = Comparison::of_saved(&[], &baseline(), Threshold::default());
        assert_eq!((none.estimate, none.verdict), (None, Verdict::TooFewPairs));
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
    }
}
