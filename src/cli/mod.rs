//! Command line: flags into typed settings. What is wrong is a usage error that lists the choices.

#[cfg(feature = "benchmark")]
mod bench;
#[cfg(feature = "render")]
mod choices;
mod count;
#[cfg(feature = "benchmark")]
mod export;
#[cfg(feature = "render")]
mod graphics;
#[cfg(feature = "render")]
mod inject;
mod load;
mod mode;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "render")]
mod render;
mod scene;
mod scenes;
mod seconds;
mod simulate;
mod steps;
#[cfg(feature = "app")]
mod window;

use clap::{Parser, Subcommand};

#[cfg(feature = "benchmark")]
pub use self::bench::{
    AbArgs, BenchArgs, BenchCommand, BenchRunArgs, CompareArgs, GateArgs, PairArgs, ReportArgs,
    RunArgs, STANDARD_OUTPUT, SweepArgs,
};
#[cfg(feature = "benchmark")]
pub use self::export::{ExportArgs, ExportChoice};
#[cfg(feature = "render")]
pub use self::graphics::GraphicsArgs;
#[cfg(feature = "render")]
pub use self::inject::{FaultArgs, Injection};
pub use self::load::LoadArgs;
#[cfg(feature = "record")]
pub use self::record::{Container, GIF_FPS, Numbered, RecordArgs, Recording};
#[cfg(feature = "render")]
pub use self::render::RenderArgs;
pub use self::scene::SceneArgs;
pub use self::scenes::{ChosenScene, ScenesArgs};
pub use self::simulate::SimulateArgs;
pub use self::steps::StepArgs;
#[cfg(feature = "app")]
pub use self::window::WindowArgs;

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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
