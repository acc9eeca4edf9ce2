//! Timeline: when each frame of a run began.

use crate::benchmark::{FrameSample, FrameStatus, RunResult};

/// A frame and its place in time.
pub(super) struct Placed<'a> {
    /// Since the run's first frame that counts began, in ns.
    pub(super) begin: u64,
    /// The frame.
    pub(super) sample: &'a FrameSample,
}

impl Placed<'_> {
    /// When the next frame began, in ns.
    pub(super) fn end(&self) -> u64 {
        self.begin + self.sample.frame
    }
}

/// All frames of a run. They follow one another without a gap.
pub(super) fn all(run: &RunResult) -> impl Iterator<Item = Placed<'_>> {
    run.samples.iter().scan(0, |clock, sample| {
        let begin = *clock;
        *clock += sample.frame;
        Some(Placed { begin, sample })
    })
}

/// The frames that may be compared; the clock goes on over the others.
pub(super) fn valid_samples(run: &RunResult) -> impl Iterator<Item = Placed<'_>> {
    all(run).filter(|placed| placed.sample.status == FrameStatus::Valid)
}

/// Nanoseconds as milliseconds.
pub(super) fn ms(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}
