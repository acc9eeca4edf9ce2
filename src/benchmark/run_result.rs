//! Run result: what one run found out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    FrameSample, FrameStatus, Presentation, RunMedian, RunOutcome, SortedTimes, WarmupReport,
    resident_memory,
};
use crate::render::{Culling, Geometry, Gpu, RenderSettings};

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// Name, kind, backend and driver of the adapter.
    pub adapter: String,
    /// Whether it draws on the CPU.
    pub software: bool,
    /// Version of the program that ran.
    pub version: String,
    /// Whether it was built without optimisation.
    pub debug_build: bool,
    /// `mapped` or `staged`.
    pub streaming: String,
    /// `pulled` or `instanced`.
    pub geometry: String,
    /// Effects and culling, in words.
    pub picture: String,
    /// Width and height of the picture at the end, in pixels.
    pub size: [u32; 2],
    /// The present mode really used; none without a window.
    pub present_mode: Option<String>,
    /// Pictures the display shows in a second; none without a window, or if the window system does
    /// not say.
    pub refresh_hz: Option<f64>,
    /// Whether the adapter can say how long it took.
    pub gpu_timer: bool,
    /// How the warm-up went.
    pub warmup: WarmupReport,
    /// Hash of all the simulation held at the end, 16 hex digits.
    pub state_hash: String,
    /// Memory in use at the end, in bytes.
    pub memory_bytes: Option<u64>,
    /// The frames, in order.
    pub samples: Vec<FrameSample>,
}

impl RunResult {
    /// What came of a course that `gpu` drew as `picture` says, in a window if it was shown; and the
    /// memory in use now.
    #[must_use]
    pub fn new(
        gpu: &Gpu,
        picture: RenderSettings,
        presentation: Option<Presentation>,
        course: RunOutcome,
    ) -> Self {
        Self {
            adapter: gpu.summary().to_string(),
            software: gpu.is_software(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            debug_build: cfg!(debug_assertions),
            streaming: gpu.streaming().name().to_owned(),
            geometry: course.geometry.name().to_owned(),
            picture: words(picture, course.geometry),
            size: [course.size.width(), course.size.height()],
            present_mode: presentation.map(|shown| shown.present_mode.name().to_owned()),
            refresh_hz: presentation.and_then(|shown| shown.refresh_hz),
            gpu_timer: course.gpu_timer,
            warmup: course.warmup,
            state_hash: format!("{:016x}", course.state_hash),
            memory_bytes: resident_memory(),
            samples: course.samples,
        }
    }

    /// What keeps the run from being compared with another one; none if nothing does.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let drawn = |run: &Self| {
            let present_mode = run.present_mode.clone().unwrap_or_default();
            [run.picture.clone(), run.geometry.clone(), run.streaming.clone(), present_mode]
        };
        let differences = [
            (self.adapter != other.adapter).then_some("the graphics adapter"),
            (self.size != other.size).then_some("the size of the picture"),
            (drawn(self) != drawn(other)).then_some("how it was drawn"),
            (self.debug_build != other.debug_build).then_some("the build profile"),
        ];
        let named: Vec<_> = differences.into_iter().flatten().collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Whether every frame may be compared with others.
    #[must_use]
    pub fn all_frames_valid(&self) -> bool {
        self.samples.iter().all(|sample| sample.status == FrameStatus::Valid)
    }

    /// The times of the frames that may be compared, in order, in ns.
    #[must_use]
    pub fn frame_times(&self) -> Vec<u64> {
        self.valid_samples().map(|sample| sample.frame).collect()
    }

    /// The frames that may be compared, in order.
    pub fn valid_samples(&self) -> impl Iterator<Item = &FrameSample> {
        self.samples.iter().filter(|sample| sample.status == FrameStatus::Valid)
    }

    /// The one number the run is judged by.
    #[must_use]
    pub fn median(&self) -> Option<RunMedian> {
        RunMedian::of(&SortedTimes::of(&self.frame_times()))
    }

    /// Share of the frames the GPU has reported on.
    #[must_use]
    pub fn gpu_coverage(&self) -> f64 {
        let known = self.samples.iter().filter(|sample| sample.gpu.is_some()).count();
        known as f64 / self.samples.len().max(1) as f64
    }
}

/// Effects and culling.
fn words(RenderSettings { effects, culling, .. }: RenderSettings, geometry: Geometry) -> String {
    // Instances are all drawn, and in full.
    let culling = if geometry == Geometry::Pulled { culling } else { Culling::OFF };
    let switches = [
        ("ground", effects.ground),
        ("fog", effects.fog),
        ("msaa", effects.msaa),
        ("shadows", effects.shadows),
        ("culling", culling.frustum),
    ];
    let mut words: Vec<_> =
        switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()).collect();
    if culling.small_below > 0.0 {
        words.push(format!("small cubes below {} px", culling.small_below));
    }
    words.join(", ")
}
