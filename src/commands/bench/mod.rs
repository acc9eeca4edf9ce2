//! `cubefall bench`: measures frame times, and compares what was measured.

mod child;
mod compare;
mod doctor;
mod error;
mod export;
mod files;
mod pairs;
mod report;
mod run;
mod single;
mod summary;
mod sweep;
mod warnings;

use std::process::ExitCode;

pub use error::BenchError;

use crate::benchmark::{BenchResult, RunResult, Verdict};
use crate::cli::{BenchArgs, BenchCommand};
use crate::output;

/// Does what the flags ask for; the exit codes are those that `cubefall bench --help` lists.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode, BenchError> {
    let outcome = match &args.command {
        None => run::run(&args.run)?,
        Some(BenchCommand::Run(run)) => run::run(run)?,
        Some(BenchCommand::Sweep(args)) => sweep::sweep(args)?,
        Some(BenchCommand::Ab(ab)) => pairs::ab(ab)?,
        Some(BenchCommand::Aa(aa)) => pairs::aa(aa)?,
        Some(BenchCommand::Compare(args)) => compare::compare(args)?,
        Some(BenchCommand::Gate(args)) => compare::gate(args)?,
        Some(BenchCommand::Export(args)) => export::run(args)?,
        Some(BenchCommand::Report(args)) => report::run(args)?,
        Some(BenchCommand::Single(args)) => single::run(args)?,
        Some(BenchCommand::Doctor) => doctor::run()?,
        Some(BenchCommand::Schema) => {
            let schema = serde_json::to_string_pretty(&schemars::schema_for!(BenchResult))?;
            output::print(&format!("{schema}\n"))?;
            Outcome::Done
        }
    };
    Ok(outcome.into())
}

/// Prints the result of one run as JSON, for the parent process.
fn print_run(result: &RunResult) -> Result<(), BenchError> {
    Ok(output::print(&format!("{}\n", serde_json::to_string(result)?))?)
}

/// How a benchmark that did not fail ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Done,
    Regression,
    Inconclusive,
    Invalid,
    NotComparable,
    Interrupted,
}

impl Outcome {
    /// This one, unless it is that all is well.
    fn or(self, other: Self) -> Self {
        if self == Self::Done { other } else { self }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Regression => Self::Regression,
            Verdict::Improvement | Verdict::Equivalent => Self::Done,
            Verdict::Inconclusive { .. } | Verdict::TooFewPairs => Self::Inconclusive,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Done => 0,
            Outcome::Regression => 3,
            Outcome::Inconclusive => 4,
            Outcome::Invalid => 5,
            Outcome::NotComparable => 6,
            Outcome::Interrupted => 130,
        })
    }
}
