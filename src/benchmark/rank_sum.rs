//! Rank-sum test of two unpaired samples (Mann-Whitney U).

use super::verdict::LEVEL;
use super::{LogRatio, TestMethod, TestResult};

/// Tests whether B differs from A, given the sorted differences (log ratios) of each of `b` runs from
/// each of `a` runs.
/// `None` for too few runs to reach p <= 0.05.
///
/// Exact test of Mann and Whitney, "On a Test of Whether One of Two Random Variables Is Stochastically
/// Larger than the Other", 1947. Ties count in favour of equality. The interval is that of Moses: order
/// statistics of the differences.
pub(super) fn test(differences: &[f64], a: usize, b: usize) -> Option<TestResult> {
    let tails = tails(a, b);
    let beyond = tails.iter().take_while(|&&tail| 2.0 * tail <= LEVEL).count().checked_sub(1)?;
    let not_above = differences.iter().filter(|ratio| **ratio <= 0.0).count();
    let not_below = differences.iter().filter(|ratio| **ratio >= 0.0).count();
    let p = 2.0 * tails[not_above.min(not_below)];
    Some(TestResult {
        p: p.min(1.0),
        low: LogRatio(differences[beyond]),
        high: LogRatio(differences[differences.len() - 1 - beyond]),
        method: TestMethod::RankSum,
    })
}

/// Returns the cumulative null distribution: for each k, the probability that at most k of the `a b`
/// differences are below 0. `O(a b min(a, b))`.
fn tails(a: usize, b: usize) -> Vec<f64> {
    let (few, many) = (a.min(b), a.max(b));
    // Probabilities of exactly k: coefficients of the product over i of
    // (1 - x^(many + i)) / (1 - x^i) i / (many + i).
    let mut chances = vec![0.0; a * b + 1];
    chances[0] = 1.0;
    for i in 1..=few {
        for number in (many + i..chances.len()).rev() {
            chances[number] -= chances[number - many - i];
        }
        for number in i..chances.len() {
            chances[number] += chances[number - i];
        }
        for chance in &mut chances {
            *chance *= i as f64 / (many + i) as f64;
        }
    }
    let mut sum = 0.0;
    for chance in &mut chances {
        sum += *chance;
        *chance = sum;
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(a: &[f64], b: &[f64]) -> Option<TestResult> {
        let mut differences: Vec<_> = a.iter().flat_map(|a| b.iter().map(move |b| b - a)).collect();
        differences.sort_unstable_by(f64::total_cmp);
        test(&differences, a.len(), b.len())
    }

    #[test]
    fn separated_samples_differ() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0], [11.0, 12.0, 13.0, 14.0]);
        let evidence = tested(&a, &b).unwrap();
        // All 16 differences are above 0: 2 of 70 orders. They reach from 7 to 13.
        assert!((evidence.p - 2.0 / 70.0).abs() < 1e-15);
        assert_eq!((evidence.low.0, evidence.high.0), (7.0, 13.0));
        assert_eq!((tested(&a[1..], &b), tested(&[], &b), tested(&[], &[])), (None, None, None));
        assert_eq!(tested(&[1.0; 6], &[1.0; 6]).unwrap().p, 1.0);
    }
}
