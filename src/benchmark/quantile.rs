//! Quantile: the time that a given share of the frames stays within.

use std::fmt;

/// Frames that have to lie beyond a percentile before it is given: with fewer, it is the luck of a
/// few frames.
const BEYOND: usize = 10;

/// Frame times in ascending order; nanoseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortedTimes(Vec<u64>);

impl SortedTimes {
    /// Sorts frame times, in nanoseconds. `O(n log n)`.
    #[must_use]
    pub fn of(frames: &[u64]) -> Self {
        let mut times = frames.to_vec();
        times.sort_unstable();
        Self(times)
    }

    /// The times, fastest first; nanoseconds.
    #[must_use]
    pub fn times(&self) -> &[u64] {
        &self.0
    }

    /// The quantile at `per_mille` / 1000, from 0 (fastest) to 1000 (slowest), in nanoseconds; none
    /// without frames. What is over 1000 is the slowest.
    ///
    /// Linear interpolation between the two nearest frames, on time and never on frames per second:
    /// definition 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996, which R
    /// and `NumPy` use.
    #[must_use]
    pub fn quantile(&self, per_mille: usize) -> Option<f64> {
        quantile(&self.0, per_mille)
    }

    /// The [quantile](Self::quantile) halfway; nanoseconds.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quantile(500)
    }

    /// A percentile, in nanoseconds; none where there are fewer frames than it
    /// [needs](Percentile::frames_needed).
    #[must_use]
    pub fn percentile(&self, percentile: Percentile) -> Option<f64> {
        let enough = self.0.len() >= percentile.frames_needed();
        self.quantile(percentile.per_mille()).filter(|_| enough)
    }
}

/// As [`SortedTimes::quantile`], of times that are in ascending order.
pub(super) fn quantile(sorted: &[u64], per_mille: usize) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    // Whole numbers, so that a position that falls on a frame is that frame.
    let position = last * per_mille.min(1000);
    let (below, rest) = (position / 1000, position % 1000);
    let low = sorted[below];
    let high = sorted[(below + 1).min(last)];
    let step = (high - low) as f64 * (rest as f64 / 1000.0);
    Some((low as f64 + step).min(high as f64))
}

/// Median of any numbers, which it sorts; none of none.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[values.len() / 2]))
}

/// One of the percentiles that are reported.
///
/// It is given only where its tail, the frames that lie on its far side, is at least ten frames:
/// p99 from 1,000 frames on, p99.9 from 10,000. The median has no tail and is given from one frame
/// on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Percentile(u16);

impl Percentile {
    /// All that are reported, in ascending order.
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

    /// p50: half of the frames take longer.
    pub const MEDIAN: Self = Self(500);

    /// p95: one frame in twenty takes longer.
    pub const P95: Self = Self(950);

    /// p99: one frame in a hundred takes longer.
    pub const P99: Self = Self(990);

    /// The share of frames below it, in thousandths.
    #[must_use]
    pub fn per_mille(self) -> usize {
        usize::from(self.0)
    }

    /// How many frames a run must have for it to be given.
    #[must_use]
    pub fn frames_needed(self) -> usize {
        if self == Self::MEDIAN {
            return 1;
        }
        let tail = self.per_mille().min(1000 - self.per_mille());
        (BEYOND * 1000).div_ceil(tail)
    }
}

/// Prints the usual name, such as `p99.9`.
impl fmt::Display for Percentile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", f64::from(self.0) / 10.0)
    }
}

/// Whether the slowest of `n` frames, one in every `one_in`, are enough to say something of.
pub(super) fn has_tail(n: usize, one_in: usize) -> bool {
    n >= BEYOND * one_in
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated_between_the_nearest_frames() {
        let sorted = SortedTimes::of(&[40, 10, 30, 20]);
        assert_eq!(sorted.times(), [10, 20, 30, 40]);
        // Position (n - 1) p = 0, 0.3, 0.75, 1.5, 2.7, 3.
        let expected =
            [(0, 10.0), (100, 13.0), (250, 17.5), (500, 25.0), (900, 37.0), (1000, 40.0)];
        for (per_mille, time) in expected {
            assert_eq!(sorted.quantile(per_mille), Some(time), "{per_mille}");
        }
        assert_eq!(sorted.quantile(5000), Some(40.0));
    }

    #[test]
    fn quantiles_of_none_one_and_huge_times() {
        assert_eq!(SortedTimes::of(&[]).quantile(500), None);
        assert_eq!(SortedTimes::of(&[7]).quantile(0), Some(7.0));
        assert_eq!(SortedTimes::of(&[7]).median(), Some(7.0));
        let huge = SortedTimes::of(&[u64::MAX, u64::MAX, u64::MAX - 1]);
        assert_eq!(huge.median(), Some(u64::MAX as f64));
        let wide = SortedTimes::of(&[0, u64::MAX]);
        assert_eq!(wide.median(), Some(2_f64.powi(63)));
    }

    #[test]
    fn a_percentile_needs_ten_frames_beyond_it() {
        let needed = Percentile::ALL.map(Percentile::frames_needed);
        assert_eq!(needed, [1000, 200, 40, 1, 40, 100, 200, 1000, 10_000]);
        let given = |n: usize| SortedTimes::of(&vec![5; n]).percentile(Percentile::P99);
        assert_eq!((given(999), given(1000)), (None, Some(5.0)));
    }

    #[test]
    fn percentiles_are_named_as_usual() {
        let names = Percentile::ALL.map(|percentile| percentile.to_string());
        assert_eq!(names, ["p1", "p5", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9"]);
    }

    #[test]
    fn medians_of_numbers() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [3.0, -1.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [3.0, -1.0, 2.0, 8.0]), Some(2.5));
    }
}
