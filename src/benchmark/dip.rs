//! Dip: whether frame times heap up around one value or around several.

use super::quantile::Sorted;

/// Dip over which a run counts as bimodal: that of two heaps far apart, the lesser of which holds a
/// tenth of the frames.
const BIMODAL: f64 = 0.05;

/// Fewest frames of which it is said: of as many that are spread evenly, chance makes a dip of 0.05
/// once in a thousand runs.
const FEWEST: usize = 200;

/// Whether frame times heap up around two or more values that lie apart, each with a tenth of the
/// frames or more: the median may then lie where hardly any frame is, or jump from one heap to the
/// other between runs. None of fewer than 200 frames.
///
/// By the [`dip`], which spikes and lopsided tails leave cold. Sarle's coefficient, (skewness² + 1)
/// / kurtosis, would be 1 of any run whose frames take 5 ms except for a few hitches.
#[must_use]
pub fn is_bimodal(sorted: &Sorted) -> Option<bool> {
    (sorted.times().len() >= FEWEST).then(|| dip(sorted) > BIMODAL)
}

/// The dip statistic: the largest difference between the distribution of the frame times and the
/// unimodal distribution nearest to it (Hartigan and Hartigan, "The Dip Test of Unimodality",
/// 1985). From 1 / (2 n) for n frames in one heap to 0.25 in two that are equal and far apart; 0
/// without frames.
///
/// The nearest unimodal distribution rises ever faster up to its mode and ever slower from there
/// on. Where the mode is, is found by narrowing an interval: the greatest convex curve below the
/// data and the least concave one above are farthest apart inside of it.
#[must_use]
pub fn dip(sorted: &Sorted) -> f64 {
    let corners = Corners::of(sorted.times());
    let Some(mut high) = corners.times.len().checked_sub(1) else { return 0.0 };
    let (mut low, mut dip) = (0, 1.0_f64);
    loop {
        let below = corners.convex(low, high);
        let above = corners.concave(low, high);
        let gaps = above.curve.iter().zip(&below.curve).map(|(above, below)| above - below);
        let (at, gap) =
            gaps.enumerate().fold((0, 0.0), |most, here| if here.1 > most.1 { here } else { most });
        if gap <= dip {
            break;
        }
        let mode = (below.bend_before(low + at), above.bend_after(low + at));
        for outside in low..mode.0 {
            dip = dip.max(corners.upper[outside] - below.curve[outside - low]);
        }
        for outside in mode.1 + 1..=high {
            dip = dip.max(above.curve[outside - low] - corners.lower[outside]);
        }
        if mode == (low, high) {
            break;
        }
        (low, high) = mode;
    }
    dip / (2.0 * sorted.times().len().max(1) as f64)
}

/// The staircase of how many frames take up to a time, by its steps.
struct Corners {
    times: Vec<f64>,
    /// How many frames take less.
    lower: Vec<f64>,
    /// How many frames take no more.
    upper: Vec<f64>,
}

/// A curve from step to step of the staircase.
struct Hull {
    /// The steps where it touches the staircase and bends, first and last included.
    bends: Vec<usize>,
    /// Its height at each step.
    curve: Vec<f64>,
}

impl Corners {
    fn of(sorted: &[u64]) -> Self {
        // Two times of centuries can be one f64, and curves need times that differ.
        let steps = sorted.chunk_by(|&one, &other| one as f64 == other as f64);
        let mut corners = Self { times: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        let mut count = 0;
        for alike in steps {
            corners.times.push(alike[0] as f64);
            corners.lower.push(count as f64);
            count += alike.len();
            corners.upper.push(count as f64);
        }
        corners
    }

    /// The greatest convex curve below the steps `low..=high`.
    fn convex(&self, low: usize, high: usize) -> Hull {
        self.hull(low, high, &self.lower, |slope, next| slope < next)
    }

    /// The least concave curve above the steps `low..=high`.
    fn concave(&self, low: usize, high: usize) -> Hull {
        self.hull(low, high, &self.upper, |slope, next| slope > next)
    }

    /// The curve through `heights` whose slopes follow each other as `in_order`.
    fn hull(
        &self,
        low: usize,
        high: usize,
        heights: &[f64],
        in_order: impl Fn(f64, f64) -> bool,
    ) -> Hull {
        let slope = |from: usize, to: usize| {
            (heights[to] - heights[from]) / (self.times[to] - self.times[from])
        };
        let mut bends = vec![low];
        for step in low + 1..=high {
            while let [.., before, last] = bends[..]
                && !in_order(slope(before, last), slope(last, step))
            {
                bends.pop();
            }
            bends.push(step);
        }
        let mut curve = vec![heights[low]];
        for bend in bends.windows(2) {
            let (from, to) = (bend[0], bend[1]);
            let rise = slope(from, to);
            let between = from + 1..to;
            curve.extend(
                between.map(|step| heights[from] + rise * (self.times[step] - self.times[from])),
            );
            curve.push(heights[to]);
        }
        Hull { bends, curve }
    }
}

impl Hull {
    /// The last bend up to `step`.
    fn bend_before(&self, step: usize) -> usize {
        self.bends[self.bends.partition_point(|&bend| bend <= step) - 1]
    }

    /// The first bend from `step` on.
    fn bend_after(&self, step: usize) -> usize {
        self.bends[self.bends.partition_point(|&bend| bend < step)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dip_of(frames: &[u64]) -> f64 {
        dip(&Sorted::of(frames))
    }

    fn is_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn one_heap_has_the_least_dip_and_two_apart_the_greatest() {
        is_near(dip_of(&[1, 2, 3, 4, 5]), 0.1);
        is_near(dip_of(&[1, 4, 6, 7, 8, 10, 13]), 1.0 / 14.0);
        is_near(dip_of(&[4, 4, 4, 12, 12, 12]), 0.25);
        // Each heap is as steep as a line may be; the leap of 3 frames is met halfway.
        is_near(dip_of(&[1, 2, 3, 10, 11, 12]), 7.0 / 36.0);
    }

    #[test]
    fn dips_are_those_of_the_package_diptest() {
        // diptest 0.12 for Python, which is Hartigan's own program as corrected by Maechler.
        is_near(dip_of(&[1, 2, 4, 5, 7, 20, 21, 23, 24, 26, 30]), 0.155_502_392_344_497_6);
        let ratings = [
            30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41, 42, 43, 43, 43, 44, 44,
            45, 45, 46, 47, 47, 48, 48, 48, 49, 50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57,
            57, 59, 60, 60, 60, 61, 61, 61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72,
        ];
        is_near(dip_of(&ratings), 0.060_483_870_967_741_94);
    }

    #[test]
    fn two_heaps_are_told_from_spikes_and_from_tails() {
        let flag = |frames: &[u64]| is_bimodal(&Sorted::of(frames));
        let mixed = |slow: usize| [vec![5_000_000; 1000 - slow], vec![9_000_000; slow]].concat();
        assert_eq!(flag(&mixed(0)), Some(false));
        assert_eq!(flag(&mixed(10)), Some(false));
        assert_eq!(flag(&mixed(99)), Some(false));
        assert_eq!(flag(&mixed(101)), Some(true));
        // A tail that falls off as 1 / time².
        let tail: Vec<_> = (1..=1000).map(|number| 5_000_000_000 / number).collect();
        assert_eq!(flag(&tail), Some(false));
    }

    #[test]
    fn few_equal_and_huge_frames() {
        assert_eq!((dip_of(&[]), dip_of(&[5])), (0.0, 0.5));
        assert_eq!(dip_of(&[5; 100]), 0.005);
        assert_eq!(is_bimodal(&Sorted::of(&[5; 199])), None);
        assert_eq!(dip_of(&[0, u64::MAX, 0, u64::MAX]), 0.25);
        assert!(dip_of(&[u64::MAX, u64::MAX - 1, u64::MAX - 2, 0]).is_finite());
    }
}
