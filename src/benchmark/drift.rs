//! Drift of frame times over a run.

use super::quantile::{self, SortedTimes, total};

/// Number of segments a run is divided into.
const SEGMENTS: usize = 20;

/// Minimum number of frames per segment.
const MIN_FRAMES: usize = 10;

/// Returns the drift of the frame time from start to end of a run, in percent of the median segment: +3
/// means that frames at the end take 3 % longer. `None` for fewer than 200 frames, or if the median segment takes
/// no time.
///
/// The run is divided into 20 segments with equal numbers of frames. The drift is the median slope
/// between the medians of any two segments (Theil-Sen). Hitches and single disturbed segments have little
/// influence.
pub fn drift(frames: &[u64]) -> Option<f64> {
    if frames.len() < SEGMENTS * MIN_FRAMES {
        return None;
    }
    let mut begin = 0.0;
    let mut segments = Vec::with_capacity(SEGMENTS);
    for number in 0..SEGMENTS {
        let bound = |number: usize| number * frames.len() / SEGMENTS;
        let segment = &frames[bound(number)..bound(number + 1)];
        let duration = total(segment) as f64;
        segments.push((begin + duration / 2.0, SortedTimes::of(segment).median()?));
        begin += duration;
    }
    let mut medians: Vec<_> = segments.iter().map(|&(_, median)| median).collect();
    let typical = quantile::median(&mut medians).filter(|&median| median > 0.0)?;
    Some(100.0 * quantile::theil_sen(&segments)? * begin / typical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitches_are_no_drift() {
        let mut frames = vec![5_000_000; 1000];
        assert_eq!(drift(&frames), Some(0.0));
        frames.iter_mut().skip(500).step_by(25).for_each(|time| *time = 90_000_000);
        assert_eq!(drift(&frames), Some(0.0));
    }

    #[test]
    fn a_linear_trend_gives_its_slope() {
        // From 5 ms to 5.1 ms in steps of 100 ns: 2 %, of the median 1.98 %.
        let frames: Vec<u64> = (0..1000).map(|number| 5_000_000 + number * 100).collect();
        let drift = drift(&frames).unwrap();
        assert!((drift - 1.98).abs() < 0.01, "{drift}");
    }

    #[test]
    fn short_runs_and_zero_times_have_no_drift() {
        assert_eq!([&[5; 199][..], &[0; 1000]].map(drift), [None, None]);
        assert_eq!([&[5; 200][..], &[u64::MAX; 1000]].map(drift), [Some(0.0); 2]);
    }
}
