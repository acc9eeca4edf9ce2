//! Flags of `cubefall bench`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PathBufValueParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::camera::camera_text;
use super::export::format_names;
use super::image_output::STANDARD_OUTPUT;
use super::tuning::{TuningArgs, tuning_text};
use super::{
    AdapterArgs, ChosenScene, ExportArgs, GraphicsArgs, SceneArgs, SharedView, scenes, values,
};
use crate::benchmark::{
    Assertion, BenchSettings, FileKind, RunLength, RunSettings, SWEEP_FPS, Threshold,
};
#[cfg(feature = "app")]
use crate::render::PresentMode;
use crate::render::Size;
use crate::sim::TimeStep;

const EXAMPLES: &str = r#"Examples:
  cubefall bench                            10,000 cubes, 5 runs of 10 s
  cubefall bench --cubes 1M --out results   also write frames and an HTML report
  cubefall bench ab --a ./old --b ./new     is binary B slower than A?
  cubefall bench ab --b-flags="--msaa on"   what does a setting cost?
  cubefall bench sweep --fps 60             how many cubes hold 60 fps?
  cubefall bench suite                      the score of this machine"#;

const EXIT_CODES: &str = "\
Exit codes:
  0  measured, or no regression      5    unreliable result (--strict of run and
  1  failure while running                ab, --assert), or file not written
  2  invalid usage or input file     6    not comparable, or not added to
  3  regression or failed assertion       --save-baseline
  4  inconclusive                    101  a defect of Cubefall
  129, 130, 143  stopped by SIGHUP, Ctrl-C or SIGTERM; partial result written";

const DOCTOR_EXIT_CODES: &str = "\
Exit codes:
  0  checked, whatever the warnings      2  invalid usage, or no such adapter
  1  no GPU (--require-gpu), or no       5  a file cannot be written
     adapter of --backend";

/// `cubefall bench`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct BenchArgs {
    /// Subcommand; the default is `run`.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
    /// Flags of `run`.
    #[command(flatten)]
    pub run: BenchRunArgs,
}

/// Subcommands of `cubefall bench`.
#[derive(Subcommand, Debug)]
pub enum BenchCommand {
    /// Measure frame times over several runs (the default)
    #[command(after_help = EXIT_CODES)]
    Run(BenchRunArgs),
    /// Find the largest number of cubes that holds a frame rate
    #[command(after_help = EXIT_CODES)]
    Sweep(SweepArgs),
    /// Measure the Cubefall score of this machine and the cost of settings, in five minutes
    #[command(after_help = EXIT_CODES)]
    Suite(SuiteArgs),
    /// Compare two binaries, or two sets of flags, with interleaved pairs of runs
    #[command(after_help = EXIT_CODES)]
    Ab(AbArgs),
    /// Compare this binary with itself to find the noise floor of the machine; ends with 0 whatever the verdict
    #[command(after_help = EXIT_CODES)]
    Aa(AaArgs),
    /// Compare two saved results (advisory: they were measured at different times, so it ends with 0 whatever the verdict)
    #[command(after_help = EXIT_CODES)]
    Compare(CompareArgs),
    /// Fail if a saved result is slower than the first or the last session of a baseline
    #[command(after_help = EXIT_CODES)]
    Gate(GateArgs),
    /// Convert a saved result to the formats of other tools
    Export(ExportArgs),
    /// Write an HTML report of a saved result, or of the history of several
    #[command(after_help = EXIT_CODES)]
    Report(ReportArgs),
    /// Check whether this machine gives reliable results
    #[command(after_help = DOCTOR_EXIT_CODES)]
    Doctor(DoctorArgs),
    /// Print the JSON schema of files that `bench` writes
    Schema(SchemaArgs),
    /// Run once in this process and print the result: a line of JSON, then the frames
    // The last of several equal flags counts, so that flags of one side of `ab` can follow common ones.
    #[command(hide = true, args_override_self = true)]
    Single(RunArgs),
}

/// Least length of a run, in s.
pub const DURATION: f64 = 10.0;

/// Least length of a run of a sweep, in s.
pub const SWEEP_DURATION: f64 = 3.0;

/// Length at which even a run of few frames ends, in s.
const MAX_DURATION: f64 = 60.0;

/// Frames in flight without a window.
const LATENCY: u32 = 2;

/// Flags of one run, shared by all subcommands that measure.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Number of measured frames, from 1 to 10,000,000 [default: limited by --duration]
    #[arg(long, value_name = "N", conflicts_with = "duration")]
    #[arg(value_parser = values::whole::<u32>(1..=10_000_000))]
    pub frames: Option<u32>,
    /// Minimum length of the measurement, from 0.1 to 3600; runs above 20,000 fps end earlier [default: 10; of
    /// sweep: 3]
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub duration: Option<f64>,
    /// Maximum length of a run that has fewer than 1,000 frames, from 0.1 to 3600 [default: 60; of ab, aa and
    /// sweep: --duration]
    #[arg(long, value_name = "SECONDS", conflicts_with = "frames", value_parser = duration)]
    pub max_duration: Option<f64>,
    /// Number of warm-up frames, from 1 to 10,000,000 [default: until frame times are steady, at most 20 s]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=10_000_000))]
    pub warmup: Option<u32>,
    /// Simulated seconds per frame, 0.000001 to 0.25, independent of the frame time; fractions such as 1/60 are accepted
    #[arg(long, value_name = "SECONDS", default_value = "1/60", allow_hyphen_values = true)]
    #[arg(value_parser = values::parse_time_step)]
    pub dt: TimeStep,
    /// Maximum number of frames the GPU may lag behind, without a window: from 0 to 8, or to 2 with mapped buffers and
    /// integrated motion [default: 2]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=8))]
    #[cfg_attr(feature = "app", arg(conflicts_with = "window"))]
    pub latency: Option<u32>,
    /// Frame size in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Measure in a window
    #[cfg(feature = "app")]
    #[arg(long)]
    pub window: bool,
    /// Present mode of the window
    #[cfg(feature = "app")]
    #[arg(long, value_enum, value_name = "MODE", default_value_t = PresentMode::NoVsync)]
    #[arg(requires = "window")]
    pub present: PresentMode,
    /// Slow down every frame by this percentage, to test comparisons
    #[arg(long, hide = true, value_name = "PERCENT", default_value_t = 0)]
    pub inject_slowdown: u32,
    /// Scene to simulate.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Adapter and render settings.
    #[command(flatten)]
    pub graphics: GraphicsArgs,
}

impl RunArgs {
    /// Parses the flags of a run, without those of the whole program. The last of several equal ones counts.
    ///
    /// # Errors
    /// Says which flag is wrong.
    pub fn from_flags(
        flags: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let command = clap::Command::new("run").no_binary_name(true).args_override_self(true);
        let matches = Self::augment_args(command).try_get_matches_from(flags)?;
        clap::FromArgMatches::from_arg_matches(&matches)
    }

    /// Returns the settings of the run.
    pub fn settings(&self) -> RunSettings {
        let [least, most] = self.seconds().map(Duration::from_secs_f64);
        let time = RunLength::Time { least, most };
        let scene = self.scene.source();
        RunSettings {
            mode: self.scene.mode(),
            motion: self.scene.motion(),
            tuning: self.scene.tuning(scene.tuning()),
            scene,
            camera: self.scene.camera(),
            dt: self.dt,
            warmup_frames: self.warmup,
            length: self.frames.map_or(time, RunLength::Frames),
            latency: self.latency.unwrap_or(LATENCY),
            slow_down: self.inject_slowdown,
        }
    }

    /// Returns the least and the largest length of a run limited by time, in s.
    fn seconds(&self) -> [f64; 2] {
        let least = self.duration.unwrap_or(DURATION);
        [least, self.max_duration.unwrap_or(MAX_DURATION).max(least)]
    }

    /// Checks the lengths against each other. `default` is the least length without `--duration`, in s.
    ///
    /// # Errors
    /// Runs would end before their least length.
    pub fn check(&self, default: f64) -> Result<(), String> {
        let (least, most) = (self.duration.unwrap_or(default), self.max_duration);
        match most.filter(|most| *most < least && self.frames.is_none()) {
            Some(most) => {
                let default = if self.duration.is_none() { " (the default)" } else { "" };
                Err(format!("--max-duration {most} is below --duration {least}{default}"))
            }
            None => Ok(()),
        }
    }

    /// Returns these flags for comparisons of medians, which need no 1,000 frames. `default` is the least length
    /// without `--duration`, in s.
    ///
    /// # Errors
    /// Runs would end before their least length.
    pub fn for_medians(&self, default: f64) -> Result<Self, String> {
        self.check(default)?;
        let duration = self.frames.is_none().then_some(self.duration.unwrap_or(default));
        Ok(Self { duration, max_duration: self.max_duration.or(duration), ..self.clone() })
    }

    /// Returns the settings to store in a result of a number of `runs`.
    pub fn bench_settings(&self, runs: u32) -> BenchSettings {
        let scene = self.scene.source();
        let start = scene.tuning();
        let [least, most] = self.seconds();
        BenchSettings {
            cubes: scene.cubes() as u32,
            mode: self.scene.mode(),
            motion: self.scene.motion(),
            seed: scene.seed(),
            scene: self.scene.file().as_ref().map(ChosenScene::fingerprint),
            tuning: tuning_text(TuningArgs::changed(start, self.scene.tuning(start))),
            camera: camera_text(&self.scene.camera()),
            dt_s: self.dt.seconds(),
            size: [self.size.width(), self.size.height()],
            window: self.is_windowed(),
            frames: self.frames,
            duration_s: self.frames.is_none().then_some(least),
            max_duration_s: self.frames.is_none().then_some(most),
            warmup_frames: self.warmup,
            latency: (!self.is_windowed()).then(|| self.latency.unwrap_or(LATENCY)),
            runs,
        }
    }

    /// Returns `true` for a run in a window.
    pub fn is_windowed(&self) -> bool {
        #[cfg(feature = "app")]
        return self.window;
        #[cfg(not(feature = "app"))]
        false
    }
}

/// Where results go.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// Write the result and an HTML report to this folder, created if missing; `bench` also writes all frames
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Name of the result
    #[arg(long, value_name = "NAME", default_value = "cubefall")]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub name: String,
    /// Also print facts of the report: `suite` prints program, adapter and machine only, `run` also the definitions of
    /// frame rates, budgets and hitches. The report has all definitions
    #[arg(short, long)]
    pub verbose: bool,
    /// Where JSON goes.
    #[command(flatten)]
    pub json: JsonArgs,
}

/// `cubefall bench schema`.
#[derive(Args, Clone, Debug)]
pub struct SchemaArgs {
    /// Kind of file
    #[arg(value_name = "KIND", default_value_t)]
    pub kind: FileKind,
}

/// JSON instead of text.
#[derive(Args, Clone, Debug)]
pub struct JsonArgs {
    /// Print JSON instead of text, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STANDARD_OUTPUT)]
    #[arg(value_parser = PathBufValueParser::new().try_map(json_file))]
    pub json: Option<PathBuf>,
}

/// Returns the file of a word behind `--json`, which may have been meant as a subcommand.
fn json_file(word: PathBuf) -> Result<PathBuf, &'static str> {
    if word.to_str().is_some_and(BenchCommand::has_subcommand) {
        return Err(
            "this is a subcommand: write --json behind it, or ./ before the name of a file",
        );
    }
    Ok(word)
}

/// `cubefall bench run`.
#[derive(Args, Clone, Debug)]
pub struct BenchRunArgs {
    /// Number of runs, from 1 to 1000, each in a new process
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = values::whole::<u32>(1..=1000))]
    pub runs: u32,
    /// Binary to measure [default: this one]
    #[arg(long, value_name = "BIN")]
    pub program: Option<PathBuf>,
    /// Where the result goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Also write formats of other tools to --out, separated by commas
    #[arg(long, value_parser = format_names(), value_name = "FORMAT", value_delimiter = ',', requires = "out")]
    pub export: Vec<String>,
    /// Exit with code 5 if there are warnings, such as a debug build
    #[arg(long)]
    pub strict: bool,
    /// Exit with code 3 if a condition is false, e.g. "p99 < 20 ms" or "fps >= 60"; repeatable
    #[arg(long = "assert", value_name = "CONDITION")]
    pub assertions: Vec<Assertion>,
    /// Compare with the first and the last session of a baseline, and exit with code 3 or 4 unless this
    /// result is as fast
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Add the result to the sessions of a baseline, which is created if missing, unless --baseline,
    /// --assert or --strict rejects it, or it cannot be compared with others
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,
    /// Smallest relevant difference from the baseline, in percent, from 0.01 to 100
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    #[arg(requires = "baseline")]
    pub threshold: Threshold,
    /// What each run measures.
    #[command(flatten)]
    pub run: RunArgs,
}

/// `cubefall bench sweep`.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("cubes", |cubes| cubes.default_value("10M").help("Largest number of cubes")))]
#[command(mut_arg("scene", |scene| scene.hide(true).value_parser(scenes::no_sweep::<ChosenScene>)))]
#[command(mut_arg("open", |open| open.hide(true).value_parser(scenes::no_sweep::<SharedView>)))]
pub struct SweepArgs {
    /// Smallest number of cubes
    #[arg(long, value_name = "N", default_value = "1k", value_parser = values::parse_count)]
    pub from: u32,
    /// Measured counts per power of ten, from 1 to 20
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = values::whole::<u32>(1..=20))]
    pub per_decade: u32,
    /// Target frame rate, from 0.1 to 10,000; stop at the first count below it
    #[arg(long, value_name = "FPS", default_value_t = 60.0, value_parser = frames_per_second)]
    pub fps: f64,
    /// Number of runs per count, from 1 to 1000, each in a new process
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = values::whole::<u32>(1..=1000))]
    pub runs: u32,
    /// Binary to measure [default: this one]
    #[arg(long, value_name = "BIN")]
    pub program: Option<PathBuf>,
    /// Where the sweep goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What each run measures.
    #[command(flatten)]
    pub run: RunArgs,
}

/// `cubefall bench doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// Where JSON goes.
    #[command(flatten)]
    pub json: JsonArgs,
    /// Which adapter is checked.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

/// `cubefall bench suite`.
#[derive(Args, Clone, Debug)]
pub struct SuiteArgs {
    /// Take one to three minutes, with fewer and shorter runs
    #[arg(long)]
    pub quick: bool,
    /// Also print the score as a block of text to publish
    #[arg(long)]
    pub submit_text: bool,
    /// Binary to measure [default: this one]
    #[arg(long, value_name = "BIN")]
    pub program: Option<PathBuf>,
    /// End when standard input ends, for the window that shows the score.
    #[arg(long, hide = true)]
    pub end_with_input: bool,
    /// Where the suite goes.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Which adapter renders.
    #[command(flatten)]
    pub adapter: AdapterArgs,
}

/// Shared flags of `cubefall bench aa` and `cubefall bench ab`.
#[derive(Args, Clone, Debug)]
pub struct PairArgs {
    /// Number of pairs, from 1 to 1000; a verdict needs at least six
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = values::whole::<u32>(1..=1000))]
    pub pairs: u32,
    /// Smallest relevant difference, in percent, from 0.01 to 100
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
    /// Where JSON goes.
    #[command(flatten)]
    pub json: JsonArgs,
    /// What each run measures.
    #[command(flatten)]
    pub run: RunArgs,
}

/// `cubefall bench aa`.
#[derive(Args, Clone, Debug)]
pub struct AaArgs {
    /// Binary to measure [default: this one]
    #[arg(long, value_name = "BIN")]
    pub program: Option<PathBuf>,
    /// Pairs and what each run measures.
    #[command(flatten)]
    pub pairs: PairArgs,
}

/// `cubefall bench ab`.
#[derive(Args, Clone, Debug)]
pub struct AbArgs {
    /// Binary of A, the baseline [default: this one]
    #[arg(long, value_name = "BIN")]
    pub a: Option<PathBuf>,
    /// Binary of B, the candidate [default: this one]
    #[arg(long, value_name = "BIN")]
    pub b: Option<PathBuf>,
    /// Flags of A besides the common ones, which they replace: "--geometry pulled --cubes 1M"
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub a_flags: Option<String>,
    /// Flags of B besides the common ones, which they replace
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub b_flags: Option<String>,
    /// Write the results of A and B, the verdict and a report of both to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Exit with code 5 if there are warnings, such as a debug build
    #[arg(long)]
    pub strict: bool,
    /// Pairs and what each run measures.
    #[command(flatten)]
    pub pairs: PairArgs,
}

/// `cubefall bench compare`.
#[derive(Args, Clone, Debug)]
pub struct CompareArgs {
    /// Result of the baseline
    #[arg(value_name = "A.json")]
    pub a: PathBuf,
    /// Result of the candidate
    #[arg(value_name = "B.json")]
    pub b: PathBuf,
    /// Allow different machines, adapters, settings and simulated work, and list the differences
    #[arg(long)]
    pub across: bool,
    /// Smallest relevant difference, in percent, from 0.01 to 100
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
    /// Where JSON goes.
    #[command(flatten)]
    pub json: JsonArgs,
}

/// `cubefall bench gate`.
#[derive(Args, Clone, Debug)]
pub struct GateArgs {
    /// Baseline, as saved by --save-baseline, or a result
    #[arg(long, value_name = "A.json")]
    pub baseline: PathBuf,
    /// Result of the candidate
    #[arg(long, value_name = "B.json")]
    pub candidate: PathBuf,
    /// Smallest relevant difference, in percent, from 0.01 to 100
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    pub threshold: Threshold,
    /// Where JSON goes.
    #[command(flatten)]
    pub json: JsonArgs,
}

/// `cubefall bench report`.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// Result file
    #[arg(value_name = "RESULT.json")]
    pub result: PathBuf,
    /// Further results: the report becomes their history, with the trend over time
    #[arg(value_name = "MORE.json", conflicts_with_all = ["baseline", "sweep"])]
    pub more: Vec<PathBuf>,
    /// Earlier result to compare with (advisory: measured at a different time)
    #[arg(long, value_name = "OLD.json")]
    pub baseline: Option<PathBuf>,
    /// Allow different machines, adapters, settings and simulated work, and list the differences
    #[arg(long, requires = "baseline")]
    pub across: bool,
    /// Smallest relevant difference, in percent, from 0.01 to 100
    #[arg(long, value_name = "PERCENT", default_value = "2", value_parser = threshold)]
    #[arg(requires = "baseline")]
    pub threshold: Threshold,
    /// Sweep to include
    #[arg(long, value_name = "SWEEP.json")]
    pub sweep: Option<PathBuf>,
    /// HTML file to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub out: PathBuf,
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    values::number(text, SWEEP_FPS, "frames per second")
}

fn duration(text: &str) -> Result<f64, String> {
    values::number(text, 0.1..=3600.0, "seconds")
}

fn threshold(text: &str) -> Result<Threshold, String> {
    let percent: f64 = values::number(text, 0.01..=100.0, "percent")?;
    Ok(Threshold::new(percent / 100.0).expect("above 0"))
}
