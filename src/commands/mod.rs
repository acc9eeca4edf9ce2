//! Commands: what each subcommand does, one file to each.

#[cfg(feature = "render")]
mod adapters;
mod failure;
#[cfg(feature = "render")]
mod render;
mod simulate;
mod text;
#[cfg(feature = "app")]
mod window;

pub use failure::Failure;

use crate::cli::{Cli, Command};

/// Does what the command line asks for.
///
/// # Errors
/// Whatever kept it from being done; [`Failure::exit_code`] says how the process ends.
pub fn run(cli: &Cli) -> Result<(), Failure> {
    match &cli.command {
        #[cfg(feature = "render")]
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Simulate(args)) => simulate::run(args),
        #[cfg(feature = "render")]
        Some(Command::Adapters) => adapters::run(),
        #[cfg(feature = "app")]
        None => window::run(&cli.window),
        #[cfg(not(feature = "app"))]
        None => unreachable!("without a window the command line requires a subcommand"),
    }
}
