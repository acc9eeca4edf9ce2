//! `bench compare` and `bench gate`: comparison of saved results.

use std::path::Path;

use serde_json::{Value, json};

use super::files::JsonTarget;
use super::{BenchError, Outcome, files, summary};
use crate::benchmark::{
    Baseline, BaselineComparison, BenchResult, Difference, RunMedian, RunResult,
};
use crate::cli::{CompareArgs, GateArgs};
use crate::error_text;
use crate::output;
use crate::units::{counted, ms, or_unknown};

/// Why results without a median cannot be compared.
const NO_FRAMES: &str = "one of them has no frames";

/// Returns the comparison with a baseline in JSON. The standard deviation is a fraction.
pub(super) fn gate_record(compared: &BaselineComparison) -> Value {
    json!({
        "verdict": compared.verdict().name(),
        "conclusion": compared.conclusion(),
        "session_count": compared.sessions,
        "standard_deviation": compared.spread,
        "first": compared.first.record(),
        "last": compared.last.record(),
    })
}

/// Prints the comparison of two results. The verdict does not affect the exit code.
pub(super) fn compare(args: &CompareArgs) -> Result<Outcome, BenchError> {
    let json = JsonTarget::create(&args.json, [], files::read_from([&args.a, &args.b]))?;
    let (a, b) = (files::read_result(&args.a)?, files::read_result(&args.b)?);
    let refused = refused(&a, &b, args.across);
    let baseline = Baseline::from_result(a);
    let compared = baseline.compare(&b, args.threshold);
    let Some(compared) = compared.filter(|_| refused.is_none()) else {
        let reason = refused.as_deref().unwrap_or(NO_FRAMES);
        return Ok(not_comparable(&args.b, &args.a, reason));
    };
    let (a, comparison) = (baseline.last(), compared.last);
    let differences = a.differences(&b);
    let advice = if a.machine.is_same(&b.machine) {
        "Measured at different times: changes of the machine count as a difference.\n\
         For a reliable verdict run `cubefall bench ab`.\n"
    } else {
        "Measured on different machines.\n"
    };
    let text = format!(
        "{}{}{}{}{advice}{}",
        comparison.text(),
        summary::wrapped(&format!("A: {}", described(&args.a, a))),
        summary::wrapped(&format!("B: {}", described(&args.b, &b))),
        summary::differences(&differences),
        warnings([("A", a), ("B", &b)]),
    );
    let files = [&args.a, &args.b].map(|path| path.display().to_string());
    let medians = [a, &b].map(|result| median(result).map(RunMedian::nanoseconds));
    let record = json!({
        "names": [a.name, b.name],
        "files": files,
        "medians_ns": medians,
        "comparison": comparison.record(),
        "differences": differences,
        "warnings": [a.warnings, b.warnings],
    });
    json.write(&record, &text)?;
    Ok(Outcome::Done)
}

/// Returns file, name, median frame time and number of runs of a result.
fn described(path: &Path, result: &BenchResult) -> String {
    let median = or_unknown(median(result), |median| ms(median.nanoseconds()));
    let runs = counted(result.runs.len(), "run");
    format!("{}: {}, median {median} ({runs})", error_text::path(path), result.name)
}

/// Returns a line for each warning about results with these names.
fn warnings<'a>(results: impl IntoIterator<Item = (&'a str, &'a BenchResult)>) -> String {
    let named = results.into_iter().flat_map(|(name, result)| {
        result.warnings.iter().map(move |warning| format!("{name}: {warning}"))
    });
    summary::warnings(&named.collect::<Vec<_>>())
}

fn median(result: &BenchResult) -> Option<RunMedian> {
    RunMedian::over(&result.medians())
}

/// Compares a result with a baseline and returns the verdict.
pub(super) fn gate(args: &GateArgs) -> Result<Outcome, BenchError> {
    let json =
        JsonTarget::create(&args.json, [], files::read_from([&args.baseline, &args.candidate]))?;
    let baseline = files::read_baseline(&args.baseline)?;
    let candidate = files::read_result(&args.candidate)?;
    let of_session = |session| usable(session, "a session of the baseline");
    let unusable = usable(&candidate, "the candidate");
    let unusable = unusable.or_else(|| baseline.sessions().iter().find_map(of_session));
    let refused = unusable.or_else(|| differs(baseline.last(), &candidate));
    let compared = baseline.compare(&candidate, args.threshold);
    let Some(compared) = compared.filter(|_| refused.is_none()) else {
        let reason = refused.as_deref().unwrap_or(NO_FRAMES);
        return Ok(not_comparable(&args.candidate, &args.baseline, reason));
    };
    let sides = [("baseline", baseline.last()), ("candidate", &candidate)];
    let mut record = gate_record(&compared);
    record["warnings"] = json!(sides.map(|(_, result)| &result.warnings));
    json.write(&record, &(compared.text() + &warnings(sides)))?;
    json.report(&compared.text());
    Ok(compared.verdict().into())
}

/// Returns why A and B cannot be compared; `None` if they can. `across` allows different conditions.
pub(super) fn refused(a: &BenchResult, b: &BenchResult, across: bool) -> Option<String> {
    let differ = || Some(format!("{}; --across allows differences", differs(a, b)?));
    let unusable = usable(a, "A").or_else(|| usable(b, "B"));
    unusable.or_else(|| differ().filter(|_| !across))
}

/// Reports why two files cannot be compared.
pub(super) fn not_comparable(candidate: &Path, baseline: &Path, reason: &str) -> Outcome {
    let [candidate, baseline] = [candidate, baseline].map(error_text::path);
    output::status(&format!("{candidate}: cannot be compared with {baseline}: {reason}"));
    Outcome::NotComparable
}

/// Returns why a result, with a name in its comparison, is no basis of one; `None` if it is.
pub(super) fn usable(result: &BenchResult, name: &str) -> Option<String> {
    if !result.runs.iter().all(RunResult::all_frames_valid) {
        return Some(format!(
            "{name} has frames with a resized or hidden window, or a suspended process"
        ));
    }
    (!result.complete).then(|| format!("{name} is incomplete"))
}

/// Returns in which conditions two results differ; `None` if in none. Compares conditions of runs only if
/// both have any.
pub(super) fn differs(a: &BenchResult, b: &BenchResult) -> Option<String> {
    let list = Difference::list(&a.differences(b))?;
    Some(format!("they differ in {list}"))
}
