//! Measurements of one run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::difference::WORK;
use super::quantile::total;
use super::{Difference, FrameSample, FrameStatus, RunMedian, Sensors, SortedTimes, TimeOf};
use crate::render::{PresentMode, RenderSettings, Streaming};
use crate::units::or_unknown;

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
    /// The adapter supports GPU timestamps, and at least one frame has a GPU time.
    pub gpu_timer: bool,
    /// How the warm-up went.
    pub warmup: WarmupReport,
    /// Hash of the simulation state after 60 steps, or after half of a fixed warm-up of fewer than 120 frames, 16
    /// hexadecimal digits. Runs with the same work and warm-up have the same, however long they measure.
    pub work_hash: String,
    /// Hash of the final simulation state, 16 hexadecimal digits.
    pub state_hash: String,
    /// Resident memory at the end, in bytes.
    pub memory_bytes: Option<u64>,
    /// How long the main thread could have worked in the measurement, but waited for a CPU, in ns. Known on Linux only.
    /// Versions of Cubefall from before it refuse results that have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_wait_ns: Option<u64>,
    /// Sensors of the machine, which the process that starts the run reads. Omitted if nothing is known, so
    /// that versions of Cubefall without sensors read the output of this one.
    #[serde(default, skip_serializing_if = "Sensors::is_unknown")]
    pub sensors: Sensors,
    /// Number of measured frames by status.
    pub frames: FrameCounts,
    /// Median time of the valid frames, in ns; `None` without any.
    pub median_ns: Option<f64>,
    /// Measured frames in order, excluding warm-up; set by [`with_samples`](Self::with_samples). Files keep
    /// them [apart](super::write_samples), and without them only medians can be compared.
    #[serde(skip)]
    pub samples: Vec<FrameSample>,
}

/// Capabilities of a display, as reported by the window system.
#[derive(Clone, PartialEq, Debug)]
pub struct DisplayInfo {
    /// Refresh rate in Hz, if known.
    pub refresh_hz: Option<f64>,
    /// Supported present modes.
    pub present_modes: Vec<PresentMode>,
}

/// How the frames of a windowed run reached the display.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Presentation {
    /// Present mode in use, which may differ from the requested one.
    pub present_mode: PresentMode,
    /// Refresh rate of the display in Hz, if known.
    pub refresh_hz: Option<f64>,
}

/// Number of frames by status.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameCounts {
    /// Frames that count in statistics.
    pub valid: u64,
    /// Frames with a resized window.
    pub resized: u64,
    /// Frames with a hidden window.
    pub hidden: u64,
    /// Frames in which the process was suspended.
    pub suspended: u64,
}

impl FrameCounts {
    fn of(samples: &[FrameSample]) -> Self {
        let mut counts = [0; 4];
        for sample in samples {
            counts[sample.status as usize] += 1;
        }
        let [valid, resized, hidden, suspended] = counts;
        Self { valid, resized, hidden, suspended }
    }

    /// Returns whether more frames of a window were hidden or resized than count.
    pub(super) const fn is_mostly_unseen(self) -> bool {
        self.resized.saturating_add(self.hidden) > self.valid
    }

    /// Returns the number of frames of any status.
    pub const fn all(self) -> u64 {
        let Self { valid, resized, hidden, suspended } = self;
        valid.saturating_add(resized).saturating_add(hidden).saturating_add(suspended)
    }
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
    /// Sets the samples, and what follows from them.
    #[must_use]
    pub fn with_samples(self, samples: Vec<FrameSample>) -> Self {
        let run = Self { frames: FrameCounts::of(&samples), samples, ..self };
        let median_ns = SortedTimes::of(&run.frame_times()).median();
        Self { median_ns, ..run }
    }

    /// Checks that the samples are those of this run, and that the phases of each frame add up to it.
    ///
    /// # Errors
    /// Says what is inconsistent.
    pub fn check_samples(&self) -> Result<(), String> {
        let sum_up = |sample: &FrameSample| total(&sample.phases) == u128::from(sample.frame);
        if let Some(frame) = self.samples.iter().position(|sample| !sum_up(sample)) {
            return Err(format!("the phases of frame {frame} do not add up to its time"));
        }
        if total(self.samples.iter().map(|sample| &sample.frame)) > u64::MAX.into() {
            return Err("the frames take more than 500 years".to_owned());
        }
        let found = FrameCounts::of(&self.samples);
        let median_ns = SortedTimes::of(&self.frame_times()).median();
        let is_same = (found, median_ns) == (self.frames, self.median_ns);
        is_same.then_some(()).ok_or_else(|| "the frames are not those of the result".to_owned())
    }

    /// Returns the conditions that two runs must share to be comparable, each with its name.
    pub(super) fn conditions(&self) -> [(&'static str, String); 8] {
        let [width, height] = self.size;
        [
            ("adapter", self.adapter.clone()),
            ("frame size", format!("{width}x{height}")),
            ("effects", self.graphics.to_string()),
            ("geometry", self.graphics.geometry.name().to_owned()),
            ("streaming", self.streaming.name().to_owned()),
            ("present mode", or_unknown(self.present_mode(), |mode| mode.to_string())),
            ("build", if self.debug_build { "debug" } else { "release" }.to_owned()),
            (WORK, format!("state {}", self.work_hash)),
        ]
    }

    /// Returns the conditions in which run `b` differs from this one, so that they cannot be compared.
    pub fn differences(&self, b: &Self) -> Vec<Difference> {
        Difference::between(self.conditions(), b.conditions())
    }

    /// Returns the present mode in use; `None` for headless runs.
    pub fn present_mode(&self) -> Option<PresentMode> {
        self.presentation.map(|presentation| presentation.present_mode)
    }

    /// Returns `true` if every frame counts in statistics.
    pub fn all_frames_valid(&self) -> bool {
        self.frames.valid == self.frames.all()
    }

    /// Returns the frames that count in statistics, in order.
    pub fn valid_samples(&self) -> impl Iterator<Item = &FrameSample> {
        self.samples.iter().filter(|sample| sample.status == FrameStatus::Valid)
    }

    /// Returns the times of the frames that count in statistics, in order, in ns.
    pub fn frame_times(&self) -> Vec<u64> {
        self.times(TimeOf::Frame)
    }

    /// Returns one of the times of the frames that count in statistics, in order, in ns; unknown ones are
    /// left out.
    pub fn times(&self, time: TimeOf) -> Vec<u64> {
        self.valid_samples().filter_map(|sample| time.of(sample)).collect()
    }

    /// Returns the median frame time, which represents the run in comparisons.
    pub fn median(&self) -> Option<RunMedian> {
        self.median_ns.and_then(RunMedian::new)
    }

    /// Returns the share of the measurement in which the main thread waited for a CPU, from 0 to 1.
    pub fn cpu_wait(&self) -> Option<f64> {
        let time = total(self.samples.iter().map(|sample| &sample.frame));
        Some(self.cpu_wait_ns? as f64 / time as f64).filter(|share| share.is_finite())
    }

    /// Returns the share of the frames that count in statistics whose GPU time is known, from 0 to 1.
    pub fn gpu_coverage(&self) -> f64 {
        let known = self.times(TimeOf::Gpu).len();
        known as f64 / self.frames.valid.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_must_be_those_of_the_run() {
        use crate::benchmark::tests::fixtures::{run, sim_frame};

        let good = run(vec![sim_frame(5); 4]);
        assert_eq!(good.check_samples(), Ok(()));
        let others = Err("the frames are not those of the result".to_owned());
        let median = RunResult { median_ns: Some(6.0), ..good.clone() };
        assert_eq!(median.check_samples(), others);
        let mut count = good.clone();
        count.frames.valid += 1;
        assert_eq!(count.check_samples(), others);
        let mut broken = good.clone();
        broken.samples[2].frame += 1;
        let reason = "the phases of frame 2 do not add up to its time".to_owned();
        assert_eq!(broken.check_samples(), Err(reason));
        let long = run(vec![sim_frame(u64::MAX), sim_frame(1)]);
        assert_eq!(long.check_samples(), Err("the frames take more than 500 years".to_owned()));
    }

    #[test]
    fn the_coverage_of_gpu_times_is_that_of_the_valid_frames() {
        use crate::benchmark::tests::fixtures::{run, sim_frame};

        let known = FrameSample { gpu: Some(1), ..sim_frame(5) };
        let hidden = FrameSample { status: FrameStatus::Hidden, ..sim_frame(5) };
        assert_eq!(run(vec![known, known, sim_frame(5), known, hidden]).gpu_coverage(), 0.75);
        assert_eq!(run(Vec::new()).gpu_coverage(), 0.0);
    }
}
