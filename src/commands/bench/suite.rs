//! `bench suite`: growth, score and variants of a machine.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::files::{Folder, JsonTarget, SUITE_FILES};
use super::runner::{self, Runner};
use super::sweep::{self, Plan};
use super::{BenchError, Outcome, summary, warnings};
use crate::benchmark::{
    LargestCount, RunResult, SCORE_FPS, SCORE_RUNS, ScoreRun, Suite, Sweep, Variant,
};
use crate::cli::{RunArgs, SuiteArgs};
use crate::render::{Geometry, Gpu, GpuSettings, RenderError, Streaming};
use crate::units::{bare_ms, count};

/// Settings of the score, besides defaults of all adapters.
const STANDARD: &str = "--size 1280x720 --quality medium --mode cubes-fall --seed 1";

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

pub(super) fn run(args: &SuiteArgs) -> Result<Outcome, BenchError> {
    let folder = args.output.out.as_deref().map(Folder::create).transpose()?;
    let json = JsonTarget::create(args.output.json.json.as_deref())?;
    let mut standard = runner::parsed(STANDARD.split_whitespace().map(OsString::from))
        .expect("the flags are valid");
    standard.graphics.adapter = args.adapter.clone();
    let lengths = if args.quick { &QUICK } else { &FULL };
    let mut settings = standard.bench_settings(lengths.growth_runs);
    settings.cubes = COUNTS[1];
    let growth = Sweep::new(args.output.name.clone(), settings, SCORE_FPS);
    let mut session = Session {
        program: runner::program(args.program.as_deref())?,
        runner: Runner::new(0)?,
        standard,
        lengths,
        folder: folder.as_ref(),
        suite: Suite::new(growth, args.quick),
    };
    let measured = session.measure();
    let suite = session.suite;
    if let Some(folder) = folder.filter(|_| !suite.growth.points.is_empty()) {
        folder.report_paths(SUITE_FILES);
    }
    measured?;
    json.write(&suite)?;
    json.print_text(&text(&suite, args.output.verbose))?;
    if args.submit_text {
        json.print_text(&format!("\n{}\n", suite.submit_text()))?;
    }
    Ok(if suite.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// A suite that is being measured.
struct Session<'a> {
    program: PathBuf,
    runner: Runner,
    standard: RunArgs,
    lengths: &'a Lengths,
    folder: Option<&'a Folder>,
    suite: Suite,
}

impl Session<'_> {
    /// Measures all parts, or those before a signal. Writes the suite after each part.
    fn measure(&mut self) -> Result<(), BenchError> {
        self.suite.growth.warnings = warnings::of_machine();
        self.measure_growth()?;
        if !self.suite.growth.complete {
            return Ok(());
        }
        let Some(cubes) = self.find_count()? else { return Ok(()) };
        self.runner.expect(SCORE_RUNS.into());
        for number in 1..=SCORE_RUNS {
            let label = format!("score: {} cubes, run {number} of {SCORE_RUNS}", count(cubes));
            let Some(run) = self.run(&label, cubes, self.lengths.score, "")? else { return Ok(()) };
            self.suite.score_runs.extend(ScoreRun::of(cubes, &run));
            self.suite.set_scores();
            if number == SCORE_RUNS {
                self.suite.variants = variants(&run, &self.standard)?;
            }
        }
        self.write()?;
        self.suite.complete = self.measure_variants(cubes)?;
        self.write()
    }

    fn measure_growth(&mut self) -> Result<(), BenchError> {
        let args = runner::with_flags(&self.standard, self.lengths.growth)?;
        let [from, largest] = COUNTS;
        let plan = Plan {
            from,
            largest,
            per_decade: 3,
            runs: self.lengths.growth_runs,
            slowest_fps: SLOWEST_FPS,
            fewest: GROWTH_POINTS,
        };
        let Self { runner, program, suite, folder, .. } = self;
        let mut growth = suite.growth.clone();
        let measured = sweep::measure(runner, program, &args, &plan, &mut growth, |growth| {
            suite.growth.clone_from(growth);
            folder.map_or(Ok(()), |folder| folder.write_suite(suite))
        });
        if !matches!(growth.largest_count(), Some(LargestCount::AtLeast(_))) {
            // Of no interest beyond the count of the score.
            growth.stopped = None;
        }
        suite.growth = growth;
        measured
    }

    /// Returns the count whose slowest frames take about as long as the score allows. `None` after a signal.
    fn find_count(&mut self) -> Result<Option<u32>, BenchError> {
        self.runner.expect(PILOTS.into());
        let mut cubes = self.suite.first_count().unwrap_or(COUNTS[0]);
        let largest = self.suite.growth.points.last().map_or(cubes, |point| point.cubes);
        for _ in 0..PILOTS {
            let label = format!("score: trying {} cubes", count(cubes));
            let Some(run) = self.run(&label, cubes, self.lengths.pilot, "")? else {
                return Ok(None);
            };
            let Some(pilot) = ScoreRun::of(cubes, &run) else { break };
            // A disturbed run must not lead far away.
            let [least, most] = [cubes / 4, cubes.saturating_mul(4)];
            let most = most.clamp(COUNTS[0], largest);
            let next = self.suite.estimate(&pilot).clamp(least.clamp(COUNTS[0], most), most);
            let change = (f64::from(next) / f64::from(cubes) - 1.0).abs();
            cubes = next;
            if change < CLOSE {
                break;
            }
        }
        Ok(Some(cubes))
    }

    /// Measures all variants in turns. Returns `false` after a signal.
    fn measure_variants(&mut self, cubes: u32) -> Result<bool, BenchError> {
        let rounds = self.lengths.rounds;
        self.runner.expect(self.suite.variants.len() as u64 * u64::from(rounds));
        for round in 1..=rounds {
            for at in 0..self.suite.variants.len() {
                let flags = self.suite.variants[at].flags.clone();
                let name = self.suite.variants[at].name();
                let label = format!("settings: {name}, round {round} of {rounds}");
                let Some(run) = self.run(&label, cubes, self.lengths.variant, &flags)? else {
                    return Ok(false);
                };
                let median = runner::median(&run, &self.program)?.nanoseconds();
                self.suite.variants[at].medians_ns.push(median);
            }
        }
        Ok(true)
    }

    /// Runs the standard settings with more flags. Returns `None` after a signal.
    fn run(
        &mut self,
        label: &str,
        cubes: u32,
        length: &str,
        flags: &str,
    ) -> Result<Option<RunResult>, BenchError> {
        let flags = format!("--cubes {cubes} {length} {flags}");
        let args = runner::with_flags(&self.standard, &flags)?;
        let run = self.runner.run(label, &self.program, &args)?;
        let runs = run.as_slice();
        warnings::add_of_runs(&mut self.suite.growth.warnings, runs);
        Ok(run)
    }

    fn write(&self) -> Result<(), BenchError> {
        self.folder.map_or(Ok(()), |folder| folder.write_suite(&self.suite))
    }
}

/// Returns the standard settings and the others that the adapter of `run` can do.
fn variants(run: &RunResult, standard: &RunArgs) -> Result<Vec<Variant>, BenchError> {
    let mut flags = vec![String::new()];
    flags.extend(["--mode camera-falls", "--quality low", "--quality high"].map(str::to_owned));
    for streaming in Streaming::ALL {
        let gpu = GpuSettings { streaming: Some(streaming), ..standard.graphics.gpu() };
        let gpu = match pollster::block_on(Gpu::headless(&gpu)) {
            Err(RenderError::NotMappable) => continue,
            opened => opened?,
        };
        for geometry in Geometry::ALL {
            let is_standard = (geometry, streaming) == (run.graphics.geometry, run.streaming);
            let can_do = geometry != Geometry::Pulled || gpu.can_pull();
            if can_do && !is_standard {
                flags.push(format!("--geometry {geometry} --streaming {streaming}"));
            }
        }
    }
    let variant = |flags| Variant { flags, medians_ns: Vec::new() };
    Ok(flags.into_iter().map(variant).collect())
}

fn text(suite: &Suite, verbose: bool) -> String {
    let mut text = summary::wrapped(&suite.in_words());
    if let Some(scores) = &suite.scores {
        text += &summary::wrapped(&scores.sides());
    }
    text += &summary::wrapped(&format!("{}: {STANDARD}", suite.growth.name));
    if verbose {
        text.extend(suite.conditions().lines().map(summary::wrapped));
    }
    text.push('\n');
    text += &sweep::table(&suite.growth);
    let standard = suite.variants.first().and_then(Variant::median);
    if let Some(cubes) = suite.score_runs.first().map(|run| run.cubes) {
        let _ = writeln!(
            text,
            "\n{:<44}{:>11}  of standard",
            format!("{} cubes", count(cubes)),
            "median ms"
        );
    }
    for variant in &suite.variants {
        let (Some(median), Some(standard)) = (variant.median(), standard) else { continue };
        let name = variant.name();
        let _ = writeln!(text, "{name:<44}{:>11}{:>11.2} x", bare_ms(median), median / standard);
    }
    text + &summary::warnings(&suite.growth.warnings)
}
