//! Parses the command line, runs the command and returns its exit code.

use std::process::ExitCode;

use clap::Parser;
use cubefall::cli::Cli;
use cubefall::{commands, output};

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Libraries log errors only, unless RUST_LOG is set.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    commands::run(&cli).unwrap_or_else(|error| {
        output::diagnostic(&error);
        error.exit_code()
    })
}
