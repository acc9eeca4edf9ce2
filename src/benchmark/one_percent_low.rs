//! 1 % low: frame rate of the slowest frames, by each method known under that name.

use super::quantile::{MIN_TAIL, SortedTimes, fps, total};
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
        if times.len() < MIN_TAIL * one_in {
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
    fn too_few_frames_and_zero_times_have_no_low() {
        let lows = |time, n| LowFps::ALL.map(|low| low.fps(&SortedTimes::of(&vec![time; n])));
        assert_eq!(lows(10_000_000, 999), [None; 4]);
        assert_eq!(lows(10_000_000, 1000), [Some(100.0), None, Some(100.0), Some(100.0)]);
        assert_eq!(lows(10_000_000, 10_000), [Some(100.0); 4]);
        assert_eq!(lows(0, 10_000), [None; 4]);
    }
}
