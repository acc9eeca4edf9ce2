//! The process: parses the command line, runs the command, ends with its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use cubefall::cli::Cli;
use cubefall::commands;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Libraries speak up only when something is wrong; RUST_LOG changes that.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    match commands::run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "cubefall: {failure}");
            failure.exit_code()
        }
    }
}
