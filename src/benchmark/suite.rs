//! Suite: one number for a machine, the score, beside the growth of frame times and the cost of settings.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::summary::exceeds;
use super::sweep::rounded;
use super::{
    LargestCount, Machine, RESULT_SCHEMA, RunResult, SortedTimes, Sweep, TimeOf, quantile,
};
use crate::units::{UNKNOWN, count, counted, ms, percent};

/// Frame rate that the cubes of a score hold.
pub const SCORE_FPS: f64 = 60.0;

/// Runs that decide the score. The range of six contains the median of all such runs with a probability of
/// 31 in 32.
pub const SCORE_RUNS: u32 = 6;

/// Time of a frame at [`SCORE_FPS`], in ns.
const BUDGET: f64 = 1e9 / SCORE_FPS;

/// Significant digits of a score.
const DIGITS: u8 = 3;

/// Relative width of the range of a score above which it is unreliable.
const MAX_RANGE: f64 = 0.2;

/// Measurements at the standard settings and others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Version of the format.
    #[schemars(range(min = RESULT_SCHEMA, max = RESULT_SCHEMA))]
    pub schema: u32,
    /// Measured with fewer and shorter runs.
    pub quick: bool,
    /// All runs are present.
    pub complete: bool,
    /// The scores; `None` before the first of the `score_runs`.
    pub scores: Option<Scores>,
    /// Frame times by number of cubes at the standard settings. Its machine, adapter and warnings are those of
    /// the whole suite.
    pub growth: Sweep,
    /// Runs at the number of cubes that holds the frame rate of the score.
    pub score_runs: Vec<ScoreRun>,
    /// The standard settings and others, at the number of cubes of the `score_runs`.
    pub variants: Vec<Variant>,
}

/// The slowest frames of a run at the standard settings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScoreRun {
    /// Number of cubes.
    pub cubes: u32,
    /// Mean time of the slowest 1 % of frames, in ns.
    pub frame_ns: f64,
    /// Mean of the longest 1 % of the frames' times of the main thread without waits and submitting
    /// ([`TimeOf::Cpu`](super::TimeOf)), in ns.
    pub cpu_ns: f64,
    /// Mean of the longest 1 % of the frames' GPU times, in ns; `None` if the adapter does not measure them.
    pub gpu_ns: Option<f64>,
}

/// Runs with some settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Flags besides those of the standard settings; empty for these.
    pub flags: String,
    /// Median frame time of each run, in ns.
    pub medians_ns: Vec<f64>,
}

/// How many cubes hold 60 fps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// The Cubefall score.
    pub cubes: Score,
    /// The score if only the main thread, without waits and submitting, took time; `None` if this time does not grow with the
    /// number of cubes.
    pub cpu: Option<Score>,
    /// The score if only the GPU took time; `None` if it does not grow, or is unknown.
    pub gpu: Option<Score>,
}

/// A number of cubes and its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Median over the runs, to three digits; 0 if the empty scene would not hold the frame rate, or if frames that
    /// do not hold it take no longer with more cubes.
    pub cubes: u32,
    /// Smallest of all runs.
    pub least: u32,
    /// Largest of all runs.
    pub most: u32,
    /// More cubes could not be measured, so that the score is at least `cubes`.
    pub at_least: bool,
}

/// How much a suite measures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SuiteLength {
    /// Fewer and shorter runs: one to three minutes.
    Quick,
    /// About five minutes.
    Full,
}

impl Suite {
    /// Creates a suite without runs.
    pub fn new(growth: Sweep, length: SuiteLength) -> Self {
        Self {
            schema: RESULT_SCHEMA,
            quick: length == SuiteLength::Quick,
            complete: false,
            scores: None,
            growth,
            score_runs: Vec::new(),
            variants: Vec::new(),
        }
    }

    /// Returns the number of cubes that holds the frame rate by one run: its count and further cubes for the
    /// time that is left, each of which takes as long as in the growth. If that is unknown, time is proportional
    /// to the count.
    pub fn estimate(&self, run: &ScoreRun) -> u32 {
        match self.growth.ns_per_further_cube(TimeOf::Frame) {
            Some(each) if each > 0.0 => further(run.cubes, run.frame_ns, each),
            // Fewer cubes take no less time.
            Some(_) if run.frame_ns > BUDGET => 0,
            _ => further(run.cubes, run.frame_ns, run.frame_ns / f64::from(run.cubes)),
        }
    }

    /// Computes the scores from the growth and the score runs.
    pub fn set_scores(&mut self) {
        let side = |time: TimeOf, low: fn(&ScoreRun) -> Option<f64>| {
            let each = self.growth.ns_per_further_cube(time).filter(|each| *each > 0.0)?;
            Score::of(self.score_runs.iter().map(|run| Some(further(run.cubes, low(run)?, each))))
        };
        let whole = Score::of(self.score_runs.iter().map(|run| Some(self.estimate(run))));
        let largest = self.growth.largest_count();
        let measured = self.score_runs.first().map(|run| LargestCount::AtLeast(run.cubes));
        self.scores = whole.map(|cubes| Scores {
            cubes: match largest {
                // The score runs had the largest count of the growth, which still held the rate: no more could be measured.
                Some(LargestCount::AtLeast(limit)) if largest == measured => cubes.limited(limit),
                _ => cubes,
            },
            cpu: side(TimeOf::Cpu, |run| Some(run.cpu_ns)),
            gpu: side(TimeOf::Gpu, |run| run.gpu_ns),
        });
    }

    /// Returns one sentence: the score and whether it is reliable.
    pub fn in_words(&self) -> String {
        let Some(Scores { cubes, .. }) = self.scores else {
            return "No score: the runs that decide it were not measured.".to_owned();
        };
        let quick = if self.quick { "Quick Cubefall" } else { "Cubefall" };
        let reliability = match self.unreliable(cubes) {
            None => "reliable".to_owned(),
            Some(reason) => format!("unreliable: {reason}"),
        };
        let meaning = match cubes.cubes {
            0 => "no number of cubes holds 60 fps at 1 % low",
            _ => "cubes at 60 fps, 1 % low",
        };
        format!("{quick} score {cubes}: {meaning}; {reliability}.")
    }

    /// Returns the most serious reason why the score is not reliable.
    fn unreliable(&self, score: Score) -> Option<String> {
        if !self.complete {
            return Some("not all runs were measured".to_owned());
        }
        if self.growth.debug_build {
            return Some("debug build".to_owned());
        }
        let range = f64::from(score.most.saturating_sub(score.least)) / f64::from(score.cubes);
        // Next to no cubes there is nothing to compare the range with.
        if score.cubes > 0 && exceeds(range, MAX_RANGE) {
            return Some(format!("runs differ by {}: close other programs", percent(range)));
        }
        let warnings = &self.growth.warnings;
        let software = warnings.iter().find(|warning| warning.starts_with("software adapter"));
        software.or(warnings.first()).cloned()
    }

    /// Returns a block of text to publish, which names everything that the score depends on.
    pub fn submit_text(&self) -> String {
        let sides = self.scores.map(|scores| scores.sides() + "\n").unwrap_or_default();
        format!("{}\n{sides}{}", self.in_words(), self.conditions())
    }

    /// Returns program, adapter and machine, one line each.
    pub fn conditions(&self) -> String {
        let Sweep { machine, adapter, version, debug_build, started_unix_s, .. } = &self.growth;
        let date = super::facts::utc(*started_unix_s).strftime("%Y-%m-%d");
        let build = if *debug_build { "debug" } else { "release" };
        let adapter = adapter.as_deref().unwrap_or(UNKNOWN);
        let Machine { cpu, threads, os, clock_step_ns, .. } = machine;
        let threads = counted(*threads, "thread");
        let clock = clock_step_ns
            .map(|step| format!("\nthe clock advances in steps of {}", ms(step as f64)))
            .unwrap_or_default();
        format!(
            "Cubefall {version}, {build} build, {date}\n{adapter}\n{cpu}, {threads}, {os}{clock}"
        )
    }
}

impl Scores {
    /// Returns the scores of CPU and GPU as one line.
    pub fn sides(&self) -> String {
        let text =
            |side: Option<Score>| side.map_or("unknown".to_owned(), |score| score.to_string());
        format!("CPU side {}; GPU side {}", text(self.cpu), text(self.gpu))
    }
}

impl ScoreRun {
    /// Returns the slowest 1 % of a run; `None` without frames.
    pub fn of(cubes: u32, run: &RunResult) -> Option<Self> {
        let low = |time| quantile::mean(SortedTimes::of(&run.times(time)).slowest(100));
        Some(Self {
            cubes,
            frame_ns: low(TimeOf::Frame)?,
            cpu_ns: low(TimeOf::Cpu)?,
            gpu_ns: low(TimeOf::Gpu),
        })
    }
}

impl Variant {
    /// Returns the median of the medians of the runs, in ns; `None` without runs.
    pub fn median(&self) -> Option<f64> {
        quantile::median(&mut self.medians_ns.clone())
    }

    /// Returns the flags, or the name of the standard settings.
    pub fn name(&self) -> &str {
        if self.flags.is_empty() { "standard" } else { &self.flags }
    }
}

impl Score {
    /// Returns median and range of the counts of all runs. `None` without runs, or if one is unknown.
    fn of(runs: impl Iterator<Item = Option<u32>>) -> Option<Self> {
        let mut counts = runs.map(|count| count.map(f64::from)).collect::<Option<Vec<_>>>()?;
        let [least, most] = quantile::range(&counts)?;
        let median = quantile::median(&mut counts)?;
        let [cubes, least, most] = [median, least, most].map(|count| rounded(count, DIGITS));
        Some(Self { cubes, least, most, at_least: false })
    }

    /// Limits the score to the largest measured count.
    fn limited(self, largest: u32) -> Self {
        let [cubes, least, most] =
            [self.cubes, self.least, self.most].map(|count| count.min(largest));
        Self { cubes, least, most, at_least: cubes == largest }
    }
}

impl fmt::Display for Score {
    /// `41,300 (39,800 to 42,500)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cubes, least, most, at_least } = *self;
        let at_least = if at_least { "at least " } else { "" };
        write!(f, "{at_least}{}", count(cubes))?;
        if least == most { Ok(()) } else { write!(f, " ({} to {})", count(least), count(most)) }
    }
}

/// Returns the count that takes the time of a frame at [`SCORE_FPS`] if `cubes` take `time` ns and each
/// further one takes `each` ns.
fn further(cubes: u32, time: f64, each: f64) -> u32 {
    // Casts from float saturate.
    (f64::from(cubes) + (BUDGET - time) / each).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{frame, run};
    use crate::benchmark::{BenchSettings, FramePhase, FrameSample, SweepPoint};

    /// A suite whose frames take 2 ms and 400 ns per cube, the CPU 1 ms and 50 ns, the GPU 300 ns.
    fn suite() -> Suite {
        let mut growth = Sweep::new("test".to_owned(), BenchSettings::default(), SCORE_FPS);
        growth.debug_build = false;
        growth.points = [1000, 5000, 20_000, 50_000]
            .map(|cubes| {
                let n = f64::from(cubes);
                let mut point = SweepPoint::new(cubes);
                point.medians_ns = vec![2e6 + 400.0 * n];
                point.cpu_medians_ns = vec![1e6 + 50.0 * n];
                point.gpu_medians_ns = vec![300.0 * n];
                point
            })
            .into();
        Suite { complete: true, ..Suite::new(growth, SuiteLength::Full) }
    }

    fn score_run(cubes: u32, frame_ms: f64) -> ScoreRun {
        ScoreRun { cubes, frame_ns: frame_ms * 1e6, cpu_ns: 3e6, gpu_ns: Some(9e6) }
    }

    #[test]
    fn scores_are_the_median_and_the_range_of_the_runs() {
        let mut suite = suite();
        suite.set_scores();
        assert_eq!(suite.scores, None);
        let times = [17.0, 16.0, 18.0, 16.6, 16.8, 16.4];
        suite.score_runs = times.map(|ms| score_run(36_000, ms)).into();
        suite.set_scores();
        let Some(Scores { cubes, cpu, gpu }) = suite.scores else { panic!("runs have a score") };
        // 36,000 + (16.667 - t) / 400 ns: the middle two are 16.6 and 16.8 ms.
        assert_eq!(cubes, Score { cubes: 35_900, least: 32_700, most: 37_700, at_least: false });
        // 36,000 + (16.667 - 3) / 50 ns, and 36,000 + (16.667 - 9) / 300 ns.
        assert_eq!(cpu.map(|cpu| cpu.cubes), Some(309_000));
        assert_eq!(gpu.map(|gpu| gpu.cubes), Some(61_600));
        suite.score_runs[3].gpu_ns = None;
        suite.set_scores();
        assert_eq!(suite.scores.and_then(|scores| scores.gpu), None, "unknown in one run");
        assert_eq!(suite.estimate(&score_run(1000, 50.0)), 0, "no count holds the rate");
        for (point, ms) in suite.growth.points.iter_mut().zip([200.0, 202.0, 199.0, 198.0]) {
            point.medians_ns = vec![ms * 1e6];
        }
        assert_eq!(suite.estimate(&score_run(1000, 200.0)), 0, "time does not grow");
        assert_eq!(suite.estimate(&score_run(1000, 8.0)), 2083, "proportional without growth");
        suite.growth.points.clear();
        assert_eq!(suite.estimate(&score_run(1000, 8.0)), 2083, "proportional without growth");
    }

    #[test]
    fn a_score_beyond_the_largest_count_is_at_least_that() {
        let mut suite = suite();
        suite.growth.points.pop();
        suite.score_runs = vec![score_run(20_000, 10.0); 6];
        suite.set_scores();
        let score = suite.scores.unwrap().cubes;
        assert_eq!((score.cubes, score.at_least), (20_000, true));
        assert!(suite.in_words().contains("score at least 20,000"), "{}", suite.in_words());
        // 16.667 ms hold further cubes of 400 ns.
        suite.score_runs = vec![score_run(15_000, 10.0); 6];
        suite.set_scores();
        let score = suite.scores.unwrap().cubes;
        assert_eq!((score.cubes, score.at_least), (31_700, false), "another count was measured");
    }

    #[test]
    fn a_score_of_zero_has_no_relative_range() {
        let mut suite = suite();
        suite.growth.warnings = vec!["software adapter".to_owned()];
        suite.score_runs =
            [20.0, 21.0, 20.0, 22.0, 20.0, 16.0].map(|ms| score_run(1000, ms)).into();
        suite.set_scores();
        let expected = "Cubefall score 0 (0 to 2,670): no number of cubes holds 60 fps at 1 % low; unreliable: \
                        software adapter.";
        assert_eq!(suite.in_words(), expected);
    }

    #[test]
    fn the_sentence_names_the_most_serious_reason() {
        let mut suite = suite();
        suite.score_runs = vec![score_run(36_000, 16.0); 6];
        suite.set_scores();
        let reliable = "Cubefall score 37,700: cubes at 60 fps, 1 % low; ";
        let check = |suite: &Suite, verdict: &str| {
            assert_eq!(suite.in_words(), format!("{reliable}{verdict}."));
        };
        check(&suite, "reliable");
        suite.growth.warnings = vec!["load: 3".to_owned()];
        check(&suite, "unreliable: load: 3");
        suite.growth.warnings.push("software adapter".to_owned());
        check(&suite, "unreliable: software adapter");
        suite.growth.debug_build = true;
        check(&suite, "unreliable: debug build");
        suite.complete = false;
        check(&suite, "unreliable: not all runs were measured");
        let text = suite.submit_text();
        assert!(text.starts_with(reliable) && text.contains("CPU side 309,000"), "{text}");
    }

    #[test]
    fn the_slowest_frames_of_each_kind_count() {
        let frame = |sim, wait, gpu| FrameSample {
            gpu: Some(gpu),
            ..frame(&[(FramePhase::Sim, sim), (FramePhase::GpuWait, wait)])
        };
        let mut frames = vec![frame(10, 10, 5); 198];
        // Of 200 frames the slowest 1 % are two.
        frames.extend([frame(10, 90, 5), frame(30, 20, 25)]);
        let low = ScoreRun::of(7, &run(frames)).unwrap();
        assert_eq!((low.frame_ns, low.cpu_ns, low.gpu_ns), (75.0, 20.0, Some(15.0)));
        assert_eq!(ScoreRun::of(7, &run(Vec::new())), None);
    }

    #[test]
    fn scores_of_runs_that_differ_by_more_than_a_fifth_are_unreliable() {
        let mut suite = suite();
        let mut check = |ms: [f64; 6], expected: &str| {
            suite.score_runs = ms.map(|ms| score_run(36_000, ms)).into();
            suite.set_scores();
            assert!(suite.in_words().ends_with(expected), "{}", suite.in_words());
        };
        // 400 ns a cube: 1 ms is 2,500 cubes of about 37,700.
        check([16.0, 16.0, 16.0, 16.0, 16.0, 18.9], "; reliable.");
        check(
            [16.0, 16.0, 16.0, 16.0, 16.0, 19.4],
            "(29,200 to 37,700): cubes at 60 fps, 1 % low; unreliable: runs differ by 22.5 %: close other programs.",
        );
    }

    #[test]
    fn a_side_that_does_not_grow_has_no_score_and_a_quick_score_says_so() {
        let mut suite = suite();
        suite.quick = true;
        for point in &mut suite.growth.points {
            (point.cpu_medians_ns, point.gpu_medians_ns) = (vec![1e6], vec![2e6]);
        }
        suite.score_runs = vec![score_run(36_000, 16.0); 6];
        suite.set_scores();
        let scores = suite.scores.unwrap();
        assert_eq!((scores.cpu, scores.gpu), (None, None));
        assert!(suite.in_words().starts_with("Quick Cubefall score 37,700: "));
    }

    #[test]
    fn a_count_that_cannot_grow_or_was_too_slow_is_no_lower_bound() {
        let mut suite = suite();
        suite.growth.points.pop();
        suite.score_runs = vec![score_run(20_000, 17.0); 6];
        suite.set_scores();
        let score = suite.scores.unwrap().cubes;
        assert_eq!((score.cubes, score.at_least), (19_200, false));
        for point in &mut suite.growth.points {
            point.medians_ns = vec![20e6];
        }
        assert_eq!(suite.estimate(&score_run(1000, 17.0)), 0, "fewer cubes take no less time");
    }
}
