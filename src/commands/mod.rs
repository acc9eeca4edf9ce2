//! Commands: what each subcommand does, one file to each.

#[cfg(feature = "render")]
mod adapters;
#[cfg(feature = "benchmark")]
mod bench;
mod failure;
#[cfg(any(feature = "benchmark", feature = "record"))]
mod interrupt;
#[cfg(feature = "render")]
mod painter;
#[cfg(any(feature = "benchmark", feature = "record"))]
mod progress;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "render")]
mod render;
mod scenes;
mod simulate;
mod start;
mod text;

#[cfg(feature = "benchmark")]
pub use bench::{BenchError, doctor, print_run};
pub use failure::Failure;
#[cfg(feature = "record")]
pub use record::RecordError;

use std::process::ExitCode;

use crate::cli::Command;
#[cfg(feature = "render")]
use crate::cli::RenderArgs;

/// Does what a subcommand asks for, and says how the process ends: with success, but for what was
/// interrupted, and for benchmarks, whose codes tell what they found out.
///
/// # Errors
/// Whatever kept it from being done; [`Failure::exit_code`] says how the process ends.
pub fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        #[cfg(feature = "render")]
        Command::Render(args) => render::run(args)?,
        #[cfg(feature = "record")]
        Command::Record(args) => return record::run(args),
        Command::Simulate(args) => simulate::run(args)?,
        Command::Scenes(args) => scenes::run(args)?,
        #[cfg(feature = "render")]
        Command::Adapters => adapters::run()?,
        #[cfg(feature = "benchmark")]
        Command::Bench(args) => return Ok(bench::run(args)?),
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws a picture off screen, as `cubefall render` does.
///
/// # Errors
/// As for [`run`].
#[cfg(feature = "render")]
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    render::run(args)
}
