//! The process: parses the command line, runs what it asks for, ends with the exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use cubefall::cli::Cli;
use cubefall::commands;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // Libraries speak up only when something is wrong; RUST_LOG changes that.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    match &cli.command {
        // What takes a display: nobody below the window may open one.
        #[cfg(feature = "app")]
        Some(command) if let Some(course) = command.windowed_course() => windowed_course(course),
        #[cfg(feature = "app")]
        Some(command) if command.is_doctor() => doctor(),
        Some(command) => finish(commands::run(command)),
        #[cfg(feature = "app")]
        None => window(&cli.window),
        #[cfg(not(feature = "app"))]
        None => unreachable!("without a window the command line requires a subcommand"),
    }
}

/// The window; or a picture where there is no display and nobody insists on a window.
#[cfg(feature = "app")]
fn window(args: &cubefall::cli::WindowArgs) -> ExitCode {
    use cubefall::app::{self, AppError};

    match app::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(AppError::NoDisplay(reason)) if !args.window => {
            say(&format!("{reason}: drawing a picture off screen instead of a window"));
            finish(commands::render(&args.without_a_window()).map(|()| ExitCode::SUCCESS))
        }
        Err(error) => {
            say(&error);
            error.exit_code()
        }
    }
}

/// One run of a benchmark, in a window.
#[cfg(feature = "app")]
fn windowed_course(args: &cubefall::cli::CourseArgs) -> ExitCode {
    match cubefall::app::run_course(args) {
        Ok(run) => {
            finish(commands::print_run(&run).map(|()| ExitCode::SUCCESS).map_err(Into::into))
        }
        Err(error) => {
            say(&error);
            error.exit_code()
        }
    }
}

#[cfg(feature = "app")]
fn doctor() -> ExitCode {
    use cubefall::app::{self, AppError};

    let display = app::look_at_display().map_err(|error| match error {
        AppError::NoDisplay(reason) => reason,
        other => other.to_string(),
    });
    finish(commands::doctor(display).map_err(Into::into))
}

fn finish(result: Result<ExitCode, commands::Failure>) -> ExitCode {
    result.unwrap_or_else(|failure| {
        say(&failure);
        failure.exit_code()
    })
}

/// Prints to standard error; if nobody can read it, so be it.
fn say(what: &dyn Display) {
    let _ = writeln!(io::stderr(), "cubefall: {what}");
}
