//! Drift: how far frame times creep up or down while a run goes on.

use super::distribution::total;
use super::quantile::{self, SortedTimes};

/// Into how many stretches a run is cut.
const STRETCHES: usize = 20;

/// Fewest frames whose median stands for a stretch.
const FEWEST: usize = 10;

/// Drift of the frame time from the begin of a run to its end, in per cent of the median stretch:
/// +3 means that frames at the end take 3 % longer. None of fewer than 200 frames, or if no time
/// goes by.
///
/// The run is cut into 20 stretches of as many frames, and the slope is the median of the slopes
/// between the medians of any two of them (Theil 1950; Sen, "Estimates of the Regression
/// Coefficient Based on Kendall's Tau", 1968), so that neither hitches nor an odd stretch count for
/// much. A machine that grows hot shows here; so does a scene that is not stationary.
#[must_use]
pub fn drift(frames: &[u64]) -> Option<f64> {
    if frames.len() < STRETCHES * FEWEST {
        return None;
    }
    let mut begin = 0.0;
    let mut stretches = Vec::with_capacity(STRETCHES);
    for number in 0..STRETCHES {
        let bound = |number: usize| number * frames.len() / STRETCHES;
        let stretch = &frames[bound(number)..bound(number + 1)];
        let duration = total(stretch) as f64;
        stretches.push((begin + duration / 2.0, SortedTimes::of(stretch).median()?));
        begin += duration;
    }
    let mut slopes = Vec::with_capacity(STRETCHES * (STRETCHES - 1) / 2);
    for (number, &(time, median)) in stretches.iter().enumerate() {
        let earlier = stretches[..number].iter().filter(|&&(before, _)| before < time);
        slopes.extend(earlier.map(|&(before, lower)| (median - lower) / (time - before)));
    }
    let mut medians: Vec<_> = stretches.iter().map(|&(_, median)| median).collect();
    let usual = quantile::median(&mut medians).filter(|&median| median > 0.0)?;
    Some(100.0 * quantile::median(&mut slopes)? * begin / usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_run_does_not_drift_whatever_its_hitches() {
        let mut frames = vec![5_000_000; 1000];
        assert_eq!(drift(&frames), Some(0.0));
        frames.iter_mut().skip(500).step_by(25).for_each(|time| *time = 90_000_000);
        assert_eq!(drift(&frames), Some(0.0));
    }

    #[test]
    fn a_creeping_run_drifts_by_as_much_as_it_creeps() {
        // From 5 ms to 5.1 ms in steps of 100 ns: 2 %, of the median 1.98 %.
        let mut frames: Vec<u64> = (0..1000).map(|number| 5_000_000 + number * 100).collect();
        let up = drift(&frames).unwrap();
        assert!((up - 1.98).abs() < 0.01, "{up}");
        frames.reverse();
        let down = drift(&frames).unwrap();
        assert!((down + 1.98).abs() < 0.01, "{down}");
    }

    #[test]
    fn short_timeless_and_huge_runs() {
        assert_eq!((drift(&[]), drift(&[5; 199]), drift(&[5; 200])), (None, None, Some(0.0)));
        assert_eq!(drift(&[0; 1000]), None);
        assert_eq!(drift(&[u64::MAX; 1000]), Some(0.0));
    }
}
