//! The number of cubes that a page shows if its address names none: as many as the device draws smoothly,
//! from the first frames with the usual number.

use crate::benchmark::{FrameSample, SortedTimes};

/// Frames that are not measured: the browser compiles the program and its shaders.
const SKIPPED: usize = 5;

/// Frames that are measured.
const FRAMES: usize = 15;

/// Work of a frame, in ns. The rest of the 16.7 ms is for the browser, and for work that does not shrink with the
/// number of cubes.
const WORK: f64 = 10e6;

/// The longest frame, in ns, of a device that keeps up with a display of 60 Hz.
const SMOOTH: u64 = 18_000_000;

/// The longest interval of a browser, in ms, with some tolerance: 30 Hz saves power.
const LONGEST_INTERVAL: f64 = 34.0;

/// Numbers that are chosen from, each for about twice the work of the one before.
const COUNTS: [u32; 6] = [2000, 5000, 10_000, 20_000, 50_000, 100_000];

/// Measures the first frames.
pub(super) struct CountProbe {
    /// The longest frame, in ns, of a device that keeps up.
    smooth: u64,
    /// The number of cubes that each frame so far says the device can draw.
    affordable: Vec<u64>,
}

impl CountProbe {
    /// `interval` is the shortest time between two frames of the browser without work, in ms.
    pub(super) fn new(interval: f64) -> Self {
        // A longer interval is that of a browser that is busy.
        let is_idle = interval <= LONGEST_INTERVAL;
        let smooth = if is_idle { SMOOTH.max((interval * 1.08e6) as u64) } else { SMOOTH };
        Self { smooth, affordable: Vec::new() }
    }

    /// Adds a frame of so many cubes, with its work in ns. Returns the number for this device after the last one.
    pub(super) fn frame(&mut self, cubes: u32, frame: &FrameSample, work: u64) -> Option<u32> {
        // Without GPU times, a frame that waits for the display only tells that there are not too many cubes.
        let only_keeps_up = frame.gpu.is_none() && frame.frame <= self.smooth;
        let share = if only_keeps_up { 1.0 } else { WORK / work.max(1) as f64 };
        self.affordable.push((f64::from(cubes) * share) as u64);
        if self.affordable.len() < SKIPPED + FRAMES {
            return None;
        }
        let median = SortedTimes::of(&self.affordable[SKIPPED..]).median()?;
        let fits = |count: &&u32| f64::from(**count) <= median;
        Some(COUNTS.iter().rfind(fits).copied().unwrap_or(COUNTS[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures frames of 10,000 cubes, the first of which take longer.
    fn chosen(frame_ms: u64, work_ms: u64, gpu_ms: Option<u64>) -> u32 {
        measured(CountProbe::new(16.7), frame_ms, work_ms, gpu_ms)
    }

    fn measured(mut probe: CountProbe, frame_ms: u64, work_ms: u64, gpu_ms: Option<u64>) -> u32 {
        let sample = FrameSample {
            frame: frame_ms * 1_000_000,
            gpu: gpu_ms.map(|gpu| gpu * 1_000_000),
            ..FrameSample::default()
        };
        for _ in 0..SKIPPED {
            assert_eq!(probe.frame(10_000, &sample, 900_000_000), None);
        }
        for _ in 1..FRAMES {
            assert_eq!(probe.frame(10_000, &sample, work_ms * 1_000_000), None);
        }
        probe.frame(10_000, &sample, work_ms * 1_000_000).unwrap()
    }

    #[test]
    fn a_device_gets_the_number_that_it_draws_in_10_ms() {
        for (work, cubes) in [(1, 100_000), (2, 50_000), (4, 20_000), (10, 10_000), (11, 5000)] {
            assert_eq!(chosen(work.max(16), work, Some(work)), cubes, "{work} ms");
        }
        assert_eq!(chosen(600, 600, Some(600)), 2000);
    }

    #[test]
    fn without_gpu_times_only_slow_frames_tell_something() {
        assert_eq!([7, 16, 17].map(|frame| chosen(frame, frame, None)), [10_000; 3]);
        assert_eq!([20, 34, 600].map(|frame| chosen(frame, frame, None)), [5000, 2000, 2000]);
        // A browser that draws at 30 or 29.97 Hz, and one that was busy when its interval was measured.
        let at = |interval, frame| measured(CountProbe::new(interval), frame, frame, None);
        assert_eq!([at(33.3, 34), at(33.3, 50), at(60.0, 34)], [10_000, 2000, 2000]);
        assert_eq!([at(33.37, 34), at(f64::INFINITY, 34), at(8.3, 17)], [10_000, 2000, 10_000]);
    }
}
