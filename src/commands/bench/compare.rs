//! `bench compare` and `bench gate`: comparison of saved results.

use std::path::Path;

use serde::Serialize;

use super::files::JsonTarget;
use super::{BenchError, Outcome, files, summary};
use crate::benchmark::{
    Baseline, BaselineComparison, BenchResult, Comparison, ComparisonRecord, Difference, RunResult,
    Threshold,
};
use crate::cli::{CompareArgs, GateArgs};
use crate::output;

/// The comparison of two results in JSON.
#[derive(Serialize)]
struct CompareRecord<'a> {
    /// Names of A and B.
    names: [&'a str; 2],
    comparison: ComparisonRecord,
    differences: Vec<Difference>,
}

/// The comparison with a baseline in JSON.
#[derive(Serialize)]
pub(super) struct GateRecord {
    verdict: &'static str,
    sessions: usize,
    /// Estimated standard deviation between sessions, as a fraction.
    spread: f64,
    first: ComparisonRecord,
    last: ComparisonRecord,
}

impl GateRecord {
    pub(super) fn of(compared: &BaselineComparison, threshold: Threshold) -> Self {
        Self {
            verdict: compared.verdict().name(),
            sessions: compared.sessions,
            spread: compared.spread,
            first: compared.first.record(threshold),
            last: compared.last.record(threshold),
        }
    }
}

/// Prints the comparison of two results. The verdict does not affect the exit code.
pub(super) fn compare(args: &CompareArgs) -> Result<Outcome, BenchError> {
    let json = JsonTarget::create(args.json.json.as_deref())?;
    let [a, b] = [&args.a, &args.b].map(|path| files::read_result(path, false));
    let (a, b) = (a?, b?);
    let differences = a.differences(&b);
    let reason = if args.across {
        usable(&a).or_else(|| usable(&b))
    } else {
        let advice = |reason| format!("{reason}; --across allows differences");
        refused(&a, &b).map(advice)
    };
    if let Some(reason) = reason {
        return Ok(not_comparable(&args.b, &args.a, &reason));
    }
    let comparison = Comparison::of_saved(&a.medians(), &b.medians(), args.threshold);
    let text = format!(
        "{}A: {} ({} runs), B: {} ({} runs)\n{}\
         Measured at different times: changes of the machine count as a difference.\n\
         For a reliable verdict run `cubefall bench ab`.\n",
        comparison.text(args.threshold),
        a.name,
        a.runs.len(),
        b.name,
        b.runs.len(),
        summary::differences(&differences),
    );
    let comparison = comparison.record(args.threshold);
    json.write(&CompareRecord { names: [&a.name, &b.name], comparison, differences })?;
    json.print_text(&text)?;
    Ok(Outcome::Done)
}

/// Compares a result with a baseline and returns the verdict.
pub(super) fn gate(args: &GateArgs) -> Result<Outcome, BenchError> {
    let json = JsonTarget::create(args.json.json.as_deref())?;
    let baseline = files::read_baseline(&args.baseline)?;
    let candidate = files::read_result(&args.candidate, false)?;
    let refused = usable(&candidate).or_else(|| differs(&baseline, &candidate));
    let compared = match refused {
        Some(reason) => Err(reason),
        None => baseline
            .compare(&candidate, args.threshold)
            .ok_or_else(|| "one of them has no frames".to_owned()),
    };
    match compared {
        Ok(compared) => {
            json.write(&GateRecord::of(&compared, args.threshold))?;
            json.print_text(&compared.text(args.threshold))?;
            Ok(compared.verdict().into())
        }
        Err(reason) => Ok(not_comparable(&args.candidate, &args.baseline, &reason)),
    }
}

/// Returns why two results cannot be compared; `None` if they can.
pub(super) fn refused(a: &BenchResult, b: &BenchResult) -> Option<String> {
    let differences = || Difference::list(&a.differences(b));
    let differ = || differences().map(|list| format!("they differ in {list}"));
    usable(a).or_else(|| usable(b)).or_else(differ)
}

/// Reports why two files cannot be compared.
pub(super) fn not_comparable(candidate: &Path, baseline: &Path, reason: &str) -> Outcome {
    let (candidate, baseline) = (candidate.display(), baseline.display());
    output::status(&format!("{candidate}: cannot be compared with {baseline}: {reason}"));
    Outcome::NotComparable
}

/// Returns why a result is no basis of a comparison; `None` if it is.
pub(super) fn usable(result: &BenchResult) -> Option<String> {
    let name = &result.name;
    if !result.runs.iter().all(RunResult::all_frames_valid) {
        return Some(format!(
            "{name} has frames with a resized or hidden window, or a suspended process"
        ));
    }
    (!result.complete).then(|| format!("{name} is incomplete"))
}

/// Returns why a result cannot be compared with a baseline, or added to it; `None` if it can. Compares
/// conditions of runs only if the result has any.
pub(super) fn differs(baseline: &Baseline, result: &BenchResult) -> Option<String> {
    let list = Difference::list(&baseline.last().differences(result))?;
    Some(format!("they differ in {list}"))
}
