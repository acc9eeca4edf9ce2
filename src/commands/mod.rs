//! Commands: what each subcommand does, one file to each.

#[cfg(feature = "render")]
mod adapters;
mod failure;
#[cfg(feature = "render")]
mod render;
mod simulate;
mod text;

pub use failure::Failure;

use crate::cli::Command;
#[cfg(feature = "render")]
use crate::cli::RenderArgs;

/// Does what a subcommand asks for.
///
/// # Errors
/// Whatever kept it from being done; [`Failure::exit_code`] says how the process ends.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        #[cfg(feature = "render")]
        Command::Render(args) => render::run(args),
        Command::Simulate(args) => simulate::run(args),
        #[cfg(feature = "render")]
        Command::Adapters => adapters::run(),
    }
}

/// Draws a picture off screen, as `cubefall render` does.
///
/// # Errors
/// As for [`run`].
#[cfg(feature = "render")]
pub fn render(args: &RenderArgs) -> Result<(), Failure> {
    render::run(args)
}
