//! Sign-flip test of clipped differences: an exact permutation test of pairs, for machines that disturb
//! some of the runs.

use super::verdict::LEVEL;
use super::{LogRatio, TestResult, Verdict, quantile};

/// Differences are clipped at this multiple of their median distance from 0. The plain sum is swamped by
/// one disturbed run, so that more pairs find less.
const CLIP: f64 = 1.5;

/// Clipped differences are rounded to this many levels: the sums of all sign flips are then counted
/// instead of tried, for any number of pairs.
const LEVELS: f64 = 100.0;

/// Estimate and interval are exact to this log ratio, a hundred-thousandth of a percent.
const PRECISION: f64 = 1e-7;

/// Returns the difference (log ratio) around which the clipped differences balance. `None` without pairs.
pub(super) fn estimate(differences: &[f64]) -> Option<f64> {
    let [mut low, mut high] = quantile::range(differences)?;
    // The estimate is on the same side of 0 as the sum that is tested.
    match Clipped::around(0.0, differences).sum {
        0 => return Some(0.0),
        1.. => low = low.max(0.0),
        _ => high = high.min(0.0),
    }
    while high - low > PRECISION {
        let middle = f64::midpoint(low, high);
        match Clipped::around(middle, differences).sum {
            0 => return Some(middle),
            1.. => low = middle,
            _ => high = middle,
        }
    }
    Some(f64::midpoint(low, high))
}

/// Tests whether paired differences, with their [estimate], are centered on 0. `None` for fewer than six pairs, which
/// cannot reach p <= 0.05.
///
/// If A and B are equal, both signs of a difference are equally likely (Fisher, *The Design of
/// Experiments*, 1935). p is the share of all sign flips whose sum of clipped differences is at least as
/// far from 0. The bound depends on the distances from 0 only, so clipping leaves the test exact. The
/// interval ends where the same test begins to reject a center.
pub(super) fn test(differences: &[f64], estimate: f64) -> Option<TestResult> {
    if differences.len() < Verdict::FEWEST_PAIRS {
        return None;
    }
    let p = Clipped::around(0.0, differences).p();
    let mirrored: Vec<_> = differences.iter().map(|difference| -difference).collect();
    Some(TestResult {
        p,
        low: LogRatio(-upper_end(&mirrored, -estimate, p)),
        high: LogRatio(upper_end(differences, estimate, p)),
        pairs: Some(differences.len()),
    })
}

/// Returns the upper end of the interval. It agrees with p about 0.
fn upper_end(differences: &[f64], estimate: f64, p_of_zero: f64) -> f64 {
    let Some([low, high]) = quantile::range(differences).filter(|[low, high]| low < high) else {
        return estimate;
    };
    // So far out that all differences have the same sign and none is rounded to 0.
    let (mut inside, mut outside) = (estimate, high + (high - low));
    if estimate < 0.0 && p_of_zero <= LEVEL {
        outside = 0.0;
    } else if p_of_zero > LEVEL {
        inside = inside.max(0.0);
    }
    while outside - inside > PRECISION {
        let middle = f64::midpoint(inside, outside);
        if Clipped::around(middle, differences).p() > LEVEL {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// Clipped differences from a center, in levels.
struct Clipped {
    sizes: Vec<usize>,
    sum: i64,
}

impl Clipped {
    fn around(center: f64, differences: &[f64]) -> Self {
        let distances = differences.iter().map(|difference| (difference - center).abs());
        let bound = CLIP * quantile::median(&mut distances.collect::<Vec<_>>()).unwrap_or(0.0);
        // If most differences are 0, so are all clipped ones.
        let per_level = if bound > 0.0 { LEVELS / bound } else { 0.0 };
        let (mut sizes, mut sum) = (Vec::with_capacity(differences.len()), 0);
        for difference in differences {
            let difference = difference - center;
            let level = (difference * per_level).clamp(-LEVELS, LEVELS).round() as i64;
            sum += level;
            sizes.push(level.unsigned_abs() as usize);
        }
        Self { sizes, sum }
    }

    /// Returns the share of all sign flips whose sum is at least as far from 0.
    fn p(&self) -> f64 {
        let total: usize = self.sizes.iter().sum();
        // The share of the sign flips in which the negative sizes add up to each sum.
        let (mut shares, mut next) = (vec![0.0; total + 1], vec![0.0; total + 1]);
        shares[0] = 1.0;
        let mut reached = 0;
        for &size in &self.sizes {
            reached += size;
            let (below, rest) = next[..=reached].split_at_mut(size);
            for (next, share) in below.iter_mut().zip(&shares) {
                *next = share / 2.0;
            }
            for ((next, positive), negative) in rest.iter_mut().zip(&shares[size..]).zip(&shares) {
                *next = (positive + negative) / 2.0;
            }
            std::mem::swap(&mut shares, &mut next);
        }
        let beyond = (total - self.sum.unsigned_abs() as usize) / 2;
        let tail: f64 = shares[..=beyond].iter().sum();
        (2.0 * tail).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(differences: &[f64]) -> TestResult {
        test(differences, estimate(differences).unwrap()).unwrap()
    }

    #[test]
    fn equal_differences_have_an_interval_of_one_point() {
        let same = tested(&[0.0; 8]);
        assert_eq!((same.p, same.low.0, same.high.0), (1.0, 0.0, 0.0));
        let shifted = tested(&[0.02; 8]);
        assert_eq!(shifted.p, 2.0 / 256.0);
        assert!((shifted.low.0 - 0.02).abs() < 1e-6 && (shifted.high.0 - 0.02).abs() < 1e-6);
    }

    #[test]
    fn many_pairs_are_tested_exactly() {
        // A sum of 100 equal distances, 60 of them positive: the binomial distribution, twice the tail
        // from 60 of 100 on, 0.0568879...
        let differences: Vec<_> = (0..100).map(|it| if it < 60 { 0.01 } else { -0.01 }).collect();
        let p = tested(&differences).p;
        assert!((p - 0.056_887_933_640_980_75).abs() < 1e-12, "{p}");
    }
}
