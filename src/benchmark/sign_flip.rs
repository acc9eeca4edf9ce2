//! Sign-flip test: an exact permutation test of paired differences.

use super::significance::LEVEL;
use super::{LogRatio, TestMethod, TestResult};

/// Largest number of pairs for which all sign flips are tried (a million).
const MOST_EXACT: usize = 20;

/// Random sign flips for more pairs.
const SAMPLES: usize = 99_999;

/// One in this many sign flips lies beyond each end of the interval.
const TAIL: usize = 40;
const _: () = assert!(LEVEL * TAIL as f64 == 2.0);

/// Tests whether paired differences are centred on 0. `None` for fewer than six pairs, which cannot reach
/// p <= 0.05.
///
/// If A and B are equal, both signs of a difference are equally likely (Fisher, *The Design of
/// Experiments*, 1935). p is the share of all sign assignments whose sum is at least as far from 0. The
/// interval holds all centres the test does not reject: its ends are order statistics of the means of all
/// subsets (Hartigan, "Using Subsample Values as Typical Values", 1969). Random subsets work too.
pub(super) fn test(differences: &[LogRatio]) -> Option<TestResult> {
    // Integer steps have exact sums.
    let steps: Vec<_> =
        differences.iter().map(|ratio| (ratio.0 * LogRatio::STEPS) as i64).collect();
    let (mut means, method) = if steps.len() <= MOST_EXACT {
        (all_means(&steps), TestMethod::SignFlip)
    } else {
        (sampled_means(&steps), TestMethod::SampledSignFlip(SAMPLES))
    };
    // Including the empty subset.
    let choices = means.len() + 1;
    let beyond = (choices / TAIL).checked_sub(1)?;
    let not_above = means.iter().filter(|&&mean| mean <= 0.0).count();
    let not_below = means.iter().filter(|&&mean| mean >= 0.0).count();
    let p = 2.0 * (1 + not_above.min(not_below)) as f64 / choices as f64;
    let from_end = means.len() - 1 - beyond;
    let low = *means.select_nth_unstable_by(beyond, f64::total_cmp).1;
    let high = *means.select_nth_unstable_by(from_end, f64::total_cmp).1;
    let [low, high] = [low, high].map(|mean| LogRatio(mean / LogRatio::STEPS));
    Some(TestResult { p: p.min(1.0), low, high, method })
}

/// Returns the means of all non-empty subsets, in Gray code order: consecutive subsets differ in one
/// element.
fn all_means(steps: &[i64]) -> Vec<f64> {
    let (mut sum, mut len) = (0, 0);
    let mut inside = [false; MOST_EXACT];
    let mean = |number: u32| {
        let changed = number.trailing_zeros() as usize;
        inside[changed] = !inside[changed];
        (sum, len) = if inside[changed] {
            (sum + steps[changed], len + 1)
        } else {
            (sum - steps[changed], len - 1)
        };
        sum as f64 / f64::from(len)
    };
    (1..1 << steps.len()).map(mean).collect()
}

/// Returns the means of random non-empty subsets; each element has probability one half.
fn sampled_means(steps: &[i64]) -> Vec<f64> {
    let mut random = SplitMix(steps.len() as u64);
    let mut means = Vec::with_capacity(SAMPLES);
    while means.len() < SAMPLES {
        let (mut sum, mut len) = (0, 0);
        for chunk in steps.chunks(64) {
            let bits = random.next();
            for (number, step) in chunk.iter().enumerate() {
                if bits >> number & 1 == 1 {
                    sum += step;
                    len += 1;
                }
            }
        }
        if len > 0 {
            means.push(sum as f64 / f64::from(len));
        }
    }
    means
}

/// Random number generator (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts steps to differences.
    fn differences(steps: &[i64]) -> Vec<LogRatio> {
        steps.iter().map(|&step| LogRatio(step as f64 / LogRatio::STEPS)).collect()
    }

    fn tested(steps: &[i64]) -> TestResult {
        test(&differences(steps)).unwrap()
    }

    /// Direct implementation of the definition.
    fn naive_p(steps: &[i64]) -> f64 {
        let sum_with = |signs: u32| -> i64 {
            let signed = steps.iter().enumerate();
            signed.map(|(i, &step)| if signs >> i & 1 == 1 { -step } else { step }).sum()
        };
        let all = 1 << steps.len();
        let extreme = (0..all).filter(|&signs| sum_with(signs).abs() >= sum_with(0).abs());
        extreme.count() as f64 / f64::from(all)
    }

    #[test]
    fn six_pairs_of_equal_sign_give_the_smallest_p_and_five_none() {
        let evidence = tested(&[10, 20, 30, 40, 50, 60]);
        assert_eq!((evidence.p, evidence.method), (2.0 / 64.0, TestMethod::SignFlip));
        let ends = [evidence.low, evidence.high].map(|end| end.0 * LogRatio::STEPS);
        assert_eq!(ends, [10.0, 60.0]);
        assert_eq!(test(&differences(&[10, 20, 30, 40, 50])), None);
        assert_eq!(test(&[]), None);
    }

    #[test]
    fn p_matches_the_definition() {
        for steps in [
            [10, 20, 30, -5, 50, 60, 7].as_slice(),
            &[10, -10, 10, -10, 10, -10],
            &[3, 3, 3, 3, 3, 3, 3, -3],
            &[0, 0, 0, 0, 0, 0],
            &[-4, -9, -1, -7, 2, -8, -3, -5, -6],
        ] {
            assert_eq!(tested(steps).p, naive_p(steps), "{steps:?}");
        }
    }

    #[test]
    fn the_interval_holds_the_centres_the_test_does_not_reject() {
        let steps = [310, 205, -40, 120, 333, 90, 150, 77];
        let evidence = tested(&steps);
        let (low, high) = (evidence.low.0 * LogRatio::STEPS, evidence.high.0 * LogRatio::STEPS);
        for centre in -100..400 {
            let moved = steps.map(|step| step - centre);
            let inside = low <= centre as f64 && centre as f64 <= high;
            assert_eq!(inside, naive_p(&moved) > LEVEL, "{centre}: {low} {high}");
        }
    }

    #[test]
    fn sampled_p_and_interval_are_close_to_the_exact_ones() {
        // 20 pairs are tried exactly; one more difference of 0 does not change p.
        let mut steps: Vec<i64> = (0..20).map(|number| number * number % 47 * 10 - 100).collect();
        let exact = tested(&steps);
        steps.push(0);
        let sampled = tested(&steps);
        assert_eq!(sampled.method, TestMethod::SampledSignFlip(SAMPLES));
        assert!((sampled.p - exact.p).abs() < 0.005, "{} {}", sampled.p, exact.p);
        let width = exact.high.0 - exact.low.0;
        assert!((sampled.low.0 - exact.low.0).abs() < 0.1 * width);
        assert!((sampled.high.0 - exact.high.0).abs() < 0.1 * width);
        assert_eq!(tested(&steps), sampled);
        // More pairs than bits in a random word.
        assert!(tested(&[5; 100]).p < 1e-4);
    }
}
