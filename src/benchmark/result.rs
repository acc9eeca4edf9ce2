//! Result of a benchmark: several runs with the same settings.

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::difference::fields;
use super::run::work_steps;
use super::{Difference, Machine, RunMedian, RunResult, Summary};
use crate::components::{FallMode, Motion};
use crate::time::{SystemTime, UNIX_EPOCH};
use crate::units::counted;

/// Schema version of files of a [`BenchResult`], [`Baseline`](super::Baseline), [`Sweep`](super::Sweep) or
/// [`Suite`](super::Suite). Other versions are rejected.
pub const RESULT_SCHEMA: u32 = 4;

/// Several runs with the same settings, each in its own process.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// Version of the format.
    #[schemars(range(min = RESULT_SCHEMA, max = RESULT_SCHEMA))]
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
    /// Statistics of all runs, for other programs to read; Cubefall computes them again.
    #[serde(default, deserialize_with = "ignored")]
    pub summary: Option<Summary>,
    /// Comparison with a baseline, for other programs to read.
    #[serde(default, deserialize_with = "ignored")]
    pub baseline: Option<Value>,
    /// Name of the file with the frames of all runs, in the same directory; `None` if they were not saved.
    pub frames_file: Option<String>,
    /// The runs in order.
    pub runs: Vec<RunResult>,
}

/// Reads anything as `None`.
pub(super) fn ignored<'de, D: Deserializer<'de>, T>(from: D) -> Result<Option<T>, D::Error> {
    IgnoredAny::deserialize(from).map(|_| None)
}

/// Requested settings, as stored in result files.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchSettings {
    /// Number of cubes.
    pub cubes: u32,
    /// Which entities gravity acts on.
    pub mode: FallMode,
    /// How the motion of cubes is computed.
    #[serde(default)]
    pub motion: Motion,
    /// Random seed.
    pub seed: u64,
    /// Name and content hash of the scene file; `None` for the default scene.
    pub scene: Option<String>,
    /// Factors of gravity, time and spin as flags; `None` for those of the scene.
    #[serde(default)]
    pub tuning: Option<String>,
    /// Camera as flags, its path by a hash of the content; `None` for the camera of the scene.
    #[serde(default)]
    pub camera: Option<String>,
    /// Simulated time per frame, in s.
    pub dt_s: f32,
    /// Requested width and height in pixels. A window may get another size.
    pub size: [u32; 2],
    /// Measured in a window.
    pub window: bool,
    /// Number of measured frames; `None` if limited by `duration_s`.
    pub frames: Option<u32>,
    /// Least length of the measurement, in s; `None` if limited by `frames`.
    pub duration_s: Option<f64>,
    /// Largest length of the measurement, for runs of fewer than 1,000 frames, in s; `None` if limited by
    /// `frames`.
    pub max_duration_s: Option<f64>,
    /// Number of warm-up frames; `None` if until steady.
    pub warmup_frames: Option<u32>,
    /// Maximum number of frames in flight; `None` in a window.
    pub latency: Option<u32>,
    /// Number of requested runs.
    pub runs: u32,
}

impl BenchSettings {
    /// Returns whether runs with these and with `other` settings simulate the same cubes.
    pub fn has_same_work(&self, other: &Self) -> bool {
        let work = |settings: &Self| {
            let Self { cubes, mode, motion, seed, dt_s, .. } = *settings;
            let Self { scene, tuning, camera, .. } = settings.clone();
            (cubes, mode, motion, seed, dt_s, scene, tuning, camera)
        };
        work(self) == work(other)
    }

    /// Returns fall mode and motion in words: `cubes-fall`, `cubes-fall, evaluated motion`.
    pub fn mode_and_motion(&self) -> String {
        match self.motion {
            Motion::Integrated => self.mode.to_string(),
            Motion::Evaluated => format!("{}, evaluated motion", self.mode),
        }
    }
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
            summary: None,
            baseline: None,
            frames_file: None,
            runs: Vec::new(),
        }
    }

    /// Adds a run, and completes the result with the last one.
    ///
    /// # Errors
    /// Lists the conditions in which it differs from the first run.
    pub fn push(&mut self, run: RunResult) -> Result<(), String> {
        let (first, new) = (self.runs.first().unwrap_or(&run), &run);
        if let Some(list) = Difference::list(&first.differences(new)) {
            return Err(list);
        }
        (self.version, self.debug_build) = (run.version.clone(), run.debug_build);
        self.runs.push(run);
        self.complete = self.runs.len() == self.settings.runs as usize;
        Ok(())
    }

    /// Returns the median of each run that has one, in order.
    pub fn medians(&self) -> Vec<RunMedian> {
        self.runs.iter().filter_map(RunResult::median).collect()
    }

    /// Returns the conditions in which result `b` differs from this one, so that they cannot be compared.
    /// Compares conditions of runs only if both have runs.
    pub fn differences(&self, b: &Self) -> Vec<Difference> {
        // The number of runs may differ.
        let settings = BenchSettings { runs: self.settings.runs, ..b.settings.clone() };
        let runs = self.runs.first().zip(b.runs.first());
        let mut found = [
            Difference::between(fields(&self.settings), fields(&settings)),
            Difference::between(self.machine.conditions(), b.machine.conditions()),
            runs.map_or_else(Vec::new, |(a, b)| a.differences(b)),
        ]
        .concat();
        // States after different numbers of steps differ in any case.
        if work_steps(self.settings.warmup_frames) != work_steps(b.settings.warmup_frames) {
            found.retain(|it| !it.is_work());
        }
        found
    }

    /// Checks the runs, and that they belong together.
    ///
    /// # Errors
    /// Says what is inconsistent.
    pub fn check(&self) -> Result<(), String> {
        let (runs, wanted) = (self.runs.len(), self.settings.runs as usize);
        if runs > wanted || (self.complete && runs < wanted) {
            return Err(format!("{} instead of {wanted}", counted(runs, "run")));
        }
        let has_valid_median = |run: &RunResult| match run.median_ns {
            None => run.frames.valid == 0,
            Some(_) => run.frames.valid > 0 && run.median().is_some(),
        };
        if let Some(at) = self.runs.iter().position(|run| !has_valid_median(run)) {
            return Err(format!("the median of run {} is invalid", at + 1));
        }
        let Some((first, others)) = self.runs.split_first() else { return Ok(()) };
        let differences = others.iter().find_map(|run| Difference::list(&first.differences(run)));
        differences.map_or(Ok(()), |list| Err(format!("its runs differ in {list}")))
    }
}

/// Returns the current time in seconds since 1970 (UTC).
pub(super) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::benchmark::tests::fixtures::{result, run, sim_frame};

    type Change = fn(&mut BenchResult);

    fn two() -> BenchResult {
        result(vec![run(vec![sim_frame(5_000_000); 10]); 2])
    }

    #[test]
    fn inconsistent_results_are_refused() {
        assert_eq!(two().check(), Ok(()));
        let changes: [(Change, Result<(), &str>); 9] = [
            (|it| it.settings.runs = 3, Err("2 runs instead of 3")),
            (|it| (it.complete, it.settings.runs) = (false, 3), Ok(())),
            (|it| (it.complete, it.settings.runs) = (false, 1), Err("2 runs instead of 1")),
            (|it| it.runs[1].median_ns = None, Err("the median of run 2 is invalid")),
            (|it| it.runs[1].median_ns = Some(0.4), Err("the median of run 2 is invalid")),
            (|it| it.runs[1].frames.valid = 0, Err("the median of run 2 is invalid")),
            (|it| it.runs[1] = run(Vec::new()), Ok(())),
            (|it| it.runs[1].adapter = "b".to_owned(), Err("its runs differ in adapter (A , B b)")),
            (|it| it.runs.clear(), Err("0 runs instead of 2")),
        ];
        for (change, expected) in changes {
            let mut result = two();
            change(&mut result);
            assert_eq!(result.check(), expected.map_err(str::to_owned));
        }
    }

    #[test]
    fn the_last_run_completes_a_result() {
        let mut result = BenchResult { complete: false, runs: Vec::new(), ..two() };
        for is_complete in [false, true] {
            assert_eq!(result.push(run(vec![sim_frame(5_000_000)])), Ok(()));
            assert_eq!(result.complete, is_complete);
        }
    }

    #[test]
    fn results_differ_in_settings_machine_and_conditions_of_runs() {
        use crate::benchmark::Presentation;
        use crate::render::{Geometry, PresentMode, Streaming};

        let presentation = Presentation { present_mode: PresentMode::Fifo, refresh_hz: Some(60.0) };
        let changed = |change: Change| {
            let (a, mut b) = (two(), two());
            change(&mut b);
            let names = a.differences(&b).into_iter().map(|it| it.condition);
            names.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(changed(|_| ()), "");
        assert_eq!(changed(|it| it.settings.runs = 9), "");
        assert_eq!(changed(|it| it.machine.memory_bytes = None), "");
        assert_eq!(changed(|it| it.settings.seed = 9), "seed");
        assert_eq!(changed(|it| it.machine.cpu.push('x')), "cpu");
        assert_eq!(changed(|it| it.machine.threads += 1), "threads");
        assert_eq!(changed(|it| it.machine.os.push('x')), "os");
        assert_eq!(changed(|it| it.machine.kernel.push('x')), "kernel");
        assert_eq!(changed(|it| it.runs[0].adapter.push('x')), "adapter");
        assert_eq!(changed(|it| it.runs[0].size[0] = 9), "frame size");
        assert_eq!(changed(|it| it.runs[0].size[1] = 9), "frame size");
        assert_eq!(changed(|it| it.runs[0].graphics.effects.bloom = true), "effects");
        assert_eq!(changed(|it| it.runs[0].graphics.geometry = Geometry::Instanced), "geometry");
        assert_eq!(changed(|it| it.runs[0].streaming = Streaming::Staged), "streaming");
        assert_eq!(changed(|it| it.runs[0].debug_build = true), "build");
        assert_eq!(changed(|it| it.runs[0].work_hash.push('x')), "simulated work");
        let mut windowed = two();
        windowed.runs[0].presentation = Some(presentation);
        let list = Difference::list(&two().differences(&windowed));
        assert_eq!(list.as_deref(), Some("present mode (A -, B fifo)"));
    }
}
