//! Quantiles and other statistics of frame times in any order.

use std::fmt;

/// Minimum number of frames beyond a percentile. With fewer, it depends on a few frames.
pub(super) const MIN_TAIL: usize = 10;

/// Frame times in ascending order, in ns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortedTimes(Vec<u64>);

impl SortedTimes {
    /// Sorts frame times in ns. `O(n log n)`.
    pub fn of(frames: &[u64]) -> Self {
        let mut times = frames.to_vec();
        times.sort_unstable();
        Self(times)
    }

    /// Returns the times in ascending order, in ns.
    pub fn times(&self) -> &[u64] {
        &self.0
    }

    /// Returns the quantile at `per_mille` / 1000, from 0 (fastest) to 1000 (slowest), in ns. `None`
    /// without frames. Values above 1000 give the slowest.
    ///
    /// Interpolates linearly between the two nearest times: definition 7 of Hyndman and Fan, "Sample
    /// Quantiles in Statistical Packages", 1996, the default of R and `NumPy`.
    pub fn quantile(&self, per_mille: usize) -> Option<f64> {
        quantile(&self.0, per_mille)
    }

    /// Returns the median in ns.
    pub fn median(&self) -> Option<f64> {
        self.quantile(500)
    }

    /// Returns the slowest times, one in `one_in`, rounded up, in ascending order.
    pub(super) fn slowest(&self, one_in: usize) -> &[u64] {
        &self.0[self.0.len() - self.0.len().div_ceil(one_in)..]
    }

    /// Returns the mean in ns.
    pub fn mean(&self) -> Option<f64> {
        mean(&self.0)
    }

    /// Returns the standard deviation of a sample (denominator n - 1), in ns. `None` for fewer than two
    /// frames.
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.0.len() > 1)?;
        let squares: f64 = self.0.iter().map(|&time| (time as f64 - mean).powi(2)).sum();
        Some((squares / (self.0.len() - 1) as f64).sqrt())
    }

    /// Returns the median absolute deviation from the median (MAD), in ns. Not scaled to the standard
    /// deviation. Spikes have little influence.
    pub fn mad(&self) -> Option<f64> {
        let center = self.median()?;
        let distances = self.0.iter().map(|&time| (time as f64 - center).abs());
        median(&mut distances.collect::<Vec<_>>())
    }

    /// Returns the average frame rate: number of frames / sum of their times. `None` if the sum is 0.
    pub fn average_fps(&self) -> Option<f64> {
        fps(self.0.len(), total(&self.0))
    }

    /// Returns a percentile in ns. `None` for fewer frames than it [needs](Percentile::frames_needed).
    pub fn percentile(&self, percentile: Percentile) -> Option<f64> {
        let enough = self.0.len() >= percentile.frames_needed();
        self.quantile(percentile.per_mille()).filter(|_| enough)
    }
}

/// [`SortedTimes::quantile`] of a sorted slice.
pub(super) fn quantile(sorted: &[u64], per_mille: usize) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    // Integers, so that a position on a frame gives exactly that frame.
    let position = last as u64 * per_mille.min(1000) as u64;
    let (below, rest) = ((position / 1000) as usize, position % 1000);
    let low = sorted[below];
    let high = sorted[(below + 1).min(last)];
    let step = (high - low) as f64 * (rest as f64 / 1000.0);
    Some((low as f64 + step).min(high as f64))
}

/// Returns the median of `values`, which it sorts; the mean of the middle two for an even number.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[values.len() / 2]))
}

/// A reported percentile.
///
/// Known only if at least ten frames lie beyond it: p99 needs 1,000 frames, p99.9 needs 10,000. The
/// median needs one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Percentile(u16);

impl Percentile {
    /// All reported percentiles in ascending order.
    pub const ALL: [Self; 9] = [
        Self(10),
        Self(50),
        Self(250),
        Self::MEDIAN,
        Self(750),
        Self(900),
        Self::P95,
        Self::P99,
        Self(999),
    ];

    /// p50.
    pub const MEDIAN: Self = Self(500);

    /// p95: one frame in 20 takes longer.
    pub const P95: Self = Self(950);

    /// p99: one frame in 100 takes longer.
    pub const P99: Self = Self(990);

    /// Returns the share of frames below it, in thousandths.
    pub fn per_mille(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the minimum number of frames for this percentile.
    pub fn frames_needed(self) -> usize {
        if self == Self::MEDIAN {
            return 1;
        }
        let tail = self.per_mille().min(1000 - self.per_mille());
        (MIN_TAIL * 1000).div_ceil(tail)
    }
}

/// Prints the name, such as `p99.9`.
impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", f64::from(self.0) / 10.0)
    }
}

/// Returns the slope of points (x, y) in ascending order of x: the median of the slopes between any two of
/// different x (Theil 1950; Sen, "Estimates of the Regression Coefficient Based on Kendall's Tau", 1968).
/// `None` for fewer than three points.
pub(super) fn theil_sen(points: &[(f64, f64)]) -> Option<f64> {
    let later = |i: usize, x: f64| points[i + 1..].iter().filter(move |later| later.0 > x);
    let slopes = points
        .iter()
        .enumerate()
        .flat_map(|(i, a)| later(i, a.0).map(move |b| (b.1 - a.1) / (b.0 - a.0)));
    median(&mut slopes.collect::<Vec<_>>()).filter(|_| points.len() >= 3)
}

/// Returns the smallest and the largest of `values`.
pub(super) fn range(values: &[f64]) -> Option<[f64; 2]> {
    let low = values.iter().copied().min_by(f64::total_cmp)?;
    Some([low, values.iter().copied().max_by(f64::total_cmp)?])
}

/// Returns the mean of times in ns.
pub(super) fn mean(times: &[u64]) -> Option<f64> {
    (!times.is_empty()).then(|| total(times) as f64 / times.len() as f64)
}

/// Returns the sum of frame times in ns. Cannot overflow.
pub(super) fn total<'a>(frames: impl IntoIterator<Item = &'a u64>) -> u128 {
    frames.into_iter().copied().map(u128::from).sum()
}

/// Returns the average frame rate: frames per second of total time, in ns. `None` if the time is 0.
///
/// Not the mean of the rates of frames, in which fast frames hide slow ones.
pub(super) fn fps(frames: usize, total_ns: u128) -> Option<f64> {
    (total_ns > 0).then(|| frames as f64 * 1e9 / total_ns as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_no_one_and_huge_times() {
        assert_eq!(SortedTimes::of(&[]).quantile(500), None);
        assert_eq!(SortedTimes::of(&[7, 5]).quantile(5000), Some(7.0));
        let huge = SortedTimes::of(&[u64::MAX, u64::MAX, u64::MAX - 1]);
        assert_eq!(huge.median(), Some(u64::MAX as f64));
        let wide = SortedTimes::of(&[0, u64::MAX]);
        assert_eq!(wide.median(), Some(2_f64.powi(63)));
    }

    #[test]
    fn percentiles_need_ten_frames_beyond_them_and_print_their_name() {
        let needed = Percentile::ALL.map(Percentile::frames_needed);
        assert_eq!(needed, [1000, 200, 40, 1, 40, 100, 200, 1000, 10_000]);
        let given = |n: usize| SortedTimes::of(&vec![5; n]).percentile(Percentile::P99);
        assert_eq!((given(999), given(1000)), (None, Some(5.0)));
        let names = Percentile::ALL.map(|percentile| percentile.to_string());
        assert_eq!(names, ["p1", "p5", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9"]);
    }

    #[test]
    fn moments_match_values_computed_by_hand() {
        let sorted = SortedTimes::of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        // The squares of the deviations add up to 32. The deviations from 4.5 are 0.5 five times.
        assert_eq!(sorted.mean(), Some(5.0));
        assert_eq!(sorted.standard_deviation(), Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(sorted.mad(), Some(0.5));
        assert_eq!(sorted.average_fps(), Some(2e8));
        let figures = |frames: &[u64]| {
            let sorted = SortedTimes::of(frames);
            [sorted.mean(), sorted.standard_deviation(), sorted.mad(), sorted.average_fps()]
        };
        assert_eq!(figures(&[]), [None; 4]);
        assert_eq!(figures(&[5]), [Some(5.0), None, Some(0.0), Some(2e8)]);
        assert_eq!(figures(&[0, 0]), [Some(0.0), Some(0.0), Some(0.0), None]);
    }
}
