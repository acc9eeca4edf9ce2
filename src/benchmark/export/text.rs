//! What formats of text share: the valid frames with their times, and text without quoting.

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

/// Returns `text` on one line, with each character that is the first of a pair replaced by the second.
pub(super) fn sanitize(text: &str, replacements: &[(char, char)]) -> String {
    let replaced = |c: char| {
        let replacement = replacements.iter().find(|(from, _)| *from == c);
        replacement.map_or(if c.is_control() { ' ' } else { c }, |(_, to)| *to)
    };
    text.chars().map(replaced).collect()
}
