//! 1 % low: frame rate of the slowest frames, by each method known under that name.

use super::quantile::{SortedTimes, fps, has_tail, total};
use crate::names::names;

/// Methods to compute a 1 % low or 0.1 % low.
///
/// They give different numbers: 999 frames of 8 ms and one of 200 ms are 36.8, 125 or 5 fps. Print the
/// [formula](Self::formula) with the value. Known only if the slowest 1 % (or 0.1 %) are at least ten
/// frames.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LowFps {
    /// Average rate of the slowest 1 % of frames. The default: every slow frame counts.
    OnePercent,
    /// Average rate of the slowest 0.1 % of frames.
    TenthPercent,
    /// Rate of the fastest of the slowest 1 % of frames. Ignores how slow the others are.
    OnePercentByPercentile,
    /// Rate of the frame at which the slowest frames add up to 1 % of the time. May be one frame.
    OnePercentByTime,
}

names!(LowFps {
    OnePercent => "1 % low (rank mean)",
    TenthPercent => "0.1 % low (rank mean)",
    OnePercentByPercentile => "1 % low (percentile)",
    OnePercentByTime => "1 % low (time integral)",
});

impl LowFps {
    /// Returns the formula as text.
    pub const fn formula(self) -> &'static str {
        match self {
            Self::OnePercent => "k / sum of the k slowest frame times, k = n / 100 rounded up",
            Self::TenthPercent => "k / sum of the k slowest frame times, k = n / 1000 rounded up",
            Self::OnePercentByPercentile => "1 / k-th slowest frame time, k = n / 100 rounded up",
            Self::OnePercentByTime => {
                "1 / k-th slowest frame time, k the least whose slowest frames take 1 % of the time"
            }
        }
    }

    /// Returns the low in frames per second. `None` for too few frames, or if the slowest take no time.
    pub fn fps(self, sorted: &SortedTimes) -> Option<f64> {
        let times = sorted.times();
        let one_in = if self == Self::TenthPercent { 1000 } else { 100 };
        if !has_tail(times.len(), one_in) {
            return None;
        }
        let slowest = sorted.slowest(one_in);
        match self {
            Self::OnePercent | Self::TenthPercent => fps(slowest.len(), total(slowest)),
            Self::OnePercentByPercentile => fps(1, u128::from(slowest[0])),
            Self::OnePercentByTime => {
                let all = total(times);
                let mut sum = 0;
                let reached = times.iter().rev().copied().map(u128::from).find(|time| {
                    sum += time;
                    sum * 100 >= all
                });
                fps(1, reached?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lows_match_values_computed_by_hand() {
        // 1,001 frames: the slowest 1 % are 11, namely one of 100 ms and ten of 20 ms.
        let mut frames = vec![10_000_000; 990];
        frames.extend([20_000_000; 10]);
        frames.push(100_000_000);
        let sorted = SortedTimes::of(&frames);
        // 11 / 0.3 s; too few for 0.1 %; the 11th slowest takes 20 ms; of 10.2 s, 1 % is 102 ms,
        // reached by the second.
        let lows = LowFps::ALL.map(|low| low.fps(&sorted));
        assert_eq!(lows, [Some(11e9 / 3e8), None, Some(50.0), Some(50.0)]);
    }

    #[test]
    fn too_few_frames_have_no_low() {
        let lows =
            |n: usize| LowFps::ALL.map(|low| low.fps(&SortedTimes::of(&vec![10_000_000; n])));
        assert_eq!(lows(0), [None; 4]);
        assert_eq!(lows(999), [None; 4]);
        assert_eq!(lows(1000), [Some(100.0), None, Some(100.0), Some(100.0)]);
        assert_eq!(lows(10_000), [Some(100.0); 4]);
    }

    #[test]
    fn zero_times_have_no_rate_and_huge_times_have_one() {
        assert_eq!(LowFps::ALL.map(|low| low.fps(&SortedTimes::of(&vec![0; 10_000]))), [None; 4]);
        let huge = SortedTimes::of(&vec![u64::MAX; 10_000]);
        for low in LowFps::ALL {
            let rate = low.fps(&huge).unwrap();
            assert!((rate * 2_f64.powi(64) / 1e9 - 1.0).abs() < 1e-12, "{low:?}: {rate}");
        }
    }

    #[test]
    fn names_and_formulas_are_distinct() {
        for (i, one) in LowFps::ALL.iter().enumerate() {
            for other in &LowFps::ALL[..i] {
                assert_ne!((one.name(), one.formula()), (other.name(), other.formula()));
                assert_ne!(one.formula(), other.formula());
            }
        }
    }
}
