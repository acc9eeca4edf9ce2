//! Command line: flags into typed settings. What is wrong is a usage error that lists the choices.

#[cfg(feature = "benchmark")]
mod bench;
#[cfg(feature = "render")]
mod choices;
mod count;
#[cfg(feature = "benchmark")]
mod export;
#[cfg(feature = "render")]
mod inject;
mod load;
mod mode;
#[cfg(feature = "render")]
mod picture;
#[cfg(feature = "record")]
mod record;
mod scenes;
mod seconds;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

#[cfg(feature = "benchmark")]
pub use self::bench::{
    AbArgs, BenchArgs, BenchCommand, BenchRunArgs, CompareArgs, CourseArgs, GateArgs, PairArgs,
    ReportArgs, STANDARD_OUTPUT, SweepArgs,
};
#[cfg(feature = "benchmark")]
pub use self::export::{ExportArgs, ExportChoice};
#[cfg(feature = "render")]
pub use self::inject::{FaultArgs, Injection};
pub use self::load::LoadArgs;
#[cfg(feature = "render")]
pub use self::picture::PictureArgs;
#[cfg(feature = "record")]
pub use self::record::{Container, GIF_FPS, Numbered, RecordArgs, Recording};
pub use self::scenes::{ChosenScene, ScenesArgs};
#[cfg(feature = "app")]
use crate::render::PresentMode;
#[cfg(feature = "render")]
use crate::render::Size;
use crate::sim::{FallMode, SceneSettings, Start, TimeStep};

/// Steps of a run without a window, unless told otherwise.
const FRAMES: u32 = 120;

/// Where a picture goes, unless told otherwise.
#[cfg(feature = "render")]
const PICTURE: &str = "cubes.png";

#[cfg(feature = "app")]
const EXAMPLES: &str = "\
Examples:
  cubefall                                         10,000 cubes fall in a window
  cubefall --cubes 1M --mode camera-falls          fall past a million still cubes
  cubefall --scene galaxy                          one of the scenes that `cubefall scenes` lists
  cubefall render --frames 120 --out cubes.png     two seconds later, as a picture
  cubefall record --frames 600 --out fall.mp4      ten seconds, as a film
  cubefall simulate --frames 600 --json            how fast the CPU side is
  cubefall bench --cubes 100k --out result         how long frames take

Exit codes: 0 done, 1 failed while running, 2 wrong usage, 3 no graphics adapter or no display,
4 the graphics device was lost again and again, 5 a file cannot be written";

#[cfg(not(feature = "app"))]
const EXAMPLES: &str = "\
Examples:
  cubefall simulate --frames 600 --json            how fast the CPU side is
  cubefall simulate --cubes 1M --threads 2         the same for a million cubes on two threads

This build has no window. Exit codes: 0 done, 1 failed while running, 2 wrong usage,
5 a file cannot be written";

/// Ten thousand cubes fall under gravity, or hang still while the camera falls past them.
#[derive(Parser, Debug)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[cfg_attr(not(feature = "app"), command(subcommand_required = true))]
pub struct Cli {
    /// What to do; without one, a window opens.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The window.
    #[cfg(feature = "app")]
    #[command(flatten)]
    pub window: WindowArgs,
}

/// What the program does besides opening a window.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Draw a picture off screen and write it as PNG; the same flags give the same picture
    #[cfg(feature = "render")]
    Render(RenderArgs),
    /// Record a film, an animation or numbered pictures off screen
    #[cfg(feature = "record")]
    Record(Box<RecordArgs>),
    /// Run without any GPU; print the state hash and how long a step takes
    Simulate(SimulateArgs),
    /// List the graphics adapters of this machine
    #[cfg(feature = "render")]
    Adapters,
    /// List the scenes that come with the program; print one of them to start from
    Scenes(ScenesArgs),
    /// Measure frame times, and compare what was measured
    #[cfg(feature = "benchmark")]
    Bench(Box<BenchArgs>),
}

/// Reads a count of cubes as `--cubes` does: `10000`, `10k`, `1.5M`, `10_000`.
///
/// # Errors
/// It is no count, or too large a one; says what would be one.
#[cfg(feature = "app")]
pub fn parse_count(text: &str) -> Result<u32, String> {
    count::parse(text)
}

/// Which cubes there are, and who falls.
#[derive(Args, Clone, Debug)]
pub struct SceneArgs {
    /// How many cubes, from 1 to 100M; 10k and 1.5M are understood
    #[arg(long, value_name = "N", default_value = "10k", value_parser = count::parse)]
    #[arg(conflicts_with = "scene")]
    pub cubes: u32,
    /// Start of the random numbers; the same seed gives the same scene on every machine [default: 1, or
    /// that of the scene file]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Who falls [default: cubes-fall, or as the scene file says]
    #[arg(long, value_enum)]
    pub mode: Option<FallMode>,
    /// A scene file, or one of those that `cubefall scenes` lists
    #[arg(long, value_name = "FILE|NAME", value_parser = scenes::parse)]
    pub scene: Option<ChosenScene>,
}

impl SceneArgs {
    /// The scene these flags describe.
    #[must_use]
    pub fn start(&self) -> Start {
        match &self.scene {
            Some(chosen) => Start::Scene(chosen.scene(self.seed)),
            None => Start::Classic(SceneSettings {
                cubes: self.cubes,
                seed: self.seed.unwrap_or(SceneSettings::default().seed),
            }),
        }
    }

    /// Who falls.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.mode.unwrap_or_else(|| self.start().mode())
    }
}

/// How far a run without a window goes.
#[derive(Args, Clone, Copy, Debug)]
pub struct RunArgs {
    /// How many steps, from 0 to 10,000,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    #[arg(default_value_t = FRAMES)]
    pub frames: u32,
    /// Simulated time of each step, in seconds; a fraction such as 1/60 is understood
    #[arg(long, value_name = "SECONDS", default_value = "1/60", value_parser = seconds::parse)]
    pub dt: TimeStep,
}

impl Default for RunArgs {
    /// Two seconds of falling.
    fn default() -> Self {
        Self { frames: FRAMES, dt: TimeStep::default() }
    }
}

/// `cubefall simulate`.
#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub run: RunArgs,
    /// How many threads share the work, from 1 to 256; the result is the same with any number
    /// [default: one to a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Save the simulation as it is after the last step, for --load; written whole or not at all
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
}

/// `cubefall render`.
#[cfg(feature = "render")]
#[derive(Args, Debug)]
pub struct RenderArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub run: RunArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub picture: PictureArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub faults: FaultArgs,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Where the PNG goes; written whole or not at all
    #[arg(long, value_name = "FILE", default_value = PICTURE)]
    pub out: PathBuf,
}

/// `cubefall` without a subcommand.
#[cfg(feature = "app")]
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is given or not")]
pub struct WindowArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub picture: PictureArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub faults: FaultArgs,
    /// Width and height of the window in pixels [default: as it was left, or 1280x720]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Start in full screen
    #[arg(long)]
    pub fullscreen: bool,
    /// How pictures get to the display [default: as it was left, or vsync]
    #[arg(long, value_enum, value_name = "MODE")]
    pub present: Option<PresentMode>,
    /// Draw as fast as possible instead of once per refresh of the display; as --present no-vsync
    #[arg(long, conflicts_with = "present")]
    pub no_vsync: bool,
    /// Show figures and controls over the picture at the start; F1 does so later [default: as it was
    /// left, or on]
    #[arg(long, value_name = "on|off", value_parser = picture::on_or_off())]
    pub hud: Option<bool>,
    /// Remember nothing of the window before, and leave nothing to remember
    #[arg(long, hide = true)]
    pub no_preferences: bool,
    /// Fail if there is no display, instead of drawing a picture off screen
    #[arg(long)]
    pub window: bool,
}

#[cfg(feature = "app")]
impl Command {
    /// The benchmark run in a window that this is, if it is one.
    #[must_use]
    pub fn windowed_course(&self) -> Option<&CourseArgs> {
        let Self::Bench(bench) = self else { return None };
        match &bench.command {
            Some(BenchCommand::Single(course)) if course.window => Some(course),
            _ => None,
        }
    }

    /// Whether this asks what the machine is fit for, display and all.
    #[must_use]
    pub fn is_doctor(&self) -> bool {
        matches!(self, Self::Bench(bench) if matches!(bench.command, Some(BenchCommand::Doctor)))
    }
}

#[cfg(feature = "app")]
impl WindowArgs {
    /// How pictures get to the display, by whichever flag.
    #[must_use]
    pub fn present_mode(&self) -> PresentMode {
        let unsaid = if self.no_vsync { PresentMode::NoVsync } else { PresentMode::Vsync };
        self.present.unwrap_or(unsaid)
    }

    /// Width and height of the window.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size.unwrap_or_default()
    }

    /// A picture of the same scene, for where no window can be opened.
    #[must_use]
    pub fn without_a_window(&self) -> RenderArgs {
        RenderArgs {
            scene: self.scene.clone(),
            load: self.load.clone(),
            run: RunArgs::default(),
            picture: self.picture.clone(),
            faults: self.faults.clone(),
            size: self.size(),
            out: PathBuf::from(PICTURE),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
