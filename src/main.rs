//! Parses the command line, runs the command and returns its exit code.

use std::process::ExitCode;

use cubefall::{cli, commands, output};

fn main() -> ExitCode {
    let cli = cli::parse();
    // Libraries log errors only, unless RUST_LOG is set.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    commands::run(&cli).unwrap_or_else(|error| {
        output::diagnostic(&error);
        error.exit_code()
    })
}
