//! A suite in progress: which run comes next, and what follows from each.

use super::{
    LargestCount, RunError, RunResult, SCORE_RUNS, ScoreRun, Suite, Sweep, SweepPlan, SweepSession,
    Variant, add_warnings,
};
use crate::render::{Geometry, Gpu, Streaming};
use crate::units::count;

/// Settings of the score, besides defaults of all adapters.
pub const STANDARD_FLAGS: &str = "--size 1280x720 --quality medium --mode cubes-fall --seed 1";

/// Smallest and largest number of cubes of the growth.
const COUNTS: [u32; 2] = [1000, 100_000_000];

/// Slowest frames of the growth: slower ones take too long to measure.
const SLOWEST_FPS: f64 = 10.0;

/// Counts that the growth has at least, however slow they are.
const GROWTH_POINTS: usize = 3;

/// Attempts to find the number of cubes for the score runs.
const PILOTS: u32 = 3;

/// Relative change of that number below which it is found.
const CLOSE: f64 = 0.1;

/// Lengths of the parts of a suite.
struct Lengths {
    /// Runs for each count of the growth.
    growth_runs: u32,
    /// Flags of these runs.
    growth: &'static str,
    /// Flags of the runs that find the count of the score.
    pilot: &'static str,
    /// Flags of the score runs.
    score: &'static str,
    /// Runs of each variant.
    rounds: u32,
    /// Flags of these runs.
    variant: &'static str,
}

/// About five minutes.
const FULL: Lengths = Lengths {
    growth_runs: 2,
    growth: "--warmup 30 --duration 1.5 --max-duration 1.5",
    pilot: "--warmup 60 --frames 300",
    score: "--warmup 120 --frames 1000",
    rounds: 3,
    variant: "--warmup 30 --duration 2 --max-duration 2",
};

/// About one minute.
const QUICK: Lengths = Lengths {
    growth_runs: 1,
    growth: "--warmup 15 --duration 0.5 --max-duration 0.5",
    pilot: "--warmup 30 --frames 100",
    score: "--warmup 30 --frames 200",
    rounds: 1,
    variant: "--warmup 15 --duration 1 --max-duration 1",
};

/// A run that a suite needs next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRun {
    /// What it measures.
    pub label: String,
    /// Flags after those of [`STANDARD_FLAGS`], which they override.
    pub flags: String,
}

/// Measures the growth, then the score at the count that holds its frame rate, then other settings. The
/// caller makes the runs.
pub struct SuiteSession {
    suite: Suite,
    lengths: &'static Lengths,
    /// Geometries and ways of streaming that the adapter can do.
    paths: Vec<(Geometry, Streaming)>,
    stage: Stage,
}

/// What is measured.
enum Stage {
    Growth(SweepSession),
    /// Attempt `number` to find the count of the score.
    Pilot {
        cubes: u32,
        number: u32,
    },
    /// Score run `number`.
    Score {
        cubes: u32,
        number: u32,
    },
    /// The variant at index `at`.
    Variant {
        cubes: u32,
        round: u32,
        at: usize,
    },
    Done,
}

impl SuiteSession {
    /// Starts a suite with a `growth` without points of [`STANDARD_FLAGS`] and [`SCORE_FPS`](super::SCORE_FPS). `paths` are those
    /// that the adapter can do.
    ///
    /// # Errors
    /// Not even the smallest count fits into the memory and into the device.
    pub fn new(
        mut growth: Sweep,
        quick: bool,
        gpu: &Gpu,
        paths: Vec<(Geometry, Streaming)>,
    ) -> Result<Self, RunError> {
        let lengths = if quick { &QUICK } else { &FULL };
        let plan = lengths.plan();
        (growth.settings.cubes, growth.settings.runs) = (plan.largest, plan.runs);
        let stage = Stage::Growth(SweepSession::new(plan, gpu, &mut growth)?);
        Ok(Self { suite: Suite::new(growth, quick), lengths, paths, stage })
    }

    /// Returns the suite so far.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Ends the session and returns the suite so far.
    pub fn into_suite(self) -> Suite {
        self.suite
    }

    /// Returns the next run; `None` when the suite is complete.
    pub fn next_run(&self) -> Option<PlannedRun> {
        let Lengths { growth, pilot, score, variant, rounds, .. } = self.lengths;
        let run = |label, cubes: u32, length: &str, more: &str| {
            let flags = format!("--cubes {cubes} {length} {more}").trim_end().to_owned();
            Some(PlannedRun { label, flags })
        };
        match self.stage {
            Stage::Growth(ref sweep) => {
                let (cubes, label) = sweep.next_run(&self.suite.growth)?;
                run(label, cubes, growth, "")
            }
            Stage::Pilot { cubes, .. } => {
                run(format!("score: trying {} cubes", count(cubes)), cubes, pilot, "")
            }
            Stage::Score { cubes, number } => {
                let label = format!("score: {} cubes, run {number} of {SCORE_RUNS}", count(cubes));
                run(label, cubes, score, "")
            }
            Stage::Variant { cubes, round, at } => {
                let tried = &self.suite.variants[at];
                let label = format!("settings: {}, round {round} of {rounds}", tried.name());
                run(label, cubes, variant, &tried.flags)
            }
            Stage::Done => None,
        }
    }

    /// Returns the number of runs that are left of the part that is measured, at most.
    pub fn runs_left(&self) -> u64 {
        match self.stage {
            Stage::Growth(ref sweep) => sweep.runs_left(&self.suite.growth),
            Stage::Pilot { number, .. } => u64::from(PILOTS + 1 - number),
            Stage::Score { number, .. } => u64::from(SCORE_RUNS + 1 - number),
            Stage::Variant { round, at, .. } => {
                let later_rounds = u64::from(self.lengths.rounds - round);
                let variants = self.suite.variants.len() as u64;
                later_rounds * variants + variants - at as u64
            }
            Stage::Done => 0,
        }
    }

    /// Adds the result of the next run, which has frames.
    pub fn push(&mut self, run: &RunResult) {
        if !matches!(self.stage, Stage::Growth(_)) {
            add_warnings(&mut self.suite.growth.warnings, std::slice::from_ref(run));
        }
        match self.stage {
            Stage::Growth(ref mut sweep) => {
                sweep.push(&mut self.suite.growth, run);
                if self.suite.growth.complete {
                    self.end_growth();
                }
            }
            Stage::Pilot { cubes, number } => {
                self.stage = self.next_pilot(run, cubes, number);
            }
            Stage::Score { cubes, number } => {
                self.suite.score_runs.extend(ScoreRun::of(cubes, run));
                self.suite.set_scores();
                self.stage = if number < SCORE_RUNS {
                    Stage::Score { cubes, number: number + 1 }
                } else {
                    self.suite.variants = self.variants(run);
                    Stage::Variant { cubes, round: 1, at: 0 }
                };
            }
            Stage::Variant { cubes, round, at } => {
                let Suite { variants, complete, .. } = &mut self.suite;
                variants[at].medians_ns.extend(run.median_ns);
                self.stage = if at + 1 < variants.len() {
                    Stage::Variant { cubes, round, at: at + 1 }
                } else if round < self.lengths.rounds {
                    Stage::Variant { cubes, round: round + 1, at: 0 }
                } else {
                    *complete = true;
                    Stage::Done
                };
            }
            Stage::Done => {}
        }
    }

    fn end_growth(&mut self) {
        let Suite { growth, .. } = &mut self.suite;
        if !matches!(growth.largest_count(), Some(LargestCount::AtLeast(_))) {
            // Of no interest beyond the count of the score.
            growth.stopped = None;
        }
        let cubes = self.suite.first_count().unwrap_or(COUNTS[0]);
        self.stage = Stage::Pilot { cubes, number: 1 };
    }

    /// Looks for the count whose slowest frames take about as long as the score allows.
    fn next_pilot(&self, run: &RunResult, cubes: u32, number: u32) -> Stage {
        let Some(pilot) = ScoreRun::of(cubes, run) else {
            return Stage::Score { cubes, number: 1 };
        };
        let largest = self.suite.growth.points.last().map_or(cubes, |point| point.cubes);
        // A disturbed run must not lead far away.
        let [least, most] = [cubes / 4, cubes.saturating_mul(4)];
        let most = most.clamp(COUNTS[0], largest);
        let next = self.suite.estimate(&pilot).clamp(least.clamp(COUNTS[0], most), most);
        let change = (f64::from(next) / f64::from(cubes) - 1.0).abs();
        if change < CLOSE || number == PILOTS {
            Stage::Score { cubes: next, number: 1 }
        } else {
            Stage::Pilot { cubes: next, number: number + 1 }
        }
    }

    /// Returns the standard settings, which `run` had, and the others that the adapter can do.
    fn variants(&self, run: &RunResult) -> Vec<Variant> {
        let standard = (run.graphics.geometry, run.streaming);
        let others = self.paths.iter().filter(|path| **path != standard);
        let paths = others
            .map(|(geometry, streaming)| format!("--geometry {geometry} --streaming {streaming}"));
        ["", "--mode camera-falls", "--quality low", "--quality high"]
            .into_iter()
            .map(str::to_owned)
            .chain(paths)
            .map(|flags| Variant { flags, medians_ns: Vec::new() })
            .collect()
    }
}

impl Lengths {
    fn plan(&self) -> SweepPlan {
        let [from, largest] = COUNTS;
        SweepPlan {
            from,
            largest,
            per_decade: 3,
            runs: self.growth_runs,
            slowest_fps: SLOWEST_FPS,
            fewest: GROWTH_POINTS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{run, sim_frame};
    use crate::benchmark::{BenchSettings, SCORE_FPS};

    fn session(quick: bool) -> SuiteSession {
        let lengths = if quick { &QUICK } else { &FULL };
        let counts = vec![10_000, 30_000, 100_000, 300_000];
        let sweep = SweepSession::of_counts(lengths.plan(), counts);
        let growth = Sweep::new("test".into(), BenchSettings::default(), SCORE_FPS);
        SuiteSession {
            suite: Suite::new(growth, quick),
            lengths,
            paths: vec![
                (Geometry::Pulled, Streaming::Mapped),
                (Geometry::Instanced, Streaming::Mapped),
            ],
            stage: Stage::Growth(sweep),
        }
    }

    /// Makes every run, whose frames take 2 ms and 400 ns per cube. Returns the flags of all.
    fn measure(session: &mut SuiteSession) -> Vec<PlannedRun> {
        let mut planned = Vec::new();
        while let Some(next) = session.next_run() {
            assert!(session.runs_left() > 0, "{next:?}");
            let cubes = next.flags.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
            session.push(&run(vec![sim_frame(2_000_000 + 400 * cubes); 100]));
            planned.push(next);
        }
        assert_eq!(session.runs_left(), 0);
        planned
    }

    #[test]
    fn a_suite_measures_growth_then_score_then_settings() {
        let mut session = session(true);
        let runs = measure(&mut session);
        let flags: Vec<_> = runs.iter().map(|run| run.flags.as_str()).collect();
        // 300,000 cubes take 122 ms, longer than 100 ms, and are the last.
        let growth = "--warmup 15 --duration 0.5 --max-duration 0.5";
        for (flags, cubes) in flags.iter().zip([10_000, 30_000, 100_000, 300_000]) {
            assert_eq!(*flags, format!("--cubes {cubes} {growth}"));
        }
        // Between 14 ms of 30,000 cubes and 42 ms of 100,000, 16.667 ms are 36,316 on logarithmic scales. From the
        // 16.4 ms of 36,000 the estimate is 36,667, less than a tenth away.
        assert_eq!(flags[4], "--cubes 36000 --warmup 30 --frames 100");
        let score = "--cubes 36667 --warmup 30 --frames 200";
        assert_eq!(flags.iter().filter(|flags| **flags == score).count(), 6);
        let variants = "--cubes 36667 --warmup 15 --duration 1 --max-duration 1";
        let others = [
            "",
            " --mode camera-falls",
            " --quality low",
            " --quality high",
            " --geometry instanced --streaming mapped",
        ];
        assert_eq!(flags[flags.len() - 5..], others.map(|more| format!("{variants}{more}")));
        assert_eq!(flags.len(), 4 + 1 + 6 + 5);
        assert_eq!(runs[5].label, "score: 36,667 cubes, run 1 of 6");
        let suite = session.into_suite();
        assert!(suite.complete && suite.quick);
        assert_eq!(suite.scores.map(|scores| scores.cubes.cubes), Some(36_700));
        assert_eq!(suite.growth.stopped, None, "of no interest beyond the score");
    }

    #[test]
    fn a_full_suite_repeats_every_setting() {
        let mut session = session(false);
        let runs = measure(&mut session);
        assert_eq!(runs.len(), 4 * 2 + 1 + 6 + 3 * 5);
        assert!(session.suite().variants.iter().all(|variant| variant.medians_ns.len() == 3));
        assert_eq!(
            runs.last().unwrap().label,
            "settings: --geometry instanced --streaming mapped, round 3 of 3"
        );
    }

    #[test]
    fn a_disturbed_attempt_does_not_lead_far_away() {
        let mut session = session(true);
        for _ in 0..4 {
            session.push(&run(vec![sim_frame(10_000_000); 100]));
        }
        // All counts hold 60 fps, so the score starts with the largest.
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 300000 "));
        session.push(&run(vec![sim_frame(3_000_000_000); 100]));
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 75000 "));
    }
}
