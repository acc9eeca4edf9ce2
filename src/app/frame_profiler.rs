//! Stopwatch: takes the frames of the demo apart while they happen.

use std::time::Instant;

use crate::benchmark::{FramePhase, FrameSample, Recorder};
use crate::hud::LiveFrame;

/// Where the time of a frame goes.
pub(super) struct FrameProfiler {
    recorder: Recorder,
    live: LiveFrame,
    /// The frame is not like others: the program waited for something to happen, or nothing was
    /// drawn.
    excluded: bool,
}

impl FrameProfiler {
    pub(super) fn start() -> Self {
        // Whatever happens before the first frame is none.
        Self { recorder: Recorder::new(0), live: LiveFrame::default(), excluded: true }
    }

    /// What went by since the last lap was this part.
    pub(super) fn lap(&mut self, part: FramePhase) {
        self.recorder.end_phase(part);
    }

    /// What is known of the frame beside times.
    pub(super) fn sample(&mut self) -> &mut FrameSample {
        self.recorder.current()
    }

    /// What went by since then was for the HUD.
    pub(super) fn hud_since(&mut self, start: Instant) {
        self.live.hud += start.elapsed().as_nanos() as u64;
        self.recorder.end_phase(FramePhase::Other);
    }

    /// Cubes that came to life, and that were gone, since the scene began.
    pub(super) fn set_spawn_counts(&mut self, spawn_stats: [u64; 2]) {
        self.live.spawn_stats = spawn_stats;
    }

    /// So much of the simulation's time was for the lifecycle, in ns.
    pub(super) fn set_lifecycle(&mut self, time: u64) {
        self.live.lifecycle = time;
    }

    /// The frame is not to be compared with others.
    pub(super) fn exclude(&mut self) {
        self.excluded = true;
    }

    /// Ends a frame and begins the next; the one that ended, unless it is not like others.
    pub(super) fn end_frame(&mut self) -> Option<LiveFrame> {
        let mut live = std::mem::take(&mut self.live);
        live.sample = self.recorder.end_frame();
        (!std::mem::take(&mut self.excluded)).then_some(live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_frame_and_the_hud_is_in_the_rest() {
        let mut profiler = FrameProfiler::start();
        assert!(profiler.end_frame().is_none(), "what was before the first frame");
        profiler.lap(FramePhase::Sim);
        let start = Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(2));
        profiler.hud_since(start);
        profiler.lap(FramePhase::Submit);
        let live = profiler.end_frame().unwrap();
        assert_eq!(live.sample.phases.iter().sum::<u64>(), live.sample.frame);
        assert!(live.hud >= 2_000_000 && live.hud <= live.sample.phase(FramePhase::Other));
    }

    #[test]
    fn a_frame_in_which_the_program_waited_does_not_count() {
        let mut profiler = FrameProfiler::start();
        profiler.end_frame();
        profiler.exclude();
        assert!(profiler.end_frame().is_none());
        assert!(profiler.end_frame().is_some());
    }
}
