//! Command line: parses flags into typed settings.
//!
//! An invalid value is a usage error (exit code 2) that lists the accepted values.

#[cfg(feature = "benchmark")]
mod bench;
mod camera;
#[cfg(feature = "benchmark")]
mod export;
#[cfg(feature = "render")]
mod faults;
#[cfg(feature = "record")]
mod frame_rate;
#[cfg(feature = "render")]
mod graphics;
#[cfg(feature = "render")]
mod image_output;
#[cfg(feature = "app")]
mod query;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "render")]
mod render;
mod scene;
mod scenes;
mod share;
mod shell;
mod simulate;
mod simulation;
mod tuning;
mod values;
#[cfg(feature = "app")]
mod window;

use std::error::Error;
use std::io::{self, Write};
use std::process;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command as Definition, CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "benchmark")]
pub use self::bench::{
    AaArgs, AbArgs, BenchArgs, BenchCommand, BenchRunArgs, CompareArgs, DURATION, DoctorArgs,
    GateArgs, JsonArgs, OutputArgs, PairArgs, ReportArgs, RunArgs, SWEEP_DURATION, SuiteArgs,
    SweepArgs,
};
pub use self::camera::{CameraArgs, camera_flags, current_camera};
#[cfg(feature = "benchmark")]
pub use self::export::{ExportArgs, export_formats};
#[cfg(feature = "render")]
pub use self::faults::{FaultArgs, Injection};
#[cfg(feature = "record")]
pub use self::frame_rate::{FrameRate, InvalidFrameRate};
#[cfg(feature = "render")]
pub use self::graphics::{AdapterArgs, EffectArgs, GraphicsArgs};
#[cfg(feature = "render")]
pub use self::image_output::{ImageOutput, STANDARD_OUTPUT};
#[cfg(feature = "app")]
pub use self::query::Query;
#[cfg(web)]
pub(crate) use self::query::shortened;
#[cfg(feature = "record")]
pub use self::record::{FilePattern, GIF_MAX_FPS, RecordArgs, RecordOutput, VideoContainer};
#[cfg(feature = "render")]
pub use self::render::{AdaptersArgs, DEFAULT_IMAGE, RenderArgs};
pub use self::scene::SceneArgs;
pub use self::scenes::{ChosenScene, ScenesArgs};
pub use self::share::SharedView;
pub use self::shell::{CompletionsArgs, ManArgs};
pub use self::simulate::SimulateArgs;
pub use self::simulation::{SimulationArgs, StepArgs};
pub use self::tuning::TuningArgs;
pub use self::values::parse_count;
#[cfg(feature = "app")]
pub use self::window::WindowArgs;
use crate::output;
use crate::scenes::SceneError;

#[cfg(feature = "app")]
const EXAMPLES: &str = "\
Examples:
  cubefall                                       Open a window
  cubefall --cubes 1M --mode camera-falls        Fall past a million cubes
  cubefall --scene galaxy                        Open a bundled scene
  cubefall render --frames 120 --out cubes.png   Draw the frame after 2 s
  cubefall record --frames 600 --out fall.mp4    Record a video of 10 s
  cubefall simulate --frames 600 --json          Measure the simulation
  cubefall bench --cubes 100k --out result       Measure frame times
";

/// Help of builds without the window.
#[cfg(not(feature = "app"))]
const EXAMPLES: &str =
    "Examples:\n  cubefall simulate --frames 600 --json   Measure the simulation\n";

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    failure while running
  2    invalid usage or input file
  3    no graphics adapter or no display
  4    the graphics device was lost repeatedly
  5    a file cannot be written
  101  a defect of Cubefall
  129  stopped by SIGHUP (130: by Ctrl-C, 143: by SIGTERM)";

/// Simulate and render thousands of falling cubes.
///
/// Opens a window if no command is given. In the window, press H to list the keys.
#[derive(Parser, Debug)]
#[command(version, args_conflicts_with_subcommands = true)]
#[command(after_help = format!("{EXAMPLES}\n{EXIT_CODES}"))]
#[cfg_attr(not(feature = "app"), command(subcommand_required = true))]
pub struct Cli {
    /// Subcommand, or `None` for the window.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Flags of the window.
    #[cfg(feature = "app")]
    #[command(flatten)]
    pub window: WindowArgs,
    /// Memory to assume as available, such as 4G [default: the memory that
    /// the system, the control group and `ulimit -v` have left]
    #[arg(long, global = true, value_name = "BYTES", value_parser = values::parse_bytes)]
    #[arg(help_heading = "Memory")]
    pub memory: Option<u64>,
}

/// A subcommand.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Render one frame off screen as a PNG image; on one adapter, the same flags give the same image
    #[cfg(feature = "render")]
    Render(Box<RenderArgs>),
    /// Record a video, an animation or an image sequence off screen
    #[cfg(feature = "record")]
    Record(Box<RecordArgs>),
    /// Run the simulation without a GPU; print its state hash and step time
    Simulate(Box<SimulateArgs>),
    /// List the graphics adapters of this machine
    #[cfg(feature = "render")]
    Adapters(AdaptersArgs),
    /// List the bundled scenes, or print one as a scene file
    Scenes(ScenesArgs),
    /// Measure and compare frame times
    #[cfg(feature = "benchmark")]
    Bench(Box<BenchArgs>),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all subcommands to a folder
    Man(ManArgs),
}

/// Parses the command line of this process. If that fails, or asks for help or the version, prints the error or the text,
/// and exits.
pub fn parse() -> Cli {
    let matches = accept_negative_numbers(Cli::command()).try_get_matches();
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.unwrap_or_else(|mut error| {
        // A flag for tests, which the help does not list.
        if let Some(ContextValue::String(flag)) = error.get(ContextKind::SuggestedArg)
            && flag.starts_with("--inject")
        {
            error.remove(ContextKind::SuggestedArg);
        }
        if let Some(file) = wrong_file(&error) {
            output::diagnostic(file);
            process::exit(2);
        }
        // A flag before the subcommand, which may have one of the same name.
        if error.kind() == ErrorKind::ArgumentConflict
            && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        {
            let tip = format!("write the options after `{name}`");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        if error.use_stderr() {
            error.exit();
        }
        // Help or the version.
        let printed = output::printed(error.print().and_then(|()| io::stdout().flush()));
        if let Err(error) = &printed {
            output::diagnostic(error);
        }
        process::exit(if printed.is_ok() { 0 } else { 5 });
    })
}

/// Returns the error of a file that a flag names, if that is wrong and not the flag.
pub fn wrong_file(error: &clap::Error) -> Option<&SceneError> {
    error.source().and_then(|source| source.downcast_ref())
}

/// Returns what is wrong and the possible values, in one line. A value of several lines must be quoted before.
#[cfg(any(feature = "app", feature = "benchmark"))]
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.split("\n\n").next().unwrap_or_default().lines().map(str::trim);
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    lines.fold(first, |all, line| all + " " + line)
}

/// Passes negative numbers to the parsers of the flags, which say what is expected.
fn accept_negative_numbers(command: Definition) -> Definition {
    let command = command.mut_args(|arg| {
        let takes_value = arg.get_action().takes_values();
        if takes_value { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(accept_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        accept_negative_numbers(Cli::command()).debug_assert();
    }
}
