//! Times of the main thread in the phases of each frame, for the HUD.

use crate::benchmark::{FramePhase, Recorder};
use crate::hud::LiveFrame;
use crate::time::Instant;

/// Frames that do not count: the time until the first one of a device, and that one, in which the driver compiles shaders.
const STARTING: u8 = 2;

/// Measures the phases of the current frame.
pub(super) struct FrameProfiler {
    /// Phases end here. Values beside times go into its current sample.
    pub(super) recorder: Recorder,
    /// Values that only the HUD shows.
    pub(super) live: LiveFrame,
    /// How many of the [`STARTING`] frames are left, with the current one.
    starting: u8,
    excluded: bool,
}

impl FrameProfiler {
    /// Starts measuring, see [`restart`](Self::restart).
    pub(super) fn start() -> Self {
        Self {
            recorder: Recorder::new(0),
            live: LiveFrame::default(),
            starting: STARTING,
            excluded: false,
        }
    }

    /// Excludes the first [`STARTING`] frames from now on.
    pub(super) fn restart(&mut self) {
        self.starting = STARTING;
    }

    /// Returns whether the current frame is one of those.
    pub(super) fn is_starting(&self) -> bool {
        self.starting > 0
    }

    /// Counts the time since `start` as time of the HUD, which is part of the phase `Other`.
    pub(super) fn hud_since(&mut self, start: Instant) {
        self.live.hud += start.elapsed().as_nanos() as u64;
        self.recorder.end_phase(FramePhase::Other);
    }

    /// Excludes the current frame from the figures: it contains a time without frames.
    pub(super) fn exclude(&mut self) {
        self.excluded = true;
    }

    /// Excludes the current frame, which drew nothing. The first frame of a device may still be to come.
    pub(super) fn exclude_undrawn(&mut self) {
        self.exclude();
        if self.is_starting() {
            self.restart();
        }
    }

    /// Ends the frame and starts the next one. Returns it unless it was excluded.
    pub(super) fn end_frame(&mut self) -> Option<LiveFrame> {
        let mut live = std::mem::take(&mut self.live);
        live.sample = self.recorder.end_frame();
        let is_excluded = std::mem::take(&mut self.excluded) || self.is_starting();
        self.starting = self.starting.saturating_sub(1);
        (!is_excluded).then_some(live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_add_up_to_the_frame_and_the_hud_is_part_of_other() {
        let mut profiler = FrameProfiler::start();
        assert!(profiler.end_frame().is_none(), "the time before the first frame");
        assert!(profiler.end_frame().is_none(), "the first frame");
        profiler.recorder.end_phase(FramePhase::Sim);
        let start = Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(2));
        profiler.hud_since(start);
        profiler.recorder.end_phase(FramePhase::Submit);
        let live = profiler.end_frame().unwrap();
        assert_eq!(live.sample.phases.iter().sum::<u64>(), live.sample.frame);
        assert!(live.hud >= 2_000_000 && live.hud <= live.sample.phase(FramePhase::Other));
    }

    #[test]
    fn an_excluded_frame_is_not_returned_and_the_next_one_is() {
        let mut profiler = FrameProfiler::start();
        profiler.end_frame();
        profiler.end_frame();
        profiler.exclude();
        assert!(profiler.end_frame().is_none());
        assert!(profiler.end_frame().is_some());
    }
}
