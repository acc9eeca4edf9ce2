//! Summary: a result in the figures that people ask for, each the middle one of the runs.

use super::{
    BenchResult, Distribution, FramePhase, Hitches, Jitter, LowFps, Percentile, REFRESH_RATES,
    RunResult, SortedTimes, effective_sample_size, share_over_budget,
};

/// A result in figures. Each is worked out for every run, and the middle one is taken (the upper
/// one of two); none unless every run has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The frame, the GPU's part of it and then each [`FramePhase`], in the order of a frame; those that
    /// took no time in any run, or are not known, are left out.
    pub rows: Vec<SummaryRow>,
    /// Frames divided by the sum of their times, per second.
    pub average_fps: Option<f64>,
    /// Frames per second of the slowest ones, by each method, in the order of [`LowFps::ALL`].
    pub low_fps: [Option<f64>; LowFps::ALL.len()],
    /// Share of the time spent in frames too long for each of [`REFRESH_RATES`].
    pub over_budget: [Option<f64>; REFRESH_RATES.len()],
    /// Share of the time that the main thread works, waits for the GPU, and waits for the display.
    pub bound_by: Option<[f64; 3]>,
    /// How many frames stood out from those around them.
    pub hitches: Option<f64>,
    /// Mean difference of a frame from the one before, in ns.
    pub jitter: Option<f64>,
    /// How many independent frames a run is worth.
    pub effective_frames: Option<f64>,
    /// Time of a frame divided by its cubes, in ns.
    pub ns_per_cube: Option<f64>,
    /// Bytes sent to the GPU in a second.
    pub upload_bytes_per_s: Option<f64>,
    /// Memory in use at the end, in bytes.
    pub memory_bytes: Option<f64>,
}

/// Times of a frame or of a part of it, in ns.
#[derive(Clone, PartialEq, Debug)]
pub struct SummaryRow {
    /// `frame`, `gpu`, or the name of a [`FramePhase`].
    pub name: &'static str,
    /// The middle one of the medians.
    pub median: Option<f64>,
    /// The middle one of the 95th percentiles.
    pub p95: Option<f64>,
    /// The middle one of the 99th percentiles.
    pub p99: Option<f64>,
    /// The middle one of the longest.
    pub max: Option<f64>,
    /// The lowest median of a run.
    pub lowest: Option<f64>,
    /// The highest median of a run.
    pub highest: Option<f64>,
    /// How far the medians of the runs are apart, as a share of the middle one; none of one run.
    pub spread: Option<f64>,
}

impl Summary {
    /// The figures of a result.
    #[must_use]
    pub fn of(result: &BenchResult) -> Self {
        let runs: Vec<_> = result.runs.iter().map(|run| (run, run.frame_times())).collect();
        let sorted: Vec<_> = runs.iter().map(|(_, frames)| SortedTimes::of(frames)).collect();
        let by_order = |figure: &dyn Fn(&[u64]) -> Option<f64>| {
            middle(runs.iter().map(|(_, frames)| figure(frames)))
        };
        let by_size =
            |figure: &dyn Fn(&SortedTimes) -> Option<f64>| middle(sorted.iter().map(figure));
        let by_run =
            |figure: &dyn Fn(&RunResult) -> Option<f64>| middle(result.runs.iter().map(figure));
        let frame = [SummaryRow::of("frame", result, RunResult::frame_times)];
        let gpu = |run: &RunResult| run.valid_samples().filter_map(|sample| sample.gpu).collect();
        let parts = FramePhase::ALL.map(|part| {
            let part_of =
                |run: &RunResult| run.valid_samples().map(|sample| sample.phase(part)).collect();
            SummaryRow::of(part.name(), result, part_of)
        });
        let rows = frame.into_iter().chain([SummaryRow::of("gpu", result, gpu)]).chain(parts);
        Self {
            rows: rows.flatten().collect(),
            average_fps: by_size(&|run| Distribution::of(run)?.average_fps),
            low_fps: LowFps::ALL.map(|low| by_size(&|run| low.fps(run))),
            over_budget: REFRESH_RATES.map(|rate| by_order(&|run| share_over_budget(run, rate))),
            bound_by: bound_by(result),
            hitches: by_order(&|run| Some(Hitches::among(run)?.count() as f64)),
            jitter: by_order(&|run| Some(Jitter::of(run)?.mean)),
            effective_frames: by_order(&|run| effective_sample_size(run)),
            ns_per_cube: by_run(&|run| {
                let cubes = f64::from(run.valid_samples().next()?.cubes);
                run.median().filter(|_| cubes > 0.0).map(|median| median.nanoseconds() / cubes)
            }),
            upload_bytes_per_s: by_run(&|run| {
                let bytes: u128 =
                    run.valid_samples().map(|sample| u128::from(sample.upload_bytes)).sum();
                let time: u128 = run.valid_samples().map(|sample| u128::from(sample.frame)).sum();
                (time > 0).then(|| bytes as f64 / time as f64 * 1e9)
            }),
            memory_bytes: by_run(&|run| run.memory_bytes.map(|bytes| bytes as f64)),
        }
    }

    /// A row by its name; none if it is left out.
    #[must_use]
    pub fn row(&self, name: &str) -> Option<&SummaryRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Frames per second of the slowest ones by a method.
    #[must_use]
    pub fn low_fps(&self, low: LowFps) -> Option<f64> {
        LowFps::ALL.iter().position(|&method| method == low).and_then(|at| self.low_fps[at])
    }
}

impl SummaryRow {
    fn of(
        name: &'static str,
        result: &BenchResult,
        times: impl Fn(&RunResult) -> Vec<u64>,
    ) -> Option<Self> {
        let runs: Vec<_> = result.runs.iter().map(|run| SortedTimes::of(&times(run))).collect();
        let figure = |figure: &dyn Fn(&SortedTimes) -> Option<f64>| middle(runs.iter().map(figure));
        let median = figure(&SortedTimes::median);
        let max = figure(&|run| run.times().last().map(|&time| time as f64));
        if max.is_none_or(|max| max == 0.0) {
            return None;
        }
        let medians: Vec<_> = runs.iter().filter_map(SortedTimes::median).collect();
        let lowest = medians.iter().copied().min_by(f64::total_cmp);
        let highest = medians.iter().copied().max_by(f64::total_cmp);
        Some(Self {
            name,
            median,
            p95: figure(&|run| run.percentile(Percentile::P95)),
            p99: figure(&|run| run.percentile(Percentile::P99)),
            max,
            lowest,
            highest,
            spread: median
                .filter(|median| *median > 0.0 && medians.len() > 1)
                .and_then(|median| Some((highest? - lowest?) / median)),
        })
    }
}

/// What all frames of all runs together spent their time on: work, the GPU, the display.
fn bound_by(result: &BenchResult) -> Option<[f64; 3]> {
    let mut times = [0_u128; 3];
    for sample in result.runs.iter().flat_map(RunResult::valid_samples) {
        for part in FramePhase::ALL {
            let who = match part {
                FramePhase::GpuWait => 1,
                FramePhase::Acquire | FramePhase::Present => 2,
                _ => 0,
            };
            times[who] += u128::from(sample.phase(part));
        }
    }
    let all: u128 = times.iter().sum();
    (all > 0).then(|| times.map(|time| time as f64 / all as f64))
}

/// The middle one; the upper of two; none unless every run has the figure. Those that lack it have
/// the fewest frames, so they are the slow ones: what the others say is not what the runs say.
fn middle(figures: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let mut figures: Vec<_> = figures.collect::<Option<_>>()?;
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
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
    fn a_figure_that_the_slow_runs_lack_is_not_that_of_the_fast_one() {
        // As with --duration: the slow runs have too few frames for a p99.
        let slow = || run(990, 50_000_000, 0);
        let mixed = summary(vec![run(1000, 5_000_000, 0), slow(), slow(), slow(), slow()]);
        let frame = mixed.row("frame").unwrap();
        assert_eq!((frame.median, frame.p95), (Some(50e6), Some(50e6)));
        assert_eq!((frame.p99, mixed.low_fps(LowFps::OnePercent)), (None, None));
        let long = summary(vec![run(1000, 5_000_000, 0), run(1000, 50_000_000, 0)]);
        assert_eq!(long.row("frame").unwrap().p99, Some(50e6));
    }

    #[test]
    fn time_is_shared_out_between_work_and_waiting() {
        let shares = summary(vec![run(10, 1000, 250), run(10, 3000, 750)]).bound_by.unwrap();
        assert_eq!(shares, [0.75, 0.0, 0.25]);
        assert_eq!(summary(Vec::new()).bound_by, None);
    }
}
