//! Sweep: how frame times grow with the number of cubes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::unix_seconds;
use super::{BenchSettings, Machine, RESULT_SCHEMA, RunMedian};
use crate::benchmark::quantile;

/// Counts this many times apart and less are looked at for the exponent: below, what a frame costs
/// without any cube hides how the rest grows.
pub(super) const EXPONENT_SPAN: f64 = 30.0;

/// Frame times of the same scene with more and more cubes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// [`RESULT_SCHEMA`].
    pub schema: u32,
    /// What the sweep is called.
    pub name: String,
    /// Version of Cubefall.
    pub version: String,
    /// A build without optimisation says nothing about speed.
    pub debug_build: bool,
    /// When it began, in seconds since 1970 (UTC).
    pub started_unix_s: u64,
    /// Where.
    pub machine: Machine,
    /// Name, kind, backend and driver of the adapter; none before the first run.
    pub adapter: Option<String>,
    /// What was run, but for the number of cubes, which is the largest one asked for.
    pub settings: BenchSettings,
    /// Frames per second below which it stops.
    pub fps: f64,
    /// Whether every count was measured, or one whose frames take too long.
    pub complete: bool,
    /// Why it stopped before the last count, if it did.
    pub stopped: Option<String>,
    /// What makes the figures less worth, and what to do about it.
    pub warnings: Vec<String>,
    /// What was measured, by ascending count.
    pub points: Vec<SweepPoint>,
}

/// Frame times with so many cubes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepPoint {
    /// How many cubes.
    pub cubes: u32,
    /// Median frame time of each run, in ns.
    pub medians_ns: Vec<f64>,
}

impl SweepPoint {
    /// The median of the runs' medians, in ns; none without a run.
    #[must_use]
    pub fn median(&self) -> Option<RunMedian> {
        quantile::median(&mut self.medians_ns.clone()).and_then(RunMedian::new)
    }

    /// The fastest and the slowest run's median, in ns; none without a run.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let fastest = self.medians_ns.iter().copied().reduce(f64::min)?;
        Some((fastest, self.medians_ns.iter().copied().fold(fastest, f64::max)))
    }
}

/// How many cubes a display can be fed with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LargestCount {
    /// Not even the fewest that were measured.
    Below(u32),
    /// About so many, by a straight line in logarithms between the counts around it.
    About(u32),
    /// The most that were measured, and perhaps more.
    AtLeast(u32),
}

impl Sweep {
    /// An empty one that begins now.
    #[must_use]
    pub fn new(name: String, settings: BenchSettings, fps: f64) -> Self {
        Self {
            schema: RESULT_SCHEMA,
            name,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            debug_build: cfg!(debug_assertions),
            started_unix_s: unix_seconds(),
            machine: Machine::current(),
            adapter: None,
            settings,
            fps,
            complete: false,
            stopped: None,
            warnings: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The exponent `k` in `time = c cubes^k` over the largest counts, up to thirty times apart:
    /// the median slope between any two of them in logarithms (Theil 1950, Sen 1968), which a few
    /// disturbed points do not bend; none of fewer than three. 1 is linear.
    #[must_use]
    pub fn exponent(&self) -> Option<f64> {
        let largest = f64::from(self.points.last()?.cubes);
        let logarithms: Vec<_> = self
            .points
            .iter()
            .filter(|point| f64::from(point.cubes) * EXPONENT_SPAN >= largest)
            .filter_map(|point| {
                Some((f64::from(point.cubes).ln(), point.median()?.nanoseconds().ln()))
            })
            .collect();
        if logarithms.len() < 3 {
            return None;
        }
        let later = |i: usize| &logarithms[i + 1..];
        let mut slopes: Vec<_> = logarithms
            .iter()
            .enumerate()
            .flat_map(|(i, a)| later(i).iter().map(move |b| (b.1 - a.1) / (b.0 - a.0)))
            .collect();
        quantile::median(&mut slopes)
    }

    /// Up to how many cubes frames are as many per second as asked for; none without a point.
    #[must_use]
    pub fn largest_count(&self) -> Option<LargestCount> {
        let budget = 1e9 / self.fps;
        let mut within: Option<(u32, f64)> = None;
        for point in &self.points {
            let time = point.median()?.nanoseconds();
            if time > budget {
                return Some(match within {
                    None => LargestCount::Below(point.cubes),
                    Some((fewer, faster)) => {
                        let (fewer, cubes) = (f64::from(fewer), f64::from(point.cubes));
                        let share = (budget / faster).ln() / (time / faster).ln();
                        LargestCount::About(rounded(fewer * (cubes / fewer).powf(share)))
                    }
                });
            }
            within = Some((point.cubes, time));
        }
        within.map(|(cubes, _)| LargestCount::AtLeast(cubes))
    }

    /// Counts from `fewest` to `most`, so many to each power of ten, those between
    /// rounded to two digits.
    #[must_use]
    pub fn counts(fewest: u32, most: u32, per_decade: u32) -> Vec<u32> {
        let (first, per_decade) = (f64::from(fewest), f64::from(per_decade));
        let decades = (f64::from(most) / first).log10();
        #[expect(clippy::cast_sign_loss, reason = "the cast saturates: what is below 0 becomes 0")]
        let steps = (decades * per_decade).ceil() as u32;
        // As it was asked for, and round numbers from there on.
        let later = (1..steps).map(|i| rounded(first * 10_f64.powf(f64::from(i) / per_decade)));
        let between = later.filter(|count| (fewest..most).contains(count));
        let mut counts: Vec<_> = [fewest].into_iter().chain(between).chain([most]).collect();
        counts.dedup();
        counts
    }
}

/// To two digits: more are not known.
fn rounded(count: f64) -> u32 {
    let unit = 10_f64.powf((count.log10().floor() - 1.0).max(0.0));
    #[expect(clippy::cast_sign_loss, reason = "counts are above 0")]
    let whole = ((count / unit).round() * unit) as u32;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(points: &[(u32, &[f64])]) -> Sweep {
        let point = |&(cubes, ms): &(u32, &[f64])| SweepPoint {
            cubes,
            medians_ns: ms.iter().map(|ms| ms * 1e6).collect(),
        };
        let settings = BenchSettings { cubes: 10, ..BenchSettings::default() };
        let mut sweep = Sweep::new("test".into(), settings, 50.0);
        sweep.points = points.iter().map(point).collect();
        sweep
    }

    #[test]
    fn counts_are_evenly_apart_in_logarithms_and_end_where_asked() {
        assert_eq!(Sweep::counts(1000, 10_000, 1), [1000, 10_000]);
        assert_eq!(Sweep::counts(1000, 25_000, 3), [1000, 2200, 4600, 10_000, 22_000, 25_000]);
        assert_eq!(Sweep::counts(1, 4, 12), [1, 2, 3, 4]);
        assert_eq!(Sweep::counts(500, 500, 3), [500]);
        assert_eq!(Sweep::counts(1234, 2000, 3), [1234, 2000]);
        assert_eq!(Sweep::counts(12_345, 30_000, 3), [12_345, 27_000, 30_000]);
    }

    #[test]
    fn the_exponent_is_that_of_the_largest_counts_and_bears_a_disturbed_point() {
        // 1 ms for the frame itself; then 3 ns n^1.5, with one point three times too slow.
        let power = |n: f64| [3e-6 * n.powf(1.5)];
        let large = [1e4, 2e4, 5e4, 1e5, 2e5].map(power);
        let points = [
            (10, &[1.0][..]),
            (100, &[1.0]),
            (10_000, &large[0]),
            (20_000, &[large[1][0] * 3.0]),
            (50_000, &large[2]),
            (100_000, &large[3]),
            (200_000, &large[4]),
        ];
        let exponent = sweep(&points).exponent().unwrap();
        assert!((exponent - 1.5).abs() < 1e-9, "{exponent}");
        assert_eq!(sweep(&points[..2]).exponent(), None);
        assert_eq!(sweep(&[]).exponent(), None);
    }

    #[test]
    fn the_reach_lies_between_the_counts_around_the_budget() {
        // At 50 per second a frame has 20 ms; time is linear, so 10 ms at 10,000 reach 20,000.
        let linear: [(u32, &[f64]); 3] = [(1000, &[1.0]), (10_000, &[10.0]), (100_000, &[100.0])];
        assert_eq!(sweep(&linear).largest_count(), Some(LargestCount::About(20_000)));
        assert_eq!(sweep(&linear[..2]).largest_count(), Some(LargestCount::AtLeast(10_000)));
        assert_eq!(sweep(&linear[2..]).largest_count(), Some(LargestCount::Below(100_000)));
        assert_eq!(sweep(&[]).largest_count(), None);
    }

    #[test]
    fn a_point_is_the_median_of_its_runs() {
        let point = &sweep(&[(5, &[3.0, 9.0, 4.0])]).points[0];
        assert_eq!(point.median().map(RunMedian::nanoseconds), Some(4e6));
        assert_eq!(point.range(), Some((3e6, 9e6)));
    }
}
