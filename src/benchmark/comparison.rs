//! Comparison: two programs, by the medians of their runs.

use super::{LogRatio, RunMedian, TestResult, Threshold, Verdict, rank_sum, sign_flip_test};

/// How program B compares with program A.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// How many pairs there are; of saved results, how many runs of the program that has fewer.
    pub pairs: usize,
    /// Median difference; none without a pair.
    pub estimate: Option<LogRatio>,
    /// What the test says; none of too few pairs.
    pub test: Option<TestResult>,
    /// What may be said.
    pub verdict: Verdict,
}

impl Comparison {
    /// Compares two programs by pairs of runs (A, B), one of each program, that were run next to
    /// each other, each in a process of its own, in the order A B, B A, A B and so on: what drifts
    /// from pair to pair cancels.
    #[must_use]
    pub fn of_pairs(pairs: &[(RunMedian, RunMedian)], threshold: Threshold) -> Self {
        let differences: Vec<_> = pairs.iter().map(|&(a, b)| LogRatio::between(a, b)).collect();
        let enough = pairs.len() >= Verdict::FEWEST_PAIRS;
        let test = sign_flip_test::test(&differences).filter(|_| enough);
        Self::new(pairs.len(), LogRatio::median(differences), test, threshold)
    }

    /// Compares the runs of two results that were measured apart. This is sequential and advisory:
    /// what changed on the machine in between is taken for a difference of the programs, and on
    /// another machine it says nothing. The estimate is the median difference of any run of B from
    /// any of A (Hodges and Lehmann 1963). `O(a b log (a b))` for a and b runs, and the test
    /// `O(a b min(a, b))`.
    #[must_use]
    pub fn of_saved(a: &[RunMedian], b: &[RunMedian], threshold: Threshold) -> Self {
        let from = |&a: &RunMedian| b.iter().map(move |&b| LogRatio::between(a, b));
        let differences: Vec<_> = a.iter().flat_map(from).collect();
        let estimate = LogRatio::median(differences.iter().copied());
        let test = rank_sum::test(differences, a.len(), b.len());
        Self::new(a.len().min(b.len()), estimate, test, threshold)
    }

    fn new(
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

/// The noise floor of a machine, from the runs of one program compared with itself: the median
/// difference that so many pairs could not tell from none, as a share (0.01 is 1 %). None of fewer
/// than twelve runs.
///
/// The runs are taken, in the order in which they were run, as pairs A B, B A, A B and so on; one
/// that is left over is not used. The floor is the end of the 95 % interval that is farther from 0.
#[must_use]
pub fn noise_floor(runs: &[RunMedian]) -> Option<f64> {
    let (pairs, _) = runs.as_chunks();
    let in_turn = pairs.iter().enumerate().map(|(number, &[first, second])| {
        if number % 2 == 0 { (first, second) } else { (second, first) }
    });
    let pairs: Vec<_> = in_turn.collect();
    let TestResult { low, high, .. } = Comparison::of_pairs(&pairs, Threshold::default()).test?;
    Some(LogRatio(high.0.max(-low.0)).change())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::TestMethod;

    fn runs<const N: usize>(milliseconds: [f64; N]) -> [RunMedian; N] {
        milliseconds.map(|time| RunMedian::new(time * 1e6).unwrap())
    }

    /// Runs of 5 ms, with noise of a few tenths of a per cent.
    fn usual() -> [RunMedian; 8] {
        runs([5.0, 5.01, 4.99, 5.005, 5.0, 4.995, 5.015, 5.0])
    }

    fn slower(by: f64) -> [RunMedian; 8] {
        runs([5.005, 5.0, 5.0, 4.99, 5.01, 5.0, 4.995, 5.005].map(|time| time * by))
    }

    fn pairs(by: f64) -> Vec<(RunMedian, RunMedian)> {
        usual().into_iter().zip(slower(by)).collect()
    }

    #[test]
    fn pairs_are_judged() {
        let judged = |by: f64| Comparison::of_pairs(&pairs(by), Threshold::default()).verdict;
        assert_eq!(judged(1.03), Verdict::Regression);
        assert_eq!(judged(0.97), Verdict::Improvement);
        assert_eq!(judged(1.0), Verdict::Equivalent);
        // One of seven the other way.
        let mut unsure = pairs(1.03)[..7].to_vec();
        unsure[2] = (unsure[2].1, unsure[2].0);
        let unsure = Comparison::of_pairs(&unsure, Threshold::default()).verdict;
        assert!(matches!(unsure, Verdict::Inconclusive { pairs_needed: Some(8..) }), "{unsure:?}");
    }

    #[test]
    fn saved_results_are_judged_as_advice() {
        let compared = |by: f64| Comparison::of_saved(&usual(), &slower(by), Threshold::default());
        assert_eq!(compared(1.03).verdict, Verdict::Regression);
        assert_eq!(compared(0.97).verdict, Verdict::Improvement);
        assert_eq!(compared(1.0).verdict, Verdict::Equivalent);
        assert!(compared(1.0).test.unwrap().method.is_advisory());
        assert!(!TestMethod::SignFlip.is_advisory());
    }

    #[test]
    fn fewer_than_six_get_no_verdict_but_an_estimate() {
        let few = Comparison::of_pairs(&pairs(1.03)[..5], Threshold::default());
        assert_eq!((few.pairs, few.test, few.verdict), (5, None, Verdict::TooFewPairs));
        assert!((few.estimate.unwrap().change() - 0.03).abs() < 0.005);
        let none = Comparison::of_pairs(&[], Threshold::default());
        assert_eq!((none.estimate, none.verdict), (None, Verdict::TooFewPairs));
        let few = Comparison::of_saved(&usual()[..3], &slower(1.03)[..3], Threshold::default());
        assert_eq!((few.pairs, few.test, few.verdict), (3, None, Verdict::TooFewPairs));
        let enough = Comparison::of_saved(&usual()[..5], &slower(1.03)[..5], Threshold::default());
        assert_eq!((enough.pairs, enough.verdict), (5, Verdict::Regression));
        let none = Comparison::of_saved(&[], &usual(), Threshold::default());
        assert_eq!((none.estimate, none.verdict), (None, Verdict::TooFewPairs));
    }

    #[test]
    fn the_noise_floor_is_what_cannot_be_told_from_nothing() {
        // Pairs of 5 and 5.05 ms, so each is 1 % up or, the other way round, down.
        let turns = [5.0, 5.05, 5.0, 5.05, 5.0, 5.05, 5.0, 5.05, 5.0, 5.05, 5.0, 5.05, 9.0];
        let floor = noise_floor(&runs(turns)).unwrap();
        assert!((floor - 0.01).abs() < 1e-9, "{floor}");
        assert_eq!(noise_floor(&runs([5.0; 12])), Some(0.0));
        assert_eq!(noise_floor(&runs([5.0; 11])), None);
    }
}
