//! Frame slice: a part of a frame's CPU time, as the HUD shows it.

use crate::benchmark::{FramePhase, FrameSample};

/// CPU times and counters of one frame of the window.
#[derive(Clone, Copy, Default, Debug)]
pub struct LiveFrame {
    /// Times by phase. The HUD's time is part of [`FramePhase::Other`].
    pub sample: FrameSample,
    /// CPU time of the HUD, in ns.
    pub hud: u64,
    /// Time of the lifecycle system, in ns; part of [`FramePhase::Sim`].
    pub lifecycle: u64,
    /// Spawned and removed cubes since the scene started.
    pub spawn_stats: [u64; 2],
}

/// A slice of a frame's CPU time: the benchmark's phases, with lifecycle and HUD shown separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameSlice {
    Physics,
    Lifecycle,
    Upload,
    Encode,
    Acquire,
    Submit,
    Present,
    Hud,
    Other,
}

impl FrameSlice {
    pub(super) const ALL: [Self; 9] = [
        Self::Physics,
        Self::Lifecycle,
        Self::Upload,
        Self::Encode,
        Self::Acquire,
        Self::Submit,
        Self::Present,
        Self::Hud,
        Self::Other,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Physics => "physics",
            Self::Lifecycle => "lifecycle",
            Self::Upload => "upload",
            Self::Encode => "encode",
            Self::Acquire => "acquire",
            Self::Submit => "submit",
            Self::Present => "present",
            Self::Hud => "HUD",
            Self::Other => "other",
        }
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Physics => "All systems of the ECS except the lifecycle.",
            Self::Lifecycle => "Replaces cubes that fell through the floor.",
            Self::Upload => "Copies changed ranges of the packed arrays to GPU memory.",
            Self::Encode => "Records the render passes.",
            Self::Acquire => "Waits for a surface texture; with vsync, for the display.",
            Self::Submit => "Hands the command buffers to the driver.",
            Self::Present => "Hands the frame to the display; may wait for it.",
            Self::Hud => "Layout, tessellation and recording of this UI.",
            Self::Other => "Events, window system and event loop.",
        }
    }

    /// Returns the time of this slice in ns. All slices add up to the frame time.
    pub(super) fn of(self, frame: &LiveFrame) -> u64 {
        let phase = |phase| frame.sample.phase(phase);
        match self {
            Self::Physics => phase(FramePhase::Sim).saturating_sub(frame.lifecycle),
            Self::Lifecycle => frame.lifecycle.min(phase(FramePhase::Sim)),
            Self::Upload => phase(FramePhase::Upload),
            Self::Encode => phase(FramePhase::Encode),
            Self::Acquire => phase(FramePhase::Acquire) + phase(FramePhase::GpuWait),
            Self::Submit => phase(FramePhase::Submit),
            Self::Present => phase(FramePhase::Present),
            Self::Hud => frame.hud.min(phase(FramePhase::Other)),
            Self::Other => phase(FramePhase::Other).saturating_sub(frame.hud),
        }
    }
}
