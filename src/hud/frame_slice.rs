//! Frame slice: a part of a frame's time on the main thread, as the HUD shows it.

use crate::benchmark::{FramePhase, FrameSample};

/// Times of the main thread and counters of one frame of the window.
#[derive(Clone, Copy, Default, Debug)]
pub struct LiveFrame {
    /// Times by phase. The HUD's time is part of [`FramePhase::Other`].
    pub sample: FrameSample,
    /// Time of the HUD, in ns.
    pub hud: u64,
    /// Time of the lifecycle system, in ns; part of [`FramePhase::Sim`].
    pub lifecycle: u64,
    /// Spawned and removed cubes since the scene started.
    pub spawn_stats: [u64; 2],
}

/// A slice of a frame's time on the main thread.
pub(super) struct FrameSlice {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// Returns the time of the slice in ns.
    pub(super) time: fn(&LiveFrame) -> u64,
}

/// The benchmark's phases, with lifecycle and HUD shown separately. The slices add up to the frame time.
pub(super) const FRAME_SLICES: [FrameSlice; 9] = [
    slice("systems", "All systems of the ECS except the lifecycle.", |frame| {
        frame.sample.phase(FramePhase::Sim).saturating_sub(frame.lifecycle)
    }),
    slice("lifecycle", "Replaces cubes that fell through the ground.", |frame| {
        frame.lifecycle.min(frame.sample.phase(FramePhase::Sim))
    }),
    slice("upload", "Copies changed ranges of the packed arrays to GPU memory.", |frame| {
        frame.sample.phase(FramePhase::Upload)
    }),
    slice("encode", "Records the render passes.", |frame| frame.sample.phase(FramePhase::Encode)),
    slice("acquire", "Waits for a surface texture; with vsync, for the display.", |frame| {
        frame.sample.phase(FramePhase::Acquire) + frame.sample.phase(FramePhase::GpuWait)
    }),
    slice(
        "submit",
        "Passes the command buffers to the driver; a software adapter may draw here.",
        |frame| frame.sample.phase(FramePhase::Submit),
    ),
    slice("present", "Passes the frame to the display; may wait for it.", |frame| {
        frame.sample.phase(FramePhase::Present)
    }),
    slice(
        "HUD",
        "Layout, tessellation and recording of this UI, and the search for the cube under the pointer.",
        |frame| frame.hud.min(frame.sample.phase(FramePhase::Other)),
    ),
    slice(
        "other",
        "Events and what they change, such as a loaded state; window system and event loop.",
        |frame| frame.sample.phase(FramePhase::Other).saturating_sub(frame.hud),
    ),
];

const fn slice(
    name: &'static str,
    description: &'static str,
    time: fn(&LiveFrame) -> u64,
) -> FrameSlice {
    FrameSlice { name, description, time }
}
