//! Settings of a benchmark run.

use std::time::Duration;

use crate::components::{FallMode, Motion};
use crate::sim::{CameraSetup, SceneSource, TimeStep, Tuning};

/// Reserved samples per millisecond of a run limited by time.
const MAX_FRAMES_PER_MS: usize = 20;

/// Frames of a run that has p99 and 1 % low.
pub const ENOUGH_FRAMES: usize = 1000;

/// What a run simulates and how long it measures.
#[derive(Clone, PartialEq, Debug)]
pub struct RunSettings {
    /// Scene to simulate.
    pub scene: SceneSource,
    /// Which entities gravity acts on.
    pub mode: FallMode,
    /// How the motion of cubes is computed.
    pub motion: Motion,
    /// Factors of gravity, time and spin.
    pub tuning: Tuning,
    /// Camera instead of that of the scene.
    pub camera: CameraSetup,
    /// Simulated time per frame, independent of the frame time.
    pub dt: TimeStep,
    /// Number of warm-up frames, at least 1; `None` until frame times are [steady](super::SteadyStateDetector), or for 20 s.
    pub warmup_frames: Option<u32>,
    /// When the measurement ends.
    pub length: RunLength,
    /// Maximum number of frames the GPU may lag behind the CPU, at most [`MAPPED_LATENCY`](crate::render::MAPPED_LATENCY) with
    /// mapped buffers and integrated motion. Headless runs only.
    pub latency: u32,
    /// Artificial slowdown of every frame, in percent, to test comparisons.
    pub slow_down: u32,
}

/// Length of the measurement, excluding warm-up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RunLength {
    /// Number of frames.
    Frames(u32),
    /// Sum of frame times, at most 20,000 frames per second.
    Time {
        /// Least sum.
        least: Duration,
        /// Sum at which even a run with fewer than [`ENOUGH_FRAMES`] ends.
        most: Duration,
    },
}

impl RunLength {
    /// Returns the largest number of frames the run can measure.
    pub(super) fn max_frames(self) -> usize {
        match self {
            Self::Frames(frames) => frames as usize,
            Self::Time { least, .. } => {
                let milliseconds = usize::try_from(least.as_millis()).unwrap_or(usize::MAX);
                let frames = milliseconds.saturating_add(1).saturating_mul(MAX_FRAMES_PER_MS);
                frames.max(ENOUGH_FRAMES)
            }
        }
    }

    /// Returns whether a run of `frames` frames that took `elapsed` is complete. A number of frames includes those
    /// that are not `valid`, so that two runs end with the same step.
    pub(super) fn is_over(self, frames: usize, valid: usize, elapsed: Duration) -> bool {
        match self {
            Self::Frames(wanted) => frames >= wanted as usize,
            Self::Time { least, most } => {
                elapsed >= most || (elapsed >= least && valid >= ENOUGH_FRAMES)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_with_its_frames_or_between_its_least_and_largest_length() {
        let frames = RunLength::Frames(50);
        assert!(!frames.is_over(49, 49, Duration::MAX));
        assert!(frames.is_over(50, 0, Duration::ZERO), "frames that do not count, too");
        let [least, most] = [10, 60].map(Duration::from_secs);
        let time = RunLength::Time { least, most };
        for (valid, seconds, is_over) in
            [(5000, 9, false), (999, 10, false), (1000, 10, true), (999, 59, false), (0, 60, true)]
        {
            let found = time.is_over(5000, valid, Duration::from_secs(seconds));
            assert_eq!(found, is_over, "{valid} frames in {seconds} s");
        }
        assert_eq!(time.max_frames(), 200_020);
    }
}
