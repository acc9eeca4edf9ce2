//! Compare: two results that were saved.

use std::path::Path;

use super::{BenchError, Outcome, files};
use crate::benchmark::{BenchResult, Comparison, RunResult, Threshold};
use crate::cli::{CompareArgs, GateArgs};
use crate::output;

/// Prints how B compares with A; no verdict is a failure.
pub(super) fn compare(args: &CompareArgs) -> Result<Outcome, BenchError> {
    Ok(match saved(&args.a, &args.b, args.threshold)? {
        Outcome::NotComparable => Outcome::NotComparable,
        _ => Outcome::Done,
    })
}

/// Fails if the candidate is slower.
pub(super) fn gate(args: &GateArgs) -> Result<Outcome, BenchError> {
    saved(&args.baseline, &args.candidate, args.threshold)
}

fn saved(a: &Path, b: &Path, threshold: Threshold) -> Result<Outcome, BenchError> {
    let [was, is] = [a, b].map(files::read);
    let (said, outcome) = with_saved(&was?, a, &is?, threshold);
    match outcome {
        Outcome::NotComparable => output::status(&format!("{}: {said}", b.display())),
        _ => output::print(&said)?,
    }
    Ok(outcome)
}

/// How a result compares with one that was saved at `path`, in words and as an outcome.
pub(super) fn with_saved(
    was: &BenchResult,
    path: &Path,
    is: &BenchResult,
    threshold: Threshold,
) -> (String, Outcome) {
    for (result, which) in [(was, "the earlier result"), (is, "the later result")] {
        let disturbed = !result.runs.iter().all(RunResult::all_frames_valid);
        if disturbed || !result.complete {
            let why = if disturbed { "has frames that were disturbed" } else { "is incomplete" };
            let said = format!("it cannot be compared with {}: {which} {why}", path.display());
            return (said, Outcome::NotComparable);
        }
    }
    if let Some(what) = was.differs_from(is) {
        let path = path.display();
        let said = format!("it cannot be compared with {path}: they differ in {what}");
        return (said, Outcome::NotComparable);
    }
    let comparison = Comparison::of_saved(&was.medians(), &is.medians(), threshold);
    let said = format!(
        "{} runs of {} and {} of {}, measured one after the other: what changed on the machine in between\n\
         counts as a difference. `cubefall bench ab` does better.\n{}",
        was.runs.len(),
        was.name,
        is.runs.len(),
        is.name,
        comparison.text(threshold),
    );
    (said, comparison.verdict.into())
}
