//! Sweep: frame times over the number of cubes.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::unix_seconds;
use super::{
    BenchSettings, Machine, Presentation, RESULT_SCHEMA, RunMedian, RunResult, SortedTimes, TimeOf,
    quantile,
};
use crate::render::{RenderSettings, Streaming};
use crate::units::counted;

/// Ratio of the largest count to the smallest one used for the exponent and the growth per cube. Below, the
/// fixed cost of a frame dominates.
pub(super) const GROWTH_SPAN: f64 = 30.0;

/// Target frame rates of sweeps.
pub const SWEEP_FPS: RangeInclusive<f64> = 0.1..=10_000.0;

/// Far more counts than a sweep measures. The work for its exponent grows with the square of their number.
const MAX_POINTS: usize = 1000;

/// Frame times of the same scene with increasing numbers of cubes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Version of the format.
    #[schemars(range(min = RESULT_SCHEMA, max = RESULT_SCHEMA))]
    pub schema: u32,
    /// Name of the sweep.
    pub name: String,
    /// Cubefall version.
    pub version: String,
    /// Built without optimization; times are meaningless.
    pub debug_build: bool,
    /// Start, in seconds since 1970 (UTC).
    pub started_unix_s: u64,
    /// Machine it was measured on.
    pub machine: Machine,
    /// Name, type, backend and driver of the adapter; `None` before the first run.
    pub adapter: Option<String>,
    /// Render settings in use; `None` before the first run, and in files of the page, which measures the standard
    /// settings only.
    #[cfg_attr(web, serde(skip))]
    #[cfg_attr(not(web), serde(default, skip_serializing_if = "Option::is_none"))]
    pub graphics: Option<RenderSettings>,
    /// How data reached GPU memory; `None` before the first run.
    #[cfg_attr(web, serde(skip))]
    #[cfg_attr(not(web), serde(default, skip_serializing_if = "Option::is_none"))]
    pub streaming: Option<Streaming>,
    /// How frames reached the display; `None` for headless runs.
    #[cfg_attr(web, serde(skip))]
    #[cfg_attr(not(web), serde(default, skip_serializing_if = "Option::is_none"))]
    pub presentation: Option<Presentation>,
    /// Settings of each run; `cubes` is the largest requested count.
    pub settings: BenchSettings,
    /// Target frame rate. A sweep stops below it; the growth of a suite stops below 10 frames per second.
    pub fps: f64,
    /// All counts were measured, or one was too slow.
    pub complete: bool,
    /// Why the sweep stopped before the last count.
    pub stopped: Option<String>,
    /// Conditions that make the sweep less reliable, with advice.
    pub warnings: Vec<String>,
    /// Results of the sweep, for other programs to read; Cubefall computes them again.
    #[cfg_attr(web, serde(skip))]
    #[cfg_attr(not(web), serde(default, deserialize_with = "super::result::ignored"))]
    pub summary: Option<SweepSummary>,
    /// Measurements by ascending count.
    pub points: Vec<SweepPoint>,
}

/// Frame times for one count.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepPoint {
    /// Number of cubes.
    pub cubes: u32,
    /// Median frame time of each run, in ns.
    pub medians_ns: Vec<f64>,
    /// Median time per frame of the main thread without waits and submitting of each run, in ns.
    #[serde(default)]
    pub cpu_medians_ns: Vec<f64>,
    /// Median GPU time per frame of each run, in ns; empty if the adapter does not measure it.
    #[serde(default)]
    pub gpu_medians_ns: Vec<f64>,
}

impl SweepPoint {
    /// A point without runs.
    pub fn new(cubes: u32) -> Self {
        Self { cubes, ..Self::default() }
    }

    /// Adds a run that has frames.
    pub fn push(&mut self, run: &RunResult) {
        let median = |time| SortedTimes::of(&run.times(time)).median();
        self.medians_ns.extend(median(TimeOf::Frame));
        self.cpu_medians_ns.extend(median(TimeOf::Cpu));
        self.gpu_medians_ns.extend(median(TimeOf::Gpu));
    }

    /// Returns the median of the medians of the runs for one of the times, in ns; `None` if unknown.
    pub fn median_of(&self, time: TimeOf) -> Option<f64> {
        let medians = match time {
            TimeOf::Frame => &self.medians_ns,
            TimeOf::Cpu => &self.cpu_medians_ns,
            TimeOf::Gpu => &self.gpu_medians_ns,
        };
        quantile::median(&mut medians.clone())
    }
}

/// Largest count and growth of a sweep.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct SweepSummary {
    /// The largest count that holds the target frame rate.
    pub largest_count: LargestCount,
    /// The exponent `k` in `time = c cubes^k` at the largest counts; `None` for fewer than three points.
    pub exponent: Option<f64>,
}

/// The largest count that holds the target frame rate.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LargestCount {
    /// Below the smallest measured count.
    Below(u32),
    /// Interpolated between two measured counts, linear in logarithms.
    About(u32),
    /// At least the largest measured count.
    AtLeast(u32),
}

impl Sweep {
    /// Creates a sweep without points that starts now.
    pub fn new(name: String, settings: BenchSettings, fps: f64) -> Self {
        Self {
            schema: RESULT_SCHEMA,
            name,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            debug_build: cfg!(debug_assertions),
            started_unix_s: unix_seconds(),
            machine: Machine::current(),
            adapter: None,
            graphics: None,
            streaming: None,
            presentation: None,
            settings,
            fps,
            complete: false,
            stopped: None,
            warnings: Vec::new(),
            summary: None,
            points: Vec::new(),
        }
    }

    /// Checks that it can have been measured.
    ///
    /// # Errors
    /// Says what is inconsistent.
    pub fn check(&self) -> Result<(), String> {
        let is_time = |time: &f64| *time == 0.0 || RunMedian::new(*time).is_some();
        if !SWEEP_FPS.contains(&self.fps) {
            return Err(format!("its target of {} fps is out of range", self.fps));
        }
        if self.points.len() > MAX_POINTS {
            return Err(format!("it has more than {MAX_POINTS} counts"));
        }
        let mut fewer = 0;
        for SweepPoint { cubes, medians_ns, cpu_medians_ns, gpu_medians_ns } in &self.points {
            let all = [medians_ns, cpu_medians_ns, gpu_medians_ns];
            let are_times = all.into_iter().flatten().all(is_time);
            if medians_ns.is_empty() || medians_ns.contains(&0.0) || !are_times {
                return Err(format!("invalid times for {}", counted(*cubes, "cube")));
            }
            if *cubes <= fewer {
                return Err("its counts of cubes do not ascend".to_owned());
            }
            fewer = *cubes;
        }
        Ok(())
    }

    /// Returns the exponent `k` in `time = c cubes^k`; 1 is linear. `None` for fewer than three points.
    ///
    /// The Theil-Sen estimator over the largest counts, up to a ratio of 30: the median of the slopes
    /// between any two points in logarithms, rounded to hundredths.
    pub fn exponent(&self) -> Option<f64> {
        let logarithms = self.largest(TimeOf::Frame).map(|(cubes, time)| (cubes.ln(), time.ln()));
        let exponent = quantile::theil_sen(&logarithms.collect::<Vec<_>>())?;
        // Adding 0 turns -0 into 0.
        Some((exponent * 100.0).round() / 100.0 + 0.0)
    }

    /// Returns the time that each further cube takes, in ns. `None` for fewer than three points.
    ///
    /// The Theil-Sen estimator, as for the [exponent](Self::exponent), but not in logarithms.
    pub fn ns_per_further_cube(&self, time: TimeOf) -> Option<f64> {
        quantile::theil_sen(&self.largest(time).collect::<Vec<_>>())
    }

    /// Returns the largest counts, up to a ratio of 30, and their median times in ns.
    fn largest(&self, time: TimeOf) -> impl Iterator<Item = (f64, f64)> {
        let largest = self.points.last().map_or(0.0, |last| f64::from(last.cubes));
        let points = self.points.iter().map(move |point| (f64::from(point.cubes), point));
        let points = points.filter(move |(cubes, _)| cubes * GROWTH_SPAN >= largest);
        points.filter_map(move |(cubes, point)| Some((cubes, point.median_of(time)?)))
    }

    /// Returns the largest count that holds the target frame rate; `None` without points.
    pub fn largest_count(&self) -> Option<LargestCount> {
        let budget = 1e9 / self.fps;
        let time = |point: &SweepPoint| point.median_of(TimeOf::Frame);
        // An unknown time ends the search: the count is unknown then.
        let is_slow = |point: &SweepPoint| time(point).is_none_or(|time| time > budget);
        let Some(first_slow) = self.points.iter().position(is_slow) else {
            return self.points.last().map(|point| LargestCount::AtLeast(point.cubes));
        };
        let (above, slower) = (self.points[first_slow].cubes, time(&self.points[first_slow])?);
        let Some(before) = first_slow.checked_sub(1).map(|at| &self.points[at]) else {
            return Some(LargestCount::Below(above));
        };
        let (below, faster) = (before.cubes, time(before)?);
        let share = (budget / faster).ln() / (slower / faster).ln();
        let [from, to] = [below, above].map(f64::from);
        // Between the counts that were measured, also when rounded.
        let count = rounded(from * (to / from).powf(share), 2);
        Some(LargestCount::About(count.clamp(below, above.saturating_sub(1).max(below))))
    }

    /// Returns largest count and growth; `None` without points.
    pub fn summarize(&self) -> Option<SweepSummary> {
        let largest_count = self.largest_count()?;
        Some(SweepSummary { largest_count, exponent: self.exponent() })
    }

    /// Returns the largest count that holds the target frame rate in words: `60 fps at the median: up to
    /// about 20,000 cubes`.
    pub fn in_words(&self) -> String {
        let count = match self.largest_count() {
            Some(LargestCount::Below(cubes)) => format!("fewer than {}", counted(cubes, "cube")),
            Some(LargestCount::About(cubes)) => format!("up to about {}", counted(cubes, "cube")),
            Some(LargestCount::AtLeast(cubes)) => format!("at least {}", counted(cubes, "cube")),
            None => "nothing measured".to_owned(),
        };
        format!("{} fps at the median: {count}", self.fps)
    }

    /// Returns counts from `fewest`, at least 1, to `most`, at least `fewest`: `per_decade` to each power of ten. Counts between
    /// the two ends are rounded to two digits.
    pub fn counts(fewest: u32, most: u32, per_decade: u32) -> Vec<u32> {
        let fewest = fewest.max(1);
        let most = most.max(fewest);
        let (first, per_decade) = (f64::from(fewest), f64::from(per_decade));
        let decades = (f64::from(most) / first).log10();
        let steps = (decades * per_decade).ceil() as u32;
        let later = (1..steps).map(|i| rounded(first * 10_f64.powf(f64::from(i) / per_decade), 2));
        let between = later.filter(|count| (fewest..most).contains(count));
        let mut counts: Vec<_> = [fewest].into_iter().chain(between).chain([most]).collect();
        counts.dedup();
        counts
    }
}

/// Rounds to a number of significant digits.
pub(super) fn rounded(count: f64, digits: u8) -> u32 {
    let unit = 10_f64.powf((count.log10().floor() - f64::from(digits) + 1.0).max(0.0));
    ((count / unit).round() * unit) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sweep of one run for each count, in ms.
    fn sweep(points: &[(u32, f64)]) -> Sweep {
        let point = |&(cubes, ms): &(u32, f64)| SweepPoint {
            medians_ns: vec![ms * 1e6],
            ..SweepPoint::new(cubes)
        };
        let settings = BenchSettings { cubes: 10, ..BenchSettings::default() };
        let mut sweep = Sweep::new("test".into(), settings, 50.0);
        sweep.points = points.iter().map(point).collect();
        sweep
    }

    #[test]
    fn counts_are_evenly_spaced_in_logarithms_and_include_both_ends() {
        assert_eq!(Sweep::counts(1000, 10_000, 1), [1000, 10_000]);
        assert_eq!(Sweep::counts(1000, 25_000, 3), [1000, 2200, 4600, 10_000, 22_000, 25_000]);
        assert_eq!(Sweep::counts(1, 4, 12), [1, 2, 3, 4]);
        assert_eq!(Sweep::counts(500, 500, 3), [500]);
        assert_eq!(Sweep::counts(1234, 2000, 3), [1234, 2000]);
        assert_eq!(Sweep::counts(12_345, 30_000, 3), [12_345, 27_000, 30_000]);
    }

    type Change = fn(&mut Sweep);

    #[test]
    fn only_what_can_be_measured_passes_the_check() {
        let valid = sweep(&[(10, 1.0), (20, 2.0)]);
        assert_eq!(valid.check(), Ok(()));
        let many = (1..=1001).map(|cubes| (cubes, 1.0)).collect::<Vec<_>>();
        assert_eq!(sweep(&many[1..]).check(), Ok(()));
        assert_eq!(sweep(&many).check(), Err("it has more than 1000 counts".to_owned()));
        let changes: [(Change, &str); 9] = [
            (|it| it.fps = 0.0, "its target of 0 fps is out of range"),
            (|it| it.fps = f64::INFINITY, "its target of inf fps is out of range"),
            (|it| it.points.reverse(), "its counts of cubes do not ascend"),
            (|it| it.points[0].cubes = 0, "its counts of cubes do not ascend"),
            (|it| it.points[1].medians_ns.clear(), "invalid times for 20 cubes"),
            (|it| it.points[1].medians_ns[0] = 0.0, "invalid times for 20 cubes"),
            (|it| it.points[0].medians_ns[0] = 1e308, "invalid times for 10 cubes"),
            (|it| it.points[0].medians_ns[0] = 1e-320, "invalid times for 10 cubes"),
            (|it| it.points[0].gpu_medians_ns = vec![-5.0], "invalid times for 10 cubes"),
        ];
        for (change, reason) in changes {
            let mut sweep = valid.clone();
            change(&mut sweep);
            assert_eq!(sweep.check(), Err(reason.to_owned()));
        }
    }

    #[test]
    fn the_exponent_ignores_small_counts_and_a_disturbed_point() {
        // 1 ms fixed cost, then 3 ns n^1.5 with one point three times too slow.
        let power = |cubes: u32| (cubes, 3e-6 * f64::from(cubes).powf(1.5));
        let mut points = vec![(10, 1.0), (100, 1.0), power(10_000), power(20_000), power(50_000)];
        points.extend([power(100_000), power(200_000)]);
        points[3].1 *= 3.0;
        let exponent = sweep(&points).exponent().unwrap();
        assert!((exponent - 1.5).abs() < 1e-9, "{exponent}");
        assert_eq!(sweep(&points[..2]).exponent(), None);
    }

    #[test]
    fn the_largest_count_is_interpolated_at_the_budget() {
        // At 50 per second a frame has 20 ms; time is linear, so 10,000 cubes in 10 ms give 20,000.
        let linear = [(1000, 1.0), (10_000, 10.0), (100_000, 100.0)];
        assert_eq!(sweep(&linear).largest_count(), Some(LargestCount::About(20_000)));
        assert_eq!(sweep(&linear[..2]).largest_count(), Some(LargestCount::AtLeast(10_000)));
        assert_eq!(sweep(&linear[2..]).largest_count(), Some(LargestCount::Below(100_000)));
        assert_eq!(sweep(&[]).largest_count(), None);
    }

    #[test]
    fn the_exponent_has_two_decimals_and_uses_a_ratio_of_thirty() {
        let power = |cubes: u32| (cubes, 3e-6 * f64::from(cubes).powf(1.234));
        let points = [power(10_000), power(100_000), power(300_000)];
        assert_eq!(sweep(&points).exponent(), Some(1.23));
        assert_eq!(sweep(&[(9_999, 1.0), points[1], points[2]]).exponent(), None);
    }
}
