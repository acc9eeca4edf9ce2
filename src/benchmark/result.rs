//! Result of a benchmark: several runs with the same settings.

use std::time::{SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Machine, RunMedian, RunResult};
use crate::components::FallMode;

/// Schema version of [`BenchResult`] and [`Sweep`](super::Sweep) files. Other versions are rejected.
pub const RESULT_SCHEMA: u32 = 3;

/// Several runs with the same settings, each in its own process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// [`RESULT_SCHEMA`].
    pub schema: u32,
    /// Name of the result.
    pub name: String,
    /// Cubefall version.
    pub version: String,
    /// Built without optimization; times are meaningless.
    pub debug_build: bool,
    /// Start of the first run, in seconds since 1970 (UTC).
    pub started_unix_s: u64,
    /// Machine it was measured on.
    pub machine: Machine,
    /// Settings of each run.
    pub settings: BenchSettings,
    /// All requested runs are present.
    pub complete: bool,
    /// Conditions that make the result less reliable, with advice.
    pub warnings: Vec<String>,
    /// The runs in order.
    pub runs: Vec<RunResult>,
}

/// Requested settings, as stored in result files.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchSettings {
    /// Number of cubes.
    pub cubes: u32,
    /// Which entities gravity acts on.
    pub mode: FallMode,
    /// Random seed.
    pub seed: u64,
    /// Name and content hash of the scene file; `None` for the default scene.
    pub scene: Option<String>,
    /// Flags of the camera; `None` for the camera of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// Simulated time per frame, in s.
    pub dt_s: f32,
    /// Requested width and height in pixels. A window may get another size.
    pub size: [u32; 2],
    /// Measured in a window.
    pub window: bool,
    /// Number of measured frames; `None` if limited by `duration_s`.
    pub frames: Option<u32>,
    /// Length of the measurement, in s; `None` if limited by `frames`.
    pub duration_s: Option<f64>,
    /// Number of warm-up frames; `None` if until steady.
    pub warmup_frames: Option<u32>,
    /// Maximum number of frames in flight; `None` in a window.
    pub latency: Option<u32>,
    /// Number of requested runs.
    pub runs: u32,
}

impl BenchResult {
    /// Creates a result without runs that starts now.
    pub fn new(name: String, settings: BenchSettings) -> Self {
        Self {
            schema: RESULT_SCHEMA,
            name,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            debug_build: cfg!(debug_assertions),
            started_unix_s: unix_seconds(),
            machine: Machine::current(),
            settings,
            complete: false,
            warnings: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Returns the median of each run that has one, in order.
    pub fn medians(&self) -> Vec<RunMedian> {
        self.runs.iter().filter_map(RunResult::median).collect()
    }

    /// Lists the conditions in which two results differ, so that they cannot be compared. Returns
    /// `None` if there are none. Compares conditions of runs only if both have runs.
    pub fn differs_from(&self, other: &Self) -> Option<String> {
        let settings = BenchSettings { runs: self.settings.runs, ..other.settings.clone() };
        let runs = self.runs.first().zip(other.runs.first());
        let differences = [
            (self.settings != settings).then(|| "the settings".to_owned()),
            (self.machine != other.machine).then(|| "the machine".to_owned()),
            runs.and_then(|(run, other)| run.differs_from(other)),
        ];
        let named: Vec<_> = differences.into_iter().flatten().collect();
        (!named.is_empty()).then(|| named.join(", "))
    }
}

/// Returns the current time in seconds since 1970 (UTC).
pub(super) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
