//! A suite in progress: which run comes next, and what follows from each.

use super::{
    BenchSettings, LargestCount, RunError, RunResult, SCORE_RUNS, ScoreRun, Suite, SuiteLength,
    Sweep, SweepPlan, SweepSession, Variant, add_warnings,
};
use crate::render::{Geometry, Gpu, Streaming};
use crate::units::count;

/// Settings of the score, besides defaults of all adapters.
pub const STANDARD_FLAGS: &str = "--size 1280x720 --quality medium --mode cubes-fall --seed 1";

/// Counts of the growth. Slower frames take too long to measure.
const GROWTH: SweepPlan =
    SweepPlan { from: 1000, largest: 100_000_000, per_decade: 3, slowest_fps: 10.0, fewest: 3 };

/// Attempts to find the number of cubes for the score runs.
const PILOTS: usize = 3;

/// Relative change of that number below which it is found.
const CLOSE: f64 = 0.1;

/// Lengths of the parts of a suite.
#[derive(Debug)]
struct Lengths {
    /// Runs for each count of the growth.
    growth_runs: u32,
    /// Warm-up of these runs in frames, and their length in s.
    growth: (u32, f64),
    /// Flags of the runs that find the count of the score.
    pilot: &'static str,
    /// Flags of the score runs.
    score: &'static str,
    /// Runs of each variant.
    rounds: usize,
    /// Flags of these runs.
    variant: &'static str,
}

/// About five minutes.
const FULL: Lengths = Lengths {
    growth_runs: 2,
    growth: (30, 1.5),
    pilot: "--warmup 60 --frames 300",
    score: "--warmup 120 --frames 1000",
    rounds: 3,
    variant: "--warmup 30 --duration 2 --max-duration 2",
};

/// One to three minutes.
const QUICK: Lengths = Lengths {
    growth_runs: 1,
    growth: (15, 0.5),
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

/// What a suite measures next.
enum Part {
    Growth,
    /// Attempts to find the number of cubes for the score runs.
    Pilots,
    Scores,
    /// The variant at this index, which has the fewest runs.
    Variant(usize),
    End,
}

/// Measures the growth, then the score at the count that holds its frame rate, then other settings. The
/// caller makes the runs.
#[derive(Debug)]
pub struct SuiteSession {
    /// The suite so far.
    pub suite: Suite,
    lengths: &'static Lengths,
    /// Geometries and ways of streaming that the adapter can do.
    paths: Vec<(Geometry, Streaming)>,
    sweep: SweepSession,
    /// Number of cubes of the runs after the growth.
    cubes: u32,
    /// Attempts that are left to find the number of cubes for the score runs.
    pilots: usize,
}

impl SuiteSession {
    /// Starts a suite with a `growth` without points of [`STANDARD_FLAGS`] and [`SCORE_FPS`](super::SCORE_FPS). `paths` are those
    /// that the adapter can do.
    ///
    /// # Errors
    /// Not even the smallest count fits into the memory and into the device.
    pub fn new(
        mut growth: Sweep,
        length: SuiteLength,
        gpu: &Gpu,
        paths: Vec<(Geometry, Streaming)>,
    ) -> Result<Self, RunError> {
        let lengths = match length {
            SuiteLength::Quick => &QUICK,
            SuiteLength::Full => &FULL,
        };
        let (warmup, seconds) = lengths.growth;
        growth.settings = BenchSettings {
            cubes: GROWTH.largest,
            warmup_frames: Some(warmup),
            duration_s: Some(seconds),
            max_duration_s: Some(seconds),
            runs: lengths.growth_runs,
            ..growth.settings
        };
        let sweep = SweepSession::new(GROWTH, gpu, &growth)?;
        let suite = Suite::new(growth, length);
        Ok(Self { suite, lengths, paths, sweep, cubes: 0, pilots: PILOTS })
    }

    /// Returns what is measured next.
    fn part(&self) -> Part {
        let Suite { growth, score_runs, variants, .. } = &self.suite;
        let fewest = variants.iter().enumerate().min_by_key(|(_, it)| it.medians_ns.len());
        match fewest {
            _ if !growth.complete => Part::Growth,
            _ if self.pilots > 0 => Part::Pilots,
            _ if score_runs.len() < SCORE_RUNS as usize => Part::Scores,
            Some((at, it)) if it.medians_ns.len() < self.lengths.rounds => Part::Variant(at),
            _ => Part::End,
        }
    }

    /// Returns the next run; `None` when the suite is complete.
    pub fn next_run(&self) -> Option<PlannedRun> {
        let Self { suite, lengths, cubes, .. } = self;
        let with = count(*cubes);
        let (label, length, more) = match self.part() {
            Part::Growth => {
                let (cubes, label) = self.sweep.next_run(&suite.growth)?;
                let (warmup, seconds) = lengths.growth;
                let flags = format!(
                    "--cubes {cubes} --warmup {warmup} --duration {seconds} --max-duration {seconds}"
                );
                return Some(PlannedRun { label, flags });
            }
            Part::Pilots => (format!("trying {with} cubes"), lengths.pilot, ""),
            Part::Scores => {
                let number = suite.score_runs.len() + 1;
                (format!("{with} cubes, long run {number} of {SCORE_RUNS}"), lengths.score, "")
            }
            Part::Variant(at) => {
                let tried = &suite.variants[at];
                let (name, round, rounds) =
                    (tried.name(), tried.medians_ns.len() + 1, lengths.rounds);
                let label = format!("settings: {name}, round {round} of {rounds}");
                (label, lengths.variant, tried.flags.as_str())
            }
            Part::End => return None,
        };
        let flags = format!("--cubes {cubes} {length} {more}").trim_end().to_owned();
        Some(PlannedRun { label, flags })
    }

    /// Returns the number of runs that are left of the part that is measured, at most.
    pub fn runs_left(&self) -> u64 {
        let Suite { growth, score_runs, variants, .. } = &self.suite;
        let left = match self.part() {
            Part::Growth => return self.sweep.runs_left(growth),
            Part::Pilots => self.pilots,
            Part::Scores => SCORE_RUNS as usize - score_runs.len(),
            Part::Variant(_) => {
                variants.iter().map(|it| self.lengths.rounds - it.medians_ns.len()).sum()
            }
            Part::End => 0,
        };
        left as u64
    }

    /// Adds the result of the next run, which has valid frames: without them, the same run is the next one again.
    pub fn push(&mut self, run: &RunResult) {
        let part = self.part();
        add_warnings(&mut self.suite.growth.warnings, std::slice::from_ref(run));
        match part {
            Part::Growth => {
                self.sweep.push(&mut self.suite.growth, run);
                if self.suite.growth.complete {
                    self.end_growth();
                }
            }
            Part::Pilots => {
                let tried = f64::from(self.cubes);
                self.cubes = self.estimate(run);
                let change = (f64::from(self.cubes) / tried - 1.0).abs();
                self.pilots = if change < CLOSE { 0 } else { self.pilots - 1 };
            }
            Part::Scores => {
                self.suite.score_runs.extend(ScoreRun::of(self.cubes, run));
                self.suite.set_scores();
                if self.suite.score_runs.len() == SCORE_RUNS as usize {
                    self.suite.variants = self.variants(run);
                }
            }
            Part::Variant(at) => {
                self.suite.variants[at].medians_ns.extend(run.median_ns);
                self.suite.complete = matches!(self.part(), Part::End);
            }
            Part::End => {}
        }
    }

    fn end_growth(&mut self) {
        let largest = self.suite.growth.largest_count();
        if !matches!(largest, Some(LargestCount::AtLeast(_))) {
            // Of no interest beyond the count of the score.
            self.suite.growth.stopped = None;
        }
        self.cubes = match largest {
            Some(LargestCount::Below(it) | LargestCount::About(it) | LargestCount::AtLeast(it)) => {
                it
            }
            None => GROWTH.from,
        };
    }

    /// Returns the count whose slowest frames take about as long as the score allows, by a run of another.
    fn estimate(&self, run: &RunResult) -> u32 {
        let cubes = self.cubes;
        let Some(pilot) = ScoreRun::of(cubes, run) else { return cubes };
        let largest = self.suite.growth.points.last().map_or(cubes, |point| point.cubes);
        // A disturbed run must not lead far away.
        let [least, most] = [cubes / 4, cubes.saturating_mul(4)];
        let most = most.clamp(GROWTH.from, largest);
        self.suite.estimate(&pilot).clamp(least.clamp(GROWTH.from, most), most)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{run, sim_frame};
    use crate::benchmark::{BenchSettings, SCORE_FPS};

    fn session() -> SuiteSession {
        let counts = vec![10_000, 30_000, 100_000, 300_000];
        let settings = BenchSettings { runs: FULL.growth_runs, ..BenchSettings::default() };
        let growth = Sweep::new("test".into(), settings, SCORE_FPS);
        SuiteSession {
            suite: Suite::new(growth, SuiteLength::Full),
            lengths: &FULL,
            paths: [Geometry::Pulled, Geometry::Instanced].map(|it| (it, Streaming::Mapped)).into(),
            sweep: SweepSession::of_counts(GROWTH, counts),
            cubes: 0,
            pilots: PILOTS,
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
    fn a_full_suite_measures_growth_then_score_then_every_setting() {
        let mut session = session();
        let runs = measure(&mut session);
        assert_eq!(runs.len(), 4 * 2 + 1 + 6 + 3 * 5);
        // 300,000 cubes take 122 ms, longer than 100 ms, and are the last.
        let growth = "--cubes 300000 --warmup 30 --duration 1.5 --max-duration 1.5";
        assert_eq!(runs[7].flags, growth);
        // Between 14 ms of 30,000 cubes and 42 ms of 100,000, 16.667 ms are 36,316 on logarithmic scales. From the
        // 16.4 ms of 36,000 the estimate is 36,667, less than a tenth away.
        assert_eq!(runs[8].flags, "--cubes 36000 --warmup 60 --frames 300");
        assert_eq!(runs[9].label, "36,667 cubes, long run 1 of 6");
        assert_eq!(runs[14].flags, "--cubes 36667 --warmup 120 --frames 1000");
        let other = "--geometry instanced --streaming mapped";
        assert_eq!(runs[29].label, format!("settings: {other}, round 3 of 3"));
        let variant = "--cubes 36667 --warmup 30 --duration 2 --max-duration 2";
        assert_eq!([&runs[25].flags, &runs[29].flags], [variant, &format!("{variant} {other}")]);
        let suite = session.suite;
        assert!(suite.complete && suite.variants.iter().all(|it| it.medians_ns.len() == 3));
        assert_eq!(suite.scores.map(|scores| scores.cubes.cubes), Some(36_700));
        assert_eq!(suite.growth.stopped, None, "of no interest beyond the score");
    }

    #[test]
    fn a_disturbed_attempt_does_not_lead_far_away() {
        let mut session = session();
        for _ in 0..8 {
            session.push(&run(vec![sim_frame(10_000_000); 100]));
        }
        // All counts hold 60 fps, so the score starts with the largest.
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 300000 "));
        session.push(&run(vec![sim_frame(3_000_000_000); 100]));
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 75000 "));
    }

    #[test]
    fn a_short_attempt_leads_to_four_times_as_many_cubes_at_most() {
        let mut session = session();
        for cubes in [10_000, 10_000, 30_000, 30_000, 100_000, 100_000, 300_000, 300_000] {
            session.push(&run(vec![sim_frame(17_000_000 + cubes); 100]));
        }
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 10000 "));
        session.push(&run(vec![sim_frame(1_000_000); 100]));
        assert!(session.next_run().unwrap().flags.starts_with("--cubes 40000 "));
    }

    #[test]
    fn the_reason_of_the_last_count_is_kept_if_it_holds_the_rate() {
        let mut session = session();
        for _ in 0..8 {
            session.push(&run(vec![sim_frame(10_000_000); 100]));
        }
        let reason = Some("not enough memory".to_owned());
        session.suite.growth.stopped = reason.clone();
        session.end_growth();
        assert_eq!(session.suite.growth.stopped, reason);
    }
}
