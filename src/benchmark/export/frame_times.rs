//! Frame times: when each frame of a run started and ended.

use crate::benchmark::{FrameSample, FrameStatus, RunResult};

/// A frame and its position in time.
pub(super) struct TimedFrame<'a> {
    /// Time since the start of the first measured frame, in ns.
    pub(super) start: u64,
    /// The frame.
    pub(super) sample: &'a FrameSample,
}

impl TimedFrame<'_> {
    /// Returns the start of the next frame, in ns.
    pub(super) fn end(&self) -> u64 {
        self.start + self.sample.frame
    }
}

/// Returns all frames of a run, without gaps.
pub(super) fn all(run: &RunResult) -> impl Iterator<Item = TimedFrame<'_>> {
    run.samples.iter().scan(0, |clock, sample| {
        let start = *clock;
        *clock += sample.frame;
        Some(TimedFrame { start, sample })
    })
}

/// Returns the valid frames of a run, with gaps where others are left out.
pub(super) fn valid(run: &RunResult) -> impl Iterator<Item = TimedFrame<'_>> {
    all(run).filter(|frame| frame.sample.status == FrameStatus::Valid)
}

/// Converts nanoseconds to milliseconds.
pub(super) fn ms(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}
