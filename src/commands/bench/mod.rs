//! `cubefall bench`: measures frame times and compares results.
//!
//! Every run is a child process of its own ([`Runner`](runner::Runner)), so that runs are independent.
//! One file per subcommand; start reading at `run`.

mod compare;
mod doctor;
mod error;
mod export;
mod files;
mod outcome;
mod pairs;
mod report;
mod run;
mod runner;
mod sensors;
mod single;
mod suite;
mod summary;
mod sweep;
mod sysfs;

use std::process::ExitCode;

pub use error::BenchError;
use outcome::Outcome;

use crate::cli::{BenchArgs, BenchCommand};
use crate::output;

/// Runs a subcommand of `cubefall bench`. `cubefall bench --help` lists the exit codes.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode, BenchError> {
    let outcome = match &args.command {
        None => run::run(&args.run),
        Some(BenchCommand::Run(args)) => run::run(args),
        Some(BenchCommand::Sweep(args)) => sweep::run(args),
        Some(BenchCommand::Suite(args)) => suite::run(args),
        Some(BenchCommand::Ab(args)) => pairs::ab(args),
        Some(BenchCommand::Aa(args)) => pairs::aa(args),
        Some(BenchCommand::Compare(args)) => compare::compare(args),
        Some(BenchCommand::Gate(args)) => compare::gate(args),
        Some(BenchCommand::Export(args)) => export::run(args),
        Some(BenchCommand::Report(args)) => report::run(args),
        Some(BenchCommand::Single(args)) => single::run(args),
        Some(BenchCommand::Doctor(args)) => doctor::run(args),
        Some(BenchCommand::Schema(args)) => {
            let schema = serde_json::to_string_pretty(&args.kind.schema())?;
            output::print(&format!("{schema}\n"))?;
            Ok(Outcome::Done)
        }
    };
    Ok(outcome?.into())
}
