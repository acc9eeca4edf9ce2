//! FrameSlice: what a frame is shown to consist of.

use super::LiveFrame;
use crate::benchmark::FramePhase;

/// What a frame is shown to consist of.
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
            Self::Hud => "this HUD",
            Self::Other => "other",
        }
    }

    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Physics => "Every system of the ECS but the lifecycle.",
            Self::Lifecycle => "Cubes that fell through the floor begin again at the top.",
            Self::Upload => "What changed of the packed arrays goes to the GPU's memory.",
            Self::Encode => "Draws are recorded.",
            Self::Acquire => "Waits for a texture of the window; with vsync, for the display.",
            Self::Submit => "The record is handed to the driver.",
            Self::Present => "The picture is handed to the display; may wait for it.",
            Self::Hud => "What you are looking at: layout, triangles, recording.",
            Self::Other => "Events, the window system, the loop itself.",
        }
    }

    /// How much of a frame it is, in ns; all together are the frame.
    pub(super) fn of(self, frame: &LiveFrame) -> u64 {
        let part = |phase| frame.sample.phase(phase);
        match self {
            Self::Physics => part(FramePhase::Sim).saturating_sub(frame.lifecycle),
            Self::Lifecycle => frame.lifecycle.min(part(FramePhase::Sim)),
            Self::Upload => part(FramePhase::Upload),
            Self::Encode => part(FramePhase::Encode),
            Self::Acquire => part(FramePhase::Acquire) + part(FramePhase::GpuWait),
            Self::Submit => part(FramePhase::Submit),
            Self::Present => part(FramePhase::Present),
            Self::Hud => frame.hud.min(part(FramePhase::Other)),
            Self::Other => part(FramePhase::Other).saturating_sub(frame.hud),
        }
    }
}
