//! Result: what a benchmark found out, as it is written to a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Machine, RunMedian, RunResult};
use crate::components::FallMode;

/// Version of the layout of [`BenchResult`]; a program reads its own only.
pub const RESULT_SCHEMA: u32 = 3;

/// A benchmark: several runs of the same thing, each in a process of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// [`RESULT_SCHEMA`].
    pub schema: u32,
    /// What the result is called.
    pub name: String,
    /// Version of Cubefall.
    pub version: String,
    /// A build without optimisation says nothing about speed.
    pub debug_build: bool,
    /// When it began, in seconds since 1970 (UTC).
    pub started_unix_s: u64,
    /// Where.
    pub machine: Machine,
    /// What was run.
    pub settings: BenchSettings,
    /// Whether all runs that were asked for are there.
    pub complete: bool,
    /// What makes the figures less worth, and what to do about it.
    pub warnings: Vec<String>,
    /// The runs, in order.
    pub runs: Vec<RunResult>,
}

/// What was run.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchSettings {
    /// How many cubes.
    pub cubes: u32,
    /// `cubes-fall` or `camera-falls`.
    pub mode: FallMode,
    /// Start of the random numbers.
    pub seed: u64,
    /// Name of the scene file and hash of its content; none for the classic scene.
    pub scene: Option<String>,
    /// Simulated time of a frame, in s.
    pub dt_s: f32,
    /// Width and height that were asked for, in pixels; a window may get others.
    pub size: [u32; 2],
    /// Whether there was a window.
    pub window: bool,
    /// How many frames counted; none if it was measured in time.
    pub frames: Option<u32>,
    /// How long was measured, in s; none if it was measured in frames.
    pub duration_s: Option<f64>,
    /// Frames of the warm-up; none if it went on until times were steady.
    pub warmup_frames: Option<u32>,
    /// How many frames the GPU could be behind; none in a window, whose display decides.
    pub latency: Option<u32>,
    /// How many runs were asked for.
    pub runs: u32,
}

impl BenchResult {
    /// The median of each run that has one, in order.
    #[must_use]
    pub fn medians(&self) -> Vec<RunMedian> {
        self.runs.iter().filter_map(RunResult::median).collect()
    }

    /// What keeps the result from being compared with another one; none if nothing does. As long as one
    /// of them has no run, it is only what was asked for that is compared.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let runs = self.runs.first().zip(other.runs.first());
        let differences = [
            (self.settings
                != (BenchSettings { runs: self.settings.runs, ..other.settings.clone() }))
            .then(|| "what was run".to_owned()),
            (self.machine != other.machine).then(|| "the machine".to_owned()),
            runs.and_then(|(run, others)| run.differs_from(others)),
        ];
        let named: Vec<_> = differences.into_iter().flatten().collect();
        (!named.is_empty()).then(|| named.join(", "))
    }
}
