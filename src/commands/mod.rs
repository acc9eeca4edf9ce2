//! Commands: one file for each subcommand, and one for the window.

#[cfg(feature = "render")]
mod adapters;
#[cfg(feature = "benchmark")]
mod bench;
mod error;
#[cfg(feature = "render")]
mod offscreen_renderer;
mod open_simulation;
#[cfg(any(feature = "benchmark", feature = "record"))]
mod progress;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "render")]
mod render;
mod scenes;
mod shell;
mod simulate;
#[cfg(feature = "app")]
mod window;

use std::process::ExitCode;

#[cfg(feature = "benchmark")]
pub use self::bench::BenchError;
pub use self::error::CommandError;
#[cfg(feature = "record")]
pub use self::record::RecordError;
use crate::cli::{Cli, Command};
use crate::memory;

/// Runs the subcommand, or opens the window if there is none.
///
/// Returns the exit code: 0, that of a signal, or the verdict of a benchmark.
///
/// # Errors
/// The command failed. [`CommandError::exit_code`] is the exit code.
pub fn run(cli: &Cli) -> Result<ExitCode, CommandError> {
    if let Some(bytes) = cli.memory {
        memory::assume_available(bytes);
    }
    match &cli.command {
        #[cfg(feature = "app")]
        None => return window::run(&cli.window),
        #[cfg(not(feature = "app"))]
        None => unreachable!("a build without the window requires a subcommand"),
        #[cfg(feature = "render")]
        Some(Command::Render(args)) => render::run(args)?,
        #[cfg(feature = "record")]
        Some(Command::Record(args)) => return record::run(args),
        Some(Command::Simulate(args)) => simulate::run(args)?,
        Some(Command::Scenes(args)) => scenes::run(args)?,
        #[cfg(feature = "render")]
        Some(Command::Adapters(args)) => adapters::run(args)?,
        #[cfg(feature = "benchmark")]
        Some(Command::Bench(args)) => return Ok(bench::run(args)?),
        Some(Command::Completions(args)) => shell::completions(args)?,
        Some(Command::Man(args)) => shell::manual(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
