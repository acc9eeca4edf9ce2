//! Sample: one frame, taken apart.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::render::DrawPhase;

/// What the main thread does in a frame, or waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FramePhase {
    /// The simulation steps: systems of the ECS.
    Sim,
    /// It is chosen what is drawn, and what changed of the packed arrays goes to the GPU's memory.
    Upload,
    /// Draws are recorded.
    Encode,
    /// A texture of the window is asked for; waits for the display where it sets the pace.
    Acquire,
    /// The record is handed to the driver; a software rasteriser may do part of its work here.
    Submit,
    /// The picture is handed to the display; may wait for it.
    Present,
    /// Waits for the GPU, so that it is no more than so many frames behind.
    GpuWait,
    /// All that is left of the frame: events, the loop itself.
    Other,
}

impl FramePhase {
    /// All of them, in the order of a frame; together they are the frame.
    pub const ALL: [Self; 8] = [
        Self::Sim,
        Self::Upload,
        Self::Encode,
        Self::Acquire,
        Self::Submit,
        Self::Present,
        Self::GpuWait,
        Self::Other,
    ];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sim => "sim",
            Self::Upload => "upload",
            Self::Encode => "encode",
            Self::Acquire => "acquire",
            Self::Submit => "submit",
            Self::Present => "present",
            Self::GpuWait => "gpu_wait",
            Self::Other => "other",
        }
    }
}

impl From<DrawPhase> for FramePhase {
    fn from(phase: DrawPhase) -> Self {
        match phase {
            DrawPhase::Upload => Self::Upload,
            DrawPhase::Encode => Self::Encode,
            DrawPhase::Submit => Self::Submit,
        }
    }
}

/// Whether a frame may be compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameStatus {
    /// It was drawn as it should be.
    #[default]
    Valid,
    /// The window was resized.
    Resized,
    /// The window could not be seen, or gave no texture.
    Hidden,
}

/// One frame: integer nanoseconds of one clock. What is not known is absent, never 0.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameSample {
    /// From its beginning to that of the next, in ns.
    pub frame: u64,
    /// The parts of it in the order of [`FramePhase::ALL`], in ns; their sum is `frame`.
    pub phases: [u64; FramePhase::ALL.len()],
    /// From the beginning of the GPU's first pass to the end of its last one, in ns.
    pub gpu: Option<u64>,
    /// What of that the shadow map took, in ns.
    pub gpu_shadow: Option<u64>,
    /// What of that the picture took, in ns.
    pub gpu_scene: Option<u64>,
    /// Simulated time of the step, in s.
    pub dt: f32,
    /// How many cubes there were.
    pub cubes: u32,
    /// How many of them were drawn.
    pub drawn: u32,
    /// Bytes sent to the GPU.
    pub upload_bytes: u64,
    /// Whether it may be compared with others.
    pub status: FrameStatus,
}

impl FrameSample {
    /// One part of the frame, in ns.
    #[must_use]
    pub const fn phase(&self, phase: FramePhase) -> u64 {
        self.phases[phase as usize]
    }
}
