//! `bench compare` and `bench gate`: comparison of two saved results.

use std::path::Path;

use super::{BenchError, Outcome, files};
use crate::benchmark::{BenchResult, Comparison, RunResult, Threshold};
use crate::cli::{CompareArgs, GateArgs};
use crate::output;

/// Prints the comparison. The verdict does not affect the exit code.
pub(super) fn compare(args: &CompareArgs) -> Result<Outcome, BenchError> {
    let outcome = compare_files(&args.a, &args.b, args.threshold)?;
    Ok(if outcome == Outcome::NotComparable { outcome } else { Outcome::Done })
}

/// Prints the comparison and returns the verdict.
pub(super) fn gate(args: &GateArgs) -> Result<Outcome, BenchError> {
    compare_files(&args.baseline, &args.candidate, args.threshold)
}

fn compare_files(
    baseline: &Path,
    candidate: &Path,
    threshold: Threshold,
) -> Result<Outcome, BenchError> {
    let results = (files::read(baseline)?, files::read(candidate)?);
    match with_baseline(&results.0, baseline, &results.1, threshold) {
        Ok((text, outcome)) => {
            output::print(&text)?;
            Ok(outcome)
        }
        Err(reason) => {
            output::status(&format!("{}: {reason}", candidate.display()));
            Ok(Outcome::NotComparable)
        }
    }
}

/// Compares a result with a baseline that was read from `path`.
///
/// Returns the text to print and the outcome, or why the two cannot be compared.
pub(super) fn with_baseline(
    baseline: &BenchResult,
    path: &Path,
    candidate: &BenchResult,
    threshold: Threshold,
) -> Result<(String, Outcome), String> {
    let not_comparable =
        |reason: &str| Err(format!("cannot be compared with {}: {reason}", path.display()));
    for (result, name) in [(baseline, "baseline"), (candidate, "candidate")] {
        if !result.runs.iter().all(RunResult::all_frames_valid) {
            return not_comparable(&format!(
                "the {name} has frames with a resized or hidden window, or a suspended process"
            ));
        }
        if !result.complete {
            return not_comparable(&format!("the {name} is incomplete"));
        }
    }
    if let Some(differences) = baseline.differs_from(candidate) {
        return not_comparable(&format!("they differ in {differences}"));
    }
    let comparison = Comparison::of_saved(&baseline.medians(), &candidate.medians(), threshold);
    let text = format!(
        "A: {} ({} runs), B: {} ({} runs)\n\
         Measured at different times: changes of the machine count as a difference.\n\
         For a reliable verdict run `cubefall bench ab`.\n{}",
        baseline.name,
        baseline.runs.len(),
        candidate.name,
        candidate.runs.len(),
        comparison.text(threshold),
    );
    Ok((text, comparison.verdict.into()))
}
