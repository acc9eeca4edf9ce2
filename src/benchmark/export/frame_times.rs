//! Frame times: when each frame of a run ended.

use crate::benchmark::{FrameSample, FrameStatus, RunResult};

/// Returns the valid frames of a run and when each ended, in ns since the start of the first frame. The time
/// of other frames passes, too.
pub(super) fn valid(run: &RunResult) -> impl Iterator<Item = (u64, &FrameSample)> {
    let all = run.samples.iter().scan(0, |clock, sample| {
        *clock += sample.frame;
        Some((*clock, sample))
    });
    all.filter(|(_, sample)| sample.status == FrameStatus::Valid)
}

/// Converts nanoseconds to milliseconds.
pub(super) fn ms(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}
