//! Measurements of one run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FrameSample, FrameStatus, Presentation, RunMedian, SortedTimes};
use crate::render::{PresentMode, RenderSettings, Streaming};

/// Measurements of one run, and the conditions it ran under.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// Name, type, backend and driver of the adapter.
    pub adapter: String,
    /// The adapter renders on the CPU.
    pub software: bool,
    /// Cubefall version of the binary that ran.
    pub version: String,
    /// The binary was built without optimization.
    pub debug_build: bool,
    /// How data reached GPU memory.
    pub streaming: Streaming,
    /// Render settings in use, which may differ from the requested ones.
    pub graphics: RenderSettings,
    /// Width and height of the last frame, in pixels.
    pub size: [u32; 2],
    /// How frames reached the display; `None` for headless runs.
    pub presentation: Option<Presentation>,
    /// The adapter supports GPU timestamps.
    pub gpu_timer: bool,
    /// How the warm-up went.
    pub warmup: WarmupReport,
    /// Hash of the final simulation state, 16 hexadecimal digits.
    pub state_hash: String,
    /// Resident memory at the end, in bytes.
    pub memory_bytes: Option<u64>,
    /// Measured frames in order, excluding warm-up.
    pub samples: Vec<FrameSample>,
}

/// How the warm-up of a run went.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarmupReport {
    /// Number of frames.
    pub frames: u64,
    /// Sum of frame times, in s.
    pub seconds: f64,
    /// Whether frame times became steady; `None` for a fixed number of frames.
    pub steady: Option<bool>,
}

impl RunResult {
    /// Lists the conditions in which two runs differ, so that they cannot be compared. Returns `None`
    /// if there are none.
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let drawing = |run: &Self| (run.graphics, run.streaming, run.present_mode());
        let differences = [
            (self.adapter != other.adapter).then_some("the graphics adapter"),
            (self.size != other.size).then_some("the frame size"),
            (drawing(self) != drawing(other)).then_some("the graphics settings"),
            (self.debug_build != other.debug_build).then_some("the build profile"),
        ];
        let named: Vec<_> = differences.into_iter().flatten().collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Returns the present mode in use; `None` for headless runs.
    pub fn present_mode(&self) -> Option<PresentMode> {
        self.presentation.map(|presentation| presentation.present_mode)
    }

    /// Lists the effects and the culling in use, such as `ground, fog, msaa`.
    pub fn effects(&self) -> String {
        self.graphics.to_string()
    }

    /// Returns `true` if every frame counts in statistics.
    pub fn all_frames_valid(&self) -> bool {
        self.samples.iter().all(|sample| sample.status == FrameStatus::Valid)
    }

    /// Returns the number of frames with a status.
    pub fn frames_with(&self, status: FrameStatus) -> usize {
        self.samples.iter().filter(|sample| sample.status == status).count()
    }

    /// Returns the frames that count in statistics, in order.
    pub fn valid_samples(&self) -> impl Iterator<Item = &FrameSample> {
        self.samples.iter().filter(|sample| sample.status == FrameStatus::Valid)
    }

    /// Returns the times of the frames that count in statistics, in order, in ns.
    pub fn frame_times(&self) -> Vec<u64> {
        self.valid_samples().map(|sample| sample.frame).collect()
    }

    /// Returns the median frame time, which represents the run in comparisons.
    pub fn median(&self) -> Option<RunMedian> {
        RunMedian::of(&SortedTimes::of(&self.frame_times()))
    }

    /// Returns the share of frames with a known GPU time, from 0 to 1.
    pub fn gpu_coverage(&self) -> f64 {
        let known = self.samples.iter().filter(|sample| sample.gpu.is_some()).count();
        known as f64 / self.samples.len().max(1) as f64
    }
}
