//! Summary statistics of a result: medians over its runs, and what happened in any of them.

use std::fmt;

use super::{
    BenchResult, FramePhase, Hitches, LowFps, Percentile, REFRESH_RATES, RunResult, SortedTimes,
    effective_sample_size, jitter, quantile, share_over_budget,
};
use crate::units::count;

/// Summary statistics of a result.
///
/// Each value is the median over the runs, and `None` unless every run has it. Maxima and hitches are those
/// of all runs: a freeze in one run of three is not in the median.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Times of the frame, the GPU and each [`FramePhase`], in this order. Rows without any time are
    /// omitted.
    pub rows: Vec<SummaryRow>,
    /// Frames divided by the sum of their times, per second.
    pub average_fps: Option<f64>,
    /// Frame rate of the slowest frames, in the order of [`LowFps::ALL`].
    pub low_fps: [Option<f64>; LowFps::ALL.len()],
    /// Share of time in frames over the budget of each of [`REFRESH_RATES`].
    pub over_budget: [Option<f64>; REFRESH_RATES.len()],
    /// Share of time for CPU work, waiting for the GPU and waiting for the display, over all runs.
    pub bound_by: Option<[f64; 3]>,
    /// Number of [`Hitches`].
    pub hitches: Option<HitchCounts>,
    /// Mean absolute difference between consecutive frame times, in ns.
    pub jitter: Option<f64>,
    /// Effective sample size of a run, in frames.
    pub effective_frames: Option<f64>,
    /// Median frame time divided by the number of cubes, in ns.
    pub ns_per_cube: Option<f64>,
    /// Bytes copied to GPU memory per second.
    pub upload_bytes_per_s: Option<f64>,
    /// Resident memory at the end of a run, in bytes.
    pub memory_bytes: Option<f64>,
}

/// Number of [`Hitches`] of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HitchCounts {
    /// In all runs.
    pub total: usize,
    /// In the run with the most.
    pub worst_run: usize,
}

/// Times of the frame, the GPU or a phase, in ns: medians over the runs.
#[derive(Clone, PartialEq, Debug)]
pub struct SummaryRow {
    /// `frame`, `gpu`, or the name of a [`FramePhase`].
    pub name: &'static str,
    /// Median of a run.
    pub median: Option<f64>,
    /// 95th percentile of a run.
    pub p95: Option<f64>,
    /// 99th percentile of a run.
    pub p99: Option<f64>,
    /// Maximum of all runs.
    pub max: Option<f64>,
    /// Smallest median of any run.
    pub lowest: Option<f64>,
    /// Largest median of any run.
    pub highest: Option<f64>,
    /// Range of the medians relative to their median; `None` for a single run.
    pub spread: Option<f64>,
}

impl Summary {
    /// Computes the statistics of a result.
    pub fn of(result: &BenchResult) -> Self {
        let frames: Vec<_> = result.runs.iter().map(RunResult::frame_times).collect();
        let sorted: Vec<_> = frames.iter().map(|frames| SortedTimes::of(frames)).collect();
        let in_order = |value: &dyn Fn(&[u64]) -> Option<f64>| {
            median(frames.iter().map(|frames| value(frames)))
        };
        let of_sorted =
            |value: &dyn Fn(&SortedTimes) -> Option<f64>| median(sorted.iter().map(value));
        let of_run =
            |value: &dyn Fn(&RunResult) -> Option<f64>| median(result.runs.iter().map(value));
        let frame = SummaryRow::of("frame", result, RunResult::frame_times);
        let gpu = SummaryRow::of("gpu", result, |run| {
            run.valid_samples().filter_map(|sample| sample.gpu).collect()
        });
        let phases = FramePhase::ALL.map(|phase| {
            SummaryRow::of(phase.name(), result, |run| {
                run.valid_samples().map(|sample| sample.phase(phase)).collect()
            })
        });
        Self {
            rows: [frame, gpu].into_iter().chain(phases).flatten().collect(),
            average_fps: of_sorted(&SortedTimes::average_fps),
            low_fps: LowFps::ALL.map(|low| of_sorted(&|times| low.fps(times))),
            over_budget: REFRESH_RATES.map(|hz| in_order(&|frames| share_over_budget(frames, hz))),
            bound_by: bound_by(result),
            hitches: HitchCounts::of(&frames),
            jitter: in_order(&jitter),
            effective_frames: in_order(&effective_sample_size),
            ns_per_cube: of_run(&|run| {
                let cubes = f64::from(run.valid_samples().next()?.cubes);
                run.median().filter(|_| cubes > 0.0).map(|median| median.nanoseconds() / cubes)
            }),
            upload_bytes_per_s: of_run(&|run| {
                let bytes: u128 =
                    run.valid_samples().map(|sample| u128::from(sample.upload_bytes)).sum();
                let time: u128 = run.valid_samples().map(|sample| u128::from(sample.frame)).sum();
                (time > 0).then(|| bytes as f64 / time as f64 * 1e9)
            }),
            memory_bytes: of_run(&|run| run.memory_bytes.map(|bytes| bytes as f64)),
        }
    }

    /// Returns a row by its name, unless it is omitted.
    pub fn row(&self, name: &str) -> Option<&SummaryRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Returns the frame rate of the slowest frames by a method.
    pub fn low_fps(&self, low: LowFps) -> Option<f64> {
        LowFps::ALL.iter().position(|&method| method == low).and_then(|at| self.low_fps[at])
    }
}

impl HitchCounts {
    /// Counts the hitches of runs, whose frame times are in order. `None` without runs, or if one is too
    /// short.
    fn of(runs: &[Vec<u64>]) -> Option<Self> {
        let counts = runs.iter().map(|frames| Some(Hitches::among(frames)?.count()));
        let counts: Vec<_> = counts.collect::<Option<_>>()?;
        let worst_run = *counts.iter().max()?;
        Some(Self { total: counts.iter().sum(), worst_run })
    }
}

/// Prints `7 in all runs, 5 in the worst`.
impl fmt::Display for HitchCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [total, worst] = [self.total, self.worst_run].map(count);
        write!(f, "{total} in all runs, {worst} in the worst")
    }
}

impl SummaryRow {
    fn of(
        name: &'static str,
        result: &BenchResult,
        times: impl Fn(&RunResult) -> Vec<u64>,
    ) -> Option<Self> {
        let runs: Vec<_> = result.runs.iter().map(|run| SortedTimes::of(&times(run))).collect();
        let of_runs = |value: &dyn Fn(&SortedTimes) -> Option<f64>| median(runs.iter().map(value));
        let typical = of_runs(&SortedTimes::median);
        let max = runs.iter().filter_map(|run| run.times().last()).max().map(|&time| time as f64);
        if max.is_none_or(|max| max == 0.0) {
            return None;
        }
        let medians: Vec<_> = runs.iter().filter_map(SortedTimes::median).collect();
        let lowest = medians.iter().copied().min_by(f64::total_cmp);
        let highest = medians.iter().copied().max_by(f64::total_cmp);
        Some(Self {
            name,
            median: typical,
            p95: of_runs(&|run| run.percentile(Percentile::P95)),
            p99: of_runs(&|run| run.percentile(Percentile::P99)),
            max,
            lowest,
            highest,
            spread: typical
                .filter(|median| *median > 0.0 && medians.len() > 1)
                .and_then(|median| Some((highest? - lowest?) / median)),
        })
    }
}

/// Returns the shares of CPU work, GPU waits and display waits in the time of all runs.
fn bound_by(result: &BenchResult) -> Option<[f64; 3]> {
    let mut times = [0_u128; 3];
    for sample in result.runs.iter().flat_map(RunResult::valid_samples) {
        for phase in FramePhase::ALL {
            let index = match phase {
                FramePhase::GpuWait => 1,
                FramePhase::Acquire | FramePhase::Present => 2,
                _ => 0,
            };
            times[index] += u128::from(sample.phase(phase));
        }
    }
    let all: u128 = times.iter().sum();
    (all > 0).then(|| times.map(|time| time as f64 / all as f64))
}

/// Returns the median over the runs, unless the value of one is unknown. Runs with unknown values have
/// the fewest frames, so they are the slow ones: without them the median would be too low.
fn median(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    quantile::median(&mut values.collect::<Option<Vec<_>>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{BenchSettings, FrameSample, Machine, RESULT_SCHEMA, WarmupReport};
    use crate::render::{Culling, Geometry, Quality, RenderSettings, Streaming};

    fn run(frames: usize, frame: u64, waits: u64) -> RunResult {
        let mut sample = FrameSample { frame, cubes: 10, ..FrameSample::default() };
        sample.phases[FramePhase::Sim as usize] = frame - waits;
        sample.phases[FramePhase::Present as usize] = waits;
        RunResult {
            adapter: String::new(),
            software: false,
            streaming: Streaming::Mapped,
            graphics: RenderSettings {
                effects: Quality::Low.effects(),
                geometry: Geometry::Pulled,
                culling: Culling::OFF,
            },
            version: String::new(),
            debug_build: false,
            size: [1, 1],
            presentation: None,
            gpu_timer: false,
            warmup: WarmupReport { frames: 0, seconds: 0.0, steady: None },
            state_hash: String::new(),
            memory_bytes: None,
            samples: vec![sample; frames],
        }
    }

    fn summary(runs: Vec<RunResult>) -> Summary {
        Summary::of(&BenchResult {
            schema: RESULT_SCHEMA,
            name: String::new(),
            version: String::new(),
            debug_build: false,
            started_unix_s: 0,
            machine: Machine::current(),
            settings: BenchSettings::default(),
            complete: true,
            warnings: Vec::new(),
            runs,
        })
    }

    #[test]
    fn values_unknown_in_slow_runs_are_unknown_in_the_summary() {
        // As with --duration: slow runs have too few frames for p99.
        let slow = || run(990, 50_000_000, 0);
        let mixed = summary(vec![run(1000, 5_000_000, 0), slow(), slow(), slow(), slow()]);
        let frame = mixed.row("frame").unwrap();
        assert_eq!((frame.median, frame.p95), (Some(50e6), Some(50e6)));
        assert_eq!((frame.p99, mixed.low_fps(LowFps::OnePercent)), (None, None));
        let long = summary(vec![run(1000, 5_000_000, 0), run(1000, 50_000_000, 0)]);
        assert_eq!(long.row("frame").unwrap().p99, Some(27.5e6), "mean of the middle two");
    }

    #[test]
    fn a_freeze_in_one_run_is_the_maximum_and_a_hitch() {
        let mut frozen = run(300, 5_000_000, 0);
        frozen.samples[200].frame = 3_000_000_000;
        let summary = summary(vec![run(300, 5_000_000, 0), frozen, run(300, 5_000_000, 0)]);
        let frame = summary.row("frame").unwrap();
        assert_eq!((frame.median, frame.max), (Some(5e6), Some(3e9)));
        assert_eq!(summary.hitches, Some(HitchCounts { total: 1, worst_run: 1 }));
    }

    #[test]
    fn time_is_split_between_work_and_waiting() {
        let shares = summary(vec![run(10, 1000, 250), run(10, 3000, 750)]).bound_by.unwrap();
        assert_eq!(shares, [0.75, 0.0, 0.25]);
        assert_eq!(summary(Vec::new()).bound_by, None);
    }
}
