//! Summary statistics of a result: medians over its runs, and what happened in any of them.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    BoundBy, FramePhase, LowFps, Percentile, REFRESH_RATES, RunMedian, RunResult, SortedTimes,
    TimeOf, drift, effective_sample_size, hitches, is_bimodal, jitter, jitter_p99, quantile,
    share_over_budget,
};

/// Frames of a run below which its median says little.
pub(super) const FEWEST_FRAMES: u64 = 100;

/// Spread of the run medians above which a result is unreliable: five times the difference that a comparison
/// looks for by default.
pub(super) const MAX_SPREAD: f64 = 0.1;

/// Summary statistics of a result.
///
/// Each value is the median over the runs, and `None` unless every run has it. Frame rates are those of the median time per frame, for the
/// average that of the mean frame times.
/// Counts, extremes and hitches are those of all runs: a freeze in one run of three is not in the median.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Times of the frame, the GPU and each phase, in this order. Rows without any time are
    /// omitted.
    pub rows: Vec<SummaryRow>,
    /// Number of valid frames of all runs.
    pub frames: usize,
    /// Sum of the times of all valid frames, in s.
    pub duration_s: f64,
    /// Frames divided by the sum of their times, per second.
    pub average_fps: Option<f64>,
    /// Frame rate of the slowest frames, in this order: 1 % low and 0.1 % low by rank mean, 1 % low by
    /// percentile, 1 % low by time integral.
    pub low_fps: [Option<f64>; LowFps::ALL.len()],
    /// Share of time in frames over the budget of 60, 120, 144 and 240 Hz, in this order.
    pub over_budget: [Option<f64>; REFRESH_RATES.len()],
    /// Share of the frames whose GPU time is known, in the run with the fewest. `None` unless one is known.
    pub gpu_coverage: Option<f64>,
    /// Shares of CPU work, the GPU and the display in the time of all runs.
    pub bound_by: Option<BoundBy>,
    /// Number of [hitches](hitches()).
    pub hitches: Option<HitchCounts>,
    /// Mean absolute difference between consecutive frame times, in ns.
    pub jitter_mean_ns: Option<f64>,
    /// 99th percentile of the absolute differences between consecutive frame times, in ns.
    pub jitter_p99_ns: Option<f64>,
    /// [Drift](drift()) from start to end of a run, in percent.
    pub drift_percent: Option<f64>,
    /// More than half of the runs are [bimodal](is_bimodal).
    pub bimodal: Option<bool>,
    /// Effective sample size of a run, in frames.
    pub effective_sample_size: Option<f64>,
    /// Median frame time divided by the number of cubes, in ns.
    pub ns_per_cube: Option<f64>,
    /// Bytes copied to GPU memory per second.
    pub upload_bytes_per_s: Option<f64>,
    /// Largest resident memory at the end of any run, in bytes.
    pub max_memory_bytes: Option<u64>,
    /// Hash of the final simulation state, if all runs agree.
    pub state_hash: Option<String>,
}

/// Number of [hitches](hitches()) of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct HitchCounts {
    /// In all runs.
    pub total: usize,
    /// In the run with the most.
    pub most_in_a_run: usize,
}

/// Times of the frame, the GPU or a phase, in ns: medians over the runs.
#[derive(Clone, PartialEq, Default, Debug, Serialize, JsonSchema)]
pub struct SummaryRow {
    /// `frame`, `gpu`, or the name of a phase.
    pub name: &'static str,
    /// 1st percentile of a run.
    pub p1_ns: Option<f64>,
    /// 5th percentile of a run.
    pub p5_ns: Option<f64>,
    /// 25th percentile of a run.
    pub p25_ns: Option<f64>,
    /// Median of a run.
    pub median_ns: Option<f64>,
    /// 75th percentile of a run.
    pub p75_ns: Option<f64>,
    /// 90th percentile of a run.
    pub p90_ns: Option<f64>,
    /// 95th percentile of a run.
    pub p95_ns: Option<f64>,
    /// 99th percentile of a run.
    pub p99_ns: Option<f64>,
    /// 99.9th percentile of a run.
    #[serde(rename = "p99.9_ns")]
    pub p99_9_ns: Option<f64>,
    /// Minimum of all runs.
    pub min_ns: Option<f64>,
    /// Maximum of all runs.
    pub max_ns: Option<f64>,
    /// Mean of a run.
    pub mean_ns: Option<f64>,
    /// Standard deviation of a run.
    pub standard_deviation_ns: Option<f64>,
    /// Median absolute deviation of a run.
    pub mad_ns: Option<f64>,
    /// Smallest median of any run.
    pub lowest_median_ns: Option<f64>,
    /// Largest median of any run.
    pub highest_median_ns: Option<f64>,
    /// Range of the medians relative to their median; `None` for a single run.
    pub spread: Option<f64>,
}

impl Summary {
    /// Computes the statistics of the runs of a result.
    pub fn of(runs: &[RunResult]) -> Self {
        let frames: Vec<_> = runs.iter().map(RunResult::frame_times).collect();
        let sorted: Vec<_> = frames.iter().map(|frames| SortedTimes::of(frames)).collect();
        let memory: Option<Vec<_>> = runs.iter().map(|run| run.memory_bytes).collect();
        let frame = SummaryRow::of("frame", &sorted);
        let row = |name, times: &dyn Fn(&RunResult) -> Vec<u64>| {
            let sorted: Vec<_> = runs.iter().map(|run| SortedTimes::of(&times(run))).collect();
            SummaryRow::of(name, &sorted)
        };
        let gpu = row("gpu", &|run| run.times(TimeOf::Gpu));
        let phases = FramePhase::ALL.map(|phase| {
            row(phase.name(), &|run| {
                run.valid_samples().map(|sample| sample.phase(phase)).collect()
            })
        });
        Self {
            rows: [frame, gpu].into_iter().chain(phases).flatten().collect(),
            frames: frames.iter().map(Vec::len).sum(),
            duration_s: quantile::total(frames.iter().flatten()) as f64 / 1e9,
            average_fps: rate_over(&sorted, SortedTimes::average_fps),
            low_fps: LowFps::ALL.map(|low| rate_over(&sorted, |times| low.fps(times))),
            over_budget: REFRESH_RATES.map(|hz| over(&frames, |run| share_over_budget(run, hz))),
            gpu_coverage: {
                let has_gpu_time = |run: &RunResult| run.valid_samples().any(|it| it.gpu.is_some());
                let timed = runs.iter().any(has_gpu_time);
                let coverage = runs.iter().filter(|_| timed).map(RunResult::gpu_coverage);
                coverage.reduce(f64::min)
            },
            bound_by: BoundBy::of(runs),
            hitches: HitchCounts::of(&frames),
            jitter_mean_ns: over(&frames, |frames| jitter(frames)),
            jitter_p99_ns: over(&frames, |frames| jitter_p99(frames)),
            drift_percent: over(&frames, |frames| drift(frames)),
            bimodal: over(&sorted, |run| is_bimodal(run).map(f64::from)).map(|share| share > 0.5),
            effective_sample_size: over(&frames, |frames| effective_sample_size(frames)),
            ns_per_cube: over(runs, |run| {
                let cubes = f64::from(run.valid_samples().next()?.cubes);
                run.median().filter(|_| cubes > 0.0).map(|median| median.nanoseconds() / cubes)
            }),
            upload_bytes_per_s: over(runs, |run| {
                let bytes = quantile::total(run.valid_samples().map(|sample| &sample.upload_bytes));
                let time = quantile::total(&run.frame_times());
                (time > 0).then(|| bytes as f64 / time as f64 * 1e9)
            }),
            max_memory_bytes: memory.and_then(|bytes| bytes.into_iter().max()),
            state_hash: runs
                .first()
                .map(|run| run.state_hash.clone())
                .filter(|hash| runs.iter().all(|run| run.state_hash == *hash)),
        }
    }

    /// Returns a row by its name, unless it is omitted.
    pub fn row(&self, name: &str) -> Option<&SummaryRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Returns the frame rate of the slowest frames by a method.
    pub fn low_fps(&self, low: LowFps) -> Option<f64> {
        self.low_fps[low as usize]
    }
}

impl HitchCounts {
    /// Counts the hitches of runs, whose frame times are in order. `None` without runs, or if one is too
    /// short.
    fn of(runs: &[Vec<u64>]) -> Option<Self> {
        let counts = runs.iter().map(|frames| Some(hitches(frames)?.len()));
        let counts: Vec<_> = counts.collect::<Option<_>>()?;
        let most_in_a_run = *counts.iter().max()?;
        Some(Self { total: counts.iter().sum(), most_in_a_run })
    }
}

#[expect(clippy::similar_names, reason = "percentiles are named by numbers")]
impl SummaryRow {
    /// Computes a row from the times of each run. `None` if no run has times above 0.
    fn of(name: &'static str, runs: &[SortedTimes]) -> Option<Self> {
        let max = runs.iter().filter_map(|run| run.times().last()).max().filter(|&&max| max > 0)?;
        let min = runs.iter().filter_map(|run| run.times().first()).min();
        let [p1_ns, p5_ns, p25_ns, median_ns, p75_ns, p90_ns, p95_ns, p99_ns, p99_9_ns] =
            Percentile::ALL.map(|percentile| over(runs, |run| run.percentile(percentile)));
        let medians: Vec<_> = runs.iter().filter_map(SortedTimes::median).collect();
        let [lowest, highest] = quantile::range(&medians)?;
        Some(Self {
            name,
            p1_ns,
            p5_ns,
            p25_ns,
            median_ns,
            p75_ns,
            p90_ns,
            p95_ns,
            p99_ns,
            p99_9_ns,
            min_ns: min.map(|&time| time as f64),
            max_ns: Some(*max as f64),
            mean_ns: over(runs, SortedTimes::mean),
            standard_deviation_ns: over(runs, SortedTimes::standard_deviation),
            mad_ns: over(runs, SortedTimes::mad),
            lowest_median_ns: Some(lowest),
            highest_median_ns: Some(highest),
            spread: median_ns.and_then(|_| spread(&medians)),
        })
    }

    /// Returns the percentiles in the order of [`Percentile::ALL`].
    pub const fn percentiles(&self) -> [Option<f64>; Percentile::ALL.len()] {
        let Self { p1_ns, p5_ns, p25_ns, median_ns, p75_ns, p90_ns, p95_ns, .. } = *self;
        [p1_ns, p5_ns, p25_ns, median_ns, p75_ns, p90_ns, p95_ns, self.p99_ns, self.p99_9_ns]
    }
}

/// Returns the range of the median frame times of the runs relative to their median. `None` for fewer than
/// two.
pub(super) fn run_spread(runs: &[RunResult]) -> Option<f64> {
    let medians = runs.iter().filter_map(RunResult::median);
    spread(&medians.map(RunMedian::nanoseconds).collect::<Vec<_>>())
}

/// Returns the same of the mean frame times, of which the average frame rates are.
pub(super) fn average_spread(runs: &[RunResult]) -> Option<f64> {
    let rates = runs.iter().filter_map(|run| SortedTimes::of(&run.frame_times()).average_fps());
    spread(&rates.map(f64::recip).collect::<Vec<_>>())
}

fn spread(times: &[f64]) -> Option<f64> {
    let typical = quantile::median(&mut times.to_vec());
    let typical = typical.filter(|typical| *typical > 0.0 && times.len() > 1)?;
    let [lowest, highest] = quantile::range(times)?;
    Some((highest - lowest) / typical)
}

/// Returns the median of a value over the runs, unless the value of one is unknown. Runs with unknown values have
/// the fewest frames, so they are the slow ones: without them the median would be too low.
fn over<T>(runs: &[T], value: impl Fn(&T) -> Option<f64>) -> Option<f64> {
    quantile::median(&mut runs.iter().map(value).collect::<Option<Vec<_>>>()?)
}

/// As [`over`], for a rate: that of the median time. Of an even number of runs, the mean of the middle two rates would be
/// nearer to the fast one.
fn rate_over<T>(runs: &[T], rate: impl Fn(&T) -> Option<f64>) -> Option<f64> {
    over(runs, |run| rate(run).map(f64::recip)).map(f64::recip)
}

/// Returns whether a share is larger than another as both are shown, in tenths of a percent.
pub(super) fn exceeds(share: f64, limit: f64) -> bool {
    (share * 1000.0).round() > (limit * 1000.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{run, sim_frame};

    #[test]
    fn rates_of_an_even_number_of_runs_are_those_of_their_mean_time() {
        let summary = Summary::of(&[equal(1000, 5_000_000), equal(1000, 20_000_000)]);
        assert_eq!(summary.average_fps, Some(80.0));
        assert_eq!(summary.low_fps(LowFps::OnePercent), Some(80.0));
        assert!(!exceeds(0.1004, 0.1) && exceeds(0.1006, 0.1));
    }

    fn equal(frames: usize, time: u64) -> RunResult {
        run(vec![sim_frame(time); frames])
    }

    #[test]
    fn values_unknown_in_slow_runs_are_unknown_in_the_summary() {
        // As with --duration: slow runs have too few frames for p99.
        let slow = || equal(990, 50_000_000);
        let mixed = Summary::of(&[equal(1000, 5_000_000), slow(), slow(), slow(), slow()]);
        let frame = mixed.row("frame").unwrap();
        assert_eq!((frame.median_ns, frame.p95_ns), (Some(50e6), Some(50e6)));
        assert_eq!((frame.p99_ns, mixed.low_fps(LowFps::OnePercent)), (None, None));
        assert_eq!(mixed.jitter_p99_ns, None);
        let long = Summary::of(&[equal(1000, 5_000_000), equal(1000, 50_000_000)]);
        assert_eq!(long.row("frame").unwrap().p99_ns, Some(27.5e6), "mean of the middle two");
    }

    #[test]
    fn rows_have_percentiles_extremes_and_moments() {
        // 1, 2, ..., 1001 and twice as long: quantiles of a run are 1 + 1000 p, and medians are 1.5 times.
        let rising = |factor: u64| run((1..=1001).map(|time| sim_frame(factor * time)).collect());
        let row = Summary::of(&[rising(1), rising(2)]).row("sim").unwrap().clone();
        let expected = [11.0, 51.0, 251.0, 501.0, 751.0, 901.0, 951.0, 991.0];
        assert_eq!(row.percentiles()[..8], expected.map(|time| Some(1.5 * time)));
        assert_eq!(row.p99_9_ns, None, "needs 10,000 frames");
        assert_eq!((row.min_ns, row.max_ns, row.mean_ns), (Some(1.0), Some(2002.0), Some(751.5)));
        // The variance of 1 to n is n (n + 1) / 12, and the deviations from 501 are 0 to 500, twice.
        let deviation = 1.5 * (1001.0_f64 * 1002.0 / 12.0).sqrt();
        assert!((row.standard_deviation_ns.unwrap() - deviation).abs() < 1e-9, "{row:?}");
        assert_eq!(row.mad_ns, Some(1.5 * 250.0));
        assert_eq!((row.lowest_median_ns, row.highest_median_ns), (Some(501.0), Some(1002.0)));
        assert_eq!(row.spread, Some(501.0 / 751.5));
    }

    #[test]
    fn statistics_of_the_order_of_frames_are_medians_of_the_runs() {
        let alternating =
            |slow: u64| run((0..1000).map(|i| sim_frame(10 + i % 2 * slow)).collect());
        let summary = Summary::of(&[alternating(0), alternating(10), alternating(20)]);
        assert_eq!((summary.jitter_mean_ns, summary.jitter_p99_ns), (Some(10.0), Some(10.0)));
        assert_eq!((summary.frames, summary.duration_s), (3000, 45e-6));
        assert_eq!((summary.bimodal, summary.drift_percent), (Some(true), Some(0.0)));
    }

    #[test]
    fn the_largest_memory_is_that_of_all_runs_and_the_state_hash_must_agree() {
        let run = |bytes, hash: &str| RunResult {
            memory_bytes: bytes,
            state_hash: hash.to_owned(),
            ..equal(1, 1)
        };
        let equal = Summary::of(&[run(Some(5), "a"), run(Some(9), "a"), run(Some(7), "a")]);
        assert_eq!((equal.max_memory_bytes, equal.state_hash.as_deref()), (Some(9), Some("a")));
        let mixed = Summary::of(&[run(Some(5), "a"), run(None, "b")]);
        assert_eq!((mixed.max_memory_bytes, mixed.state_hash), (None, None));
        assert_eq!(Summary::of(&[]), Summary::default());
    }

    #[test]
    fn json_names_have_units_and_match_the_schema() {
        let json = serde_json::to_value(Summary::of(&[equal(50, 4)])).unwrap();
        let row = &json["rows"][0];
        assert_eq!((&row["name"], &row["median_ns"]), (&"frame".into(), &4.0.into()));
        assert!(row["p99_ns"].is_null() && row["p99.9_ns"].is_null());
        let schema = schemars::schema_for!(Summary).to_value();
        let properties = schema["properties"].as_object().unwrap();
        assert!(json.as_object().unwrap().keys().eq(properties.keys()), "{properties:?}");
    }

    #[test]
    fn rates_and_counts_are_those_of_the_valid_frames() {
        use crate::benchmark::{FrameSample, FrameStatus};

        let frame = |ms: u64, status| FrameSample {
            cubes: 2000,
            upload_bytes: 3000,
            status,
            ..sim_frame(ms * 1_000_000)
        };
        let hidden = FrameSample { cubes: 5, ..frame(1, FrameStatus::Hidden) };
        let run = run([vec![hidden; 9], vec![frame(10, FrameStatus::Valid); 100]].concat());
        let summary = Summary::of(&[run]);
        // 10 ms for 2,000 cubes; 3,000 bytes in 10 ms.
        assert_eq!(summary.ns_per_cube, Some(5000.0));
        assert_eq!(summary.upload_bytes_per_s, Some(300_000.0));
        let none = Summary::of(&[equal(10, 0)]);
        assert_eq!((none.upload_bytes_per_s, none.ns_per_cube), (None, None));
    }

    #[test]
    fn hitches_add_up_over_the_runs() {
        let with = |hitches: usize| {
            let time = |i: usize| if i % 100 < hitches { 90_000_000 } else { 8_000_000 };
            run((0..100).map(|i| sim_frame(time(i * 37))).collect())
        };
        let counts = Summary::of(&[with(1), with(3), with(0)]).hitches;
        assert_eq!(counts, Some(HitchCounts { total: 4, most_in_a_run: 3 }));
    }

    #[test]
    fn a_result_is_bimodal_if_more_than_half_of_the_runs_are() {
        let two = || run((0..200).map(|i| sim_frame(10 + i % 2 * 10)).collect());
        let bimodal = |runs: &[RunResult]| Summary::of(runs).bimodal;
        assert_eq!(bimodal(&[two(), two(), equal(200, 10)]), Some(true));
        assert_eq!(bimodal(&[two(), equal(200, 10)]), Some(false), "half");
        assert_eq!(bimodal(&[two(), equal(200, 10), equal(200, 10)]), Some(false));
        assert_eq!(bimodal(&[two(), equal(199, 10)]), None);
    }
}
