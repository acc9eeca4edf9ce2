//! Bench: the flags of `cubefall bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{ExportArgs, ExportChoice, GraphicsArgs, SceneArgs, scenes, values};
use crate::benchmark::{Assertion, RunLength, RunSettings, Threshold, WarmupRule};
#[cfg(feature = "app")]
use crate::render::PresentMode;
use crate::render::Size;
use crate::sim::TimeStep;

const EXIT_CODES: &str = "\
Exit codes: 0 measured, or no regression; 1 failed while running; 2 wrong usage; 3 a regression,
or a bound that is not kept; 4 no verdict yet; 5 the result is not valid, with --strict; 6 the
results cannot be compared; 130 interrupted, with what was measured so far";

/// The name that means standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// `cubefall bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
pub struct BenchArgs {
    /// What to do; without one, measure.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    /// What to measure.
    #[command(flatten)]
    pub run: BenchRunArgs,
}

/// What can be done with measurements.
#[derive(Subcommand, Debug)]
pub enum BenchCommand {
    /// Measure frame times in several runs; also without this word
    #[command(after_help = EXIT_CODES)]
    Run(BenchRunArgs),
    /// Measure with more and more cubes: how frame times grow, and up to how many it stays fluent
    #[command(after_help = EXIT_CODES)]
    Sweep(SweepArgs),
    /// Compare two programs by interleaved pairs of runs
    #[command(after_help = EXIT_CODES)]
    Ab(AbArgs),
    /// Compare this program with itself: what the machine cannot tell apart
    #[command(after_help = EXIT_CODES)]
    Aa(PairArgs),
    /// Compare two results that were saved; advisory, since time went by in between
    #[command(
        after_help = "Exit codes: 0 compared, whatever came of it; 1 failed; 2 wrong usage; \
                            6 the results cannot be compared"
    )]
    Compare(CompareArgs),
    /// Fail if a saved result is slower than another one
    #[command(after_help = EXIT_CODES)]
    Gate(GateArgs),
    /// Turn a saved result into files that other programs read
    Export(ExportArgs),
    /// Make a page of a saved result that opens in any browser
    #[command(after_help = EXIT_CODES)]
    Report(ReportArgs),
    /// Say whether this machine is fit to be measured on, and what to do
    Doctor,
    /// Print the JSON schema of result files
    Schema,
    /// One run, for the others
    #[command(hide = true)]
    Single(RunArgs),
}

/// What one run does.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub graphics: GraphicsArgs,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Simulated time of each frame, however long it takes
    #[arg(long, value_name = "SECONDS", default_value = "1/60", value_parser = values::parse_time_step)]
    pub dt: TimeStep,
    /// How many frames count [default: as many as fit into --duration]
    #[arg(long, value_name = "N", conflicts_with = "duration")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub frames: Option<u32>,
    /// How long is measured, in seconds; at most 20,000 frames for each
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = duration)]
    pub duration: f64,
    /// Frames before those that count [default: until their times are steady, at most 20 s]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub warmup: Option<u32>,
    /// How many frames the GPU may be behind, off screen
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=8))]
    #[cfg_attr(feature = "app", arg(conflicts_with = "window"))]
    pub latency: u32,
    /// Off screen, as without --window; for scripts that say which
    #[cfg(feature = "app")]
    #[arg(long, conflicts_with = "window")]
    pub headless: bool,
    /// In a window instead of off screen
    #[cfg(feature = "app")]
    #[arg(long)]
    pub window: bool,
    /// How pictures get to the display, in a window
    #[cfg(feature = "app")]
    #[arg(long, value_enum, value_name = "MODE", default_value_t = PresentMode::NoVsync)]
    #[arg(requires = "window")]
    pub present: PresentMode,
    /// Per cent by which every frame is made longer
    #[arg(long, hide = true, default_value_t = 0)]
    pub slowed_by: u32,
}

impl RunArgs {
    /// What the run does.
    #[must_use]
    pub fn settings(&self) -> RunSettings {
        RunSettings {
            scene: self.scene.start(),
            mode: self.scene.mode(),
            dt: self.dt,
            warmup: self.warmup.map_or(WarmupRule::UntilSteady, WarmupRule::Frames),
            length: self.frames.map_or_else(
                || RunLength::Time(Duration::from_secs_f64(self.duration)),
                RunLength::Frames,
            ),
            latency: self.latency,
            slow_down: self.slowed_by,
        }
    }

    /// Whether there is a window.
    #[must_use]
    pub fn is_windowed(&self) -> bool {
        #[cfg(feature = "app")]
        return self.window;
        #[cfg(not(feature = "app"))]
        false
    }
}

/// `cubefall bench run`.
#[derive(Args, Clone, Debug)]
pub struct BenchRunArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub course: RunArgs,
    /// How many runs, each in a process of its own
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Folder for result.json, frames.csv and report.html; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Other programs' formats to write to --out as well, with commas between them
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', requires = "out")]
    pub export: Vec<ExportChoice>,
    /// What the result is called
    #[arg(long, value_name = "NAME", default_value = "cubefall")]
    pub name: String,
    /// Fail where the figures are not to be trusted: debug build, software adapter, unsteady times
    #[arg(long)]
    pub strict: bool,
    /// Fail unless a figure keeps a bound, such as "p99 < 20 ms" or "fps >= 60"; may be repeated
    #[arg(long = "assert", value_name = "EXPR")]
    pub assertions: Vec<Assertion>,
    /// Compare with a result that was saved, and fail if this one is slower or cannot be told from
    /// slower; less sure than `bench ab`, since time went by in between
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Keep the result as a baseline for later, unless it is slower than --baseline, breaks a bound or
    /// is not valid
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,
    /// Smallest difference from the baseline that matters, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    #[arg(requires = "baseline")]
    pub threshold: Threshold,
    /// Print the result as JSON instead of a summary, or write it to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STANDARD_OUTPUT)]
    pub json: Option<PathBuf>,
}

/// `cubefall bench sweep`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("cubes", |cubes| cubes.default_value("10M").help("Largest count")))]
#[command(mut_arg("duration", |duration| duration.default_value("3")))]
#[command(mut_arg("scene", |scene| scene.hide(true).value_parser(scenes::no_sweep)))]
pub struct SweepArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub course: RunArgs,
    /// Smallest count
    #[arg(long, value_name = "N", default_value = "1k", value_parser = values::parse_count)]
    pub from: u32,
    /// How many counts to each power of ten
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    pub per_decade: u32,
    /// Stop where there are fewer frames per second
    #[arg(long, value_name = "FPS", default_value_t = 60.0, value_parser = frames_per_second)]
    pub fps: f64,
    /// How many runs of each count, each in a process of its own
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Folder for sweep.json, sweep.csv and sweep.html; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What the sweep is called
    #[arg(long, value_name = "NAME", default_value = "cubefall")]
    pub name: String,
    /// Print the sweep as JSON instead of a summary, or write it to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STANDARD_OUTPUT)]
    pub json: Option<PathBuf>,
}

/// Pairs of runs.
#[derive(Args, Clone, Debug)]
pub struct PairArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub course: RunArgs,
    /// How many pairs; a verdict takes six
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub pairs: u32,
    /// Smallest difference that matters, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
}

/// `cubefall bench ab`.
#[derive(Args, Clone, Debug)]
pub struct AbArgs {
    /// The program that was
    #[arg(long, value_name = "BIN")]
    pub a: PathBuf,
    /// The program that is to be judged
    #[arg(long, value_name = "BIN")]
    pub b: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub pairs: PairArgs,
    /// Folder for the runs of B, the pairs and a report of the comparison; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Per cent by which every frame of B is made longer
    #[arg(long, hide = true, default_value_t = 0)]
    pub slow_b_by: u32,
}

/// `cubefall bench compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// The result that was
    #[arg(value_name = "A.json")]
    pub a: PathBuf,
    /// The result that is to be judged
    #[arg(value_name = "B.json")]
    pub b: PathBuf,
    /// Smallest difference that matters, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
}

/// `cubefall bench gate`.
#[derive(Args, Clone, Debug)]
pub struct GateArgs {
    /// The result that was
    #[arg(long, value_name = "A.json")]
    pub baseline: PathBuf,
    /// The result that is to be judged
    #[arg(long, value_name = "B.json")]
    pub candidate: PathBuf,
    /// Smallest difference that matters, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
}

/// `cubefall bench report`.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// The result
    #[arg(value_name = "RESULT.json")]
    pub result: PathBuf,
    /// An earlier result, to compare it with; advisory, since time went by in between
    #[arg(long, value_name = "OLD.json")]
    pub baseline: Option<PathBuf>,
    /// Smallest difference that matters, in per cent
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    #[arg(requires = "baseline")]
    pub threshold: Threshold,
    /// A sweep, to show how frame times grow
    #[arg(long, value_name = "SWEEP.json")]
    pub sweep: Option<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub out: PathBuf,
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.1..=10_000.0).contains(fps));
    fps.ok_or_else(|| "a number of frames per second from 0.1 to 10000".to_owned())
}

fn duration(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds from 0.1 to 3600".to_owned())
}

fn threshold(text: &str) -> Result<Threshold, String> {
    let percent = text.parse().ok().filter(|percent: &f64| (0.01..=100.0).contains(percent));
    let threshold = percent.and_then(|percent| Threshold::new(percent / 100.0));
    threshold.ok_or_else(|| "a number of per cent from 0.01 to 100, such as 2".to_owned())
}
