//! Distribution: how the frame times of one run are spread, whatever their order.

use std::time::Duration;

use super::quantile::{self, Percentile, SortedTimes};

/// The frame times of one run in figures. Times are nanoseconds where nothing else is said.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// How many frames there are.
    pub frames: usize,
    /// Sum of all frame times.
    pub duration: Duration,
    /// Frames per second: the number of frames divided by the sum of their times, not a mean of
    /// rates. None if no time went by.
    pub average_fps: Option<f64>,
    /// The percentiles in the order of [`Percentile::ALL`], each only where there are
    /// [enough frames](Percentile::frames_needed).
    pub percentiles: [Option<f64>; Percentile::ALL.len()],
    /// The fastest frame.
    pub min: u64,
    /// The slowest frame.
    pub max: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation, with n - 1; none for one frame. Frames hang together, so it is no
    /// error bar of the mean.
    pub sd: Option<f64>,
    /// Median of the absolute deviations from the median, as it is: not scaled to resemble a
    /// standard deviation.
    pub mad: f64,
}

impl Distribution {
    /// The figures of a run; none without frames.
    #[must_use]
    pub fn of(sorted: &SortedTimes) -> Option<Self> {
        let times = sorted.times();
        let (min, max) = (*times.first()?, *times.last()?);
        let n = times.len() as f64;
        let total = total(times);
        let mean = total as f64 / n;
        let squares = times.iter().map(|&time| (time as f64 - mean).powi(2)).sum::<f64>();
        let median = sorted.median()?;
        let mut deviations: Vec<_> =
            times.iter().map(|&time| (time as f64 - median).abs()).collect();
        Some(Self {
            frames: times.len(),
            duration: Duration::from_nanos_u128(total),
            average_fps: fps(times.len(), total),
            percentiles: Percentile::ALL.map(|percentile| sorted.percentile(percentile)),
            min,
            max,
            mean,
            sd: (times.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
            mad: quantile::median(&mut deviations)?,
        })
    }
}

/// Sum of frame times in nanoseconds; wide enough for as many as there is memory for.
pub(super) fn total<'a>(frames: impl IntoIterator<Item = &'a u64>) -> u128 {
    frames.into_iter().copied().map(u128::from).sum()
}

/// Frames per second where so many frames took so many nanoseconds; none in no time.
pub(super) fn fps(frames: usize, nanoseconds: u128) -> Option<f64> {
    (nanoseconds > 0).then(|| frames as f64 * 1e9 / nanoseconds as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_small_run() {
        let figures = Distribution::of(&SortedTimes::of(&[2, 4, 4, 4, 5, 5, 7, 9])).unwrap();
        assert_eq!((figures.frames, figures.duration), (8, Duration::from_nanos(40)));
        assert_eq!(figures.average_fps, Some(2e8));
        assert_eq!((figures.min, figures.max, figures.mean), (2, 9, 5.0));
        // Squared deviations from 5 sum up to 32; absolute ones from 4.5 are .5 (5 x), 2.5 (2 x)
        // and 4.5.
        assert_eq!(figures.sd, Some((32.0_f64 / 7.0).sqrt()));
        assert_eq!(figures.mad, 0.5);
        assert_eq!(figures.percentiles[3], Some(4.5));
        assert_eq!(figures.percentiles.iter().flatten().count(), 1);
    }

    #[test]
    fn no_frame_one_frame_and_no_time() {
        assert_eq!(Distribution::of(&SortedTimes::of(&[])), None);
        let one = Distribution::of(&SortedTimes::of(&[5_000_000])).unwrap();
        assert_eq!((one.sd, one.mad, one.average_fps), (None, 0.0, Some(200.0)));
        let timeless = Distribution::of(&SortedTimes::of(&[0, 0])).unwrap();
        assert_eq!((timeless.average_fps, timeless.mean), (None, 0.0));
        assert_eq!(timeless.sd, Some(0.0));
    }

    #[test]
    fn times_beyond_all_reason_still_add_up() {
        let figures = Distribution::of(&SortedTimes::of(&[u64::MAX; 3])).unwrap();
        assert_eq!(figures.duration, Duration::from_nanos(u64::MAX) * 3);
        assert_eq!((figures.mean, figures.sd), (2_f64.powi(64), Some(0.0)));
    }
}
