//! `bench run`: several runs with the same settings.

use std::path::Path;

use super::compare::{self, gate_record};
use super::files::{FRAMES_FILE, Folder, JsonTarget, RESULT_FILES};
use super::outcome::STRICT;
use super::runner::{self, Runner};
use super::{BenchError, Outcome, doctor, export, files, report, summary};
use crate::benchmark::{
    Baseline, BaselineComparison, BenchResult, ExportFormat, Summary, result_warnings,
};
use crate::cli::{BenchRunArgs, DURATION, export_formats};
use crate::error_text;
use crate::output::{self, OutputFile, is_same_file};
use crate::units::counted;

/// A baseline and the file it was read from.
type NamedBaseline<'a> = (&'a Path, Baseline);

pub(super) fn run(args: &BenchRunArgs) -> Result<Outcome, BenchError> {
    // Check everything that can fail before measuring for minutes.
    args.run.check(DURATION).map_err(BenchError::Input)?;
    let folder = args.output.out.as_deref();
    let folder = folder.map(|path| Folder::create(path, &RESULT_FILES)).transpose()?;
    if let (Some(folder), Some(frames)) = (&folder, args.run.frames) {
        folder.require_space(u64::from(frames) * u64::from(args.runs))?;
    }
    let formats = export_formats(&args.export);
    let runs = || 0..args.runs as usize;
    let exports = formats.iter().flat_map(|format| runs().map(|run| format.file_name(run)));
    let names: Vec<_> = exports.chain(RESULT_FILES.map(str::to_owned)).collect();
    let written = folder.iter().flat_map(|folder| names.iter().map(|name| folder.path(name)));
    let own: Vec<_> = args.run.scene.files().into_iter().chain(args.program.clone()).collect();
    let files_read = args.baseline.iter().chain(&own).cloned();
    let json = JsonTarget::create(&args.output.json, written.clone(), files_read)?;
    let save = args.save_baseline.as_deref().map(OutputFile::create).transpose()?;
    let others = || written.clone().chain(own.clone()).chain(args.output.json.json.clone());
    save.iter().try_for_each(|file| file.require_other_than(others()))?;
    let read = |path| Ok::<_, BenchError>((path, files::read_baseline(path)?));
    // The first session has nothing to be compared with.
    let save_to = args.save_baseline.as_deref();
    let is_first =
        |path: &&Path| save_to.is_some_and(|to| is_same_file(to, path)) && !path.exists();
    let baseline = args.baseline.as_deref().filter(|path| !is_first(path));
    let baseline = baseline.map(read).transpose()?;
    let saved = save_to.filter(|path| path.exists());
    let saved = saved.map(|path| Ok::<_, BenchError>((path, files::read_saved_baseline(path)?)));
    let saved = saved.transpose()?;
    let mut result = BenchResult::new(args.output.name.clone(), args.run.bench_settings(args.runs));
    result.frames_file = folder.is_some().then(|| FRAMES_FILE.to_owned());
    let baselines: Vec<_> = baseline.iter().chain(&saved).collect();
    if let Some(reason) = refusal(&baselines, &result) {
        output::status(&format!("{reason}; nothing was measured; use another baseline"));
        return Ok(Outcome::NotComparable);
    }
    let sessions = baseline.as_ref().map(|(_, baseline)| baseline);
    let to = folder.as_ref().map(|folder| (folder, &formats[..]));
    let measured = measure(args, &mut result, to, sessions, &baselines);
    if let Ok(Some(reason)) = &measured {
        output::status(&format!("{reason}; stopped after the first run"));
        return Ok(Outcome::NotComparable);
    }
    let gate = compared(args, &result, sessions);
    let (outcome, reasons) = judge(args, &result, gate.as_ref());
    if result.runs.is_empty() {
        measured?;
        output::status("interrupted before the end of the first run");
        return Ok(outcome);
    }
    let mut text = summary::text(&result, args.output.verbose);
    if let Some(folder) = folder.filter(Folder::is_written) {
        folder.report_paths(RESULT_FILES);
        export::report_paths(&folder, &result, &formats);
    }
    let verdict = gate.and_then(Result::ok).map(|gate| gate.text()).unwrap_or_default();
    text += &verdict;
    // The files written below are in no folder with frames.
    result.frames_file = None;
    let printed = json.write(&result, &text);
    json.report(&verdict);
    for reason in &reasons {
        output::status(reason);
    }
    let is_rejected = outcome == Outcome::Invalid && args.strict && !result.warnings.is_empty();
    // A baseline that is not written gives the reason, too.
    if is_rejected && save_to.is_none() {
        output::status(STRICT);
    }
    measured?;
    result.baseline = None;
    let mut is_saved = true;
    if let (Some(file), Some(path), true) = (save, save_to, result.complete) {
        let rejected = match outcome {
            Outcome::Inconclusive => {
                Some("the verdict is inconclusive; leave out --baseline to add a session")
            }
            Outcome::Regression => Some("a regression, or an assertion that does not hold"),
            _ => is_rejected.then_some(STRICT),
        };
        is_saved = save_session(&file, path, result, rejected)?;
    }
    printed?;
    Ok(if outcome == Outcome::Done && !is_saved { Outcome::NotComparable } else { outcome })
}

/// Adds a result to the baseline in a file, unless it is rejected or cannot be compared, which is reported. Returns
/// whether it was added.
fn save_session(
    file: &OutputFile,
    path: &Path,
    result: BenchResult,
    rejected: Option<&str>,
) -> Result<bool, BenchError> {
    let unusable = compare::usable(&result, "the result");
    // Read again: another benchmark may have added a session.
    let saved = if path.exists() { Some((path, files::read_saved_baseline(path)?)) } else { None };
    let unusable = unusable.or_else(|| refusal(&Vec::from_iter(&saved), &result));
    let shown = error_text::path(path);
    if let Some(reason) = rejected.or(unusable.as_deref()) {
        output::status(&format!("{shown} was not written: {reason}"));
        return Ok(false);
    }
    let sessions = match saved {
        Some((_, mut saved)) => {
            saved.push(result);
            saved
        }
        None => Baseline::from_result(result),
    };
    file.write(|file| Ok(serde_json::to_writer(file, &sessions)?))?;
    let sessions = counted(sessions.sessions().len(), "session");
    output::status(&format!("wrote {shown}: {sessions}"));
    Ok(true)
}

/// Returns why the result cannot be compared with one of the baselines.
fn refusal(baselines: &[&NamedBaseline], result: &BenchResult) -> Option<String> {
    baselines.iter().find_map(|(path, baseline)| {
        let of_session = |session| compare::usable(session, "a session of A");
        let unusable = baseline.sessions().iter().find_map(of_session);
        let reason = unusable.or_else(|| compare::differs(baseline.last(), result))?;
        let path = error_text::path(path);
        Some(format!("this benchmark (B) cannot be compared with {path} (A): {reason}"))
    })
}

/// Measures all runs, or those before a signal. Writes the result after each run. Returns why the first run
/// cannot be compared with a baseline, and then stops.
fn measure(
    args: &BenchRunArgs,
    result: &mut BenchResult,
    to: Option<(&Folder, &[ExportFormat])>,
    baseline: Option<&Baseline>,
    baselines: &[&NamedBaseline],
) -> Result<Option<String>, BenchError> {
    let program = runner::program(args.program.as_deref())?;
    let machine_warnings = doctor::warnings();
    let runner = Runner::new(args.runs.into())?;
    for number in 1..=args.runs {
        let label = format!("run {number} of {}", args.runs);
        let Some(run) = runner.run(&label, &program, &args.run)? else { break };
        result.push(run).map_err(BenchError::MixedRuns)?;
        if let Some(reason) = refusal(baselines, result) {
            return Ok(Some(reason));
        }
        result.warnings = result_warnings(result, &machine_warnings);
        result.warnings.extend(args.run.graphics.without_effect(&result.runs[0]));
        result.summary = Some(Summary::of(&result.runs));
        let gate = compared(args, result, baseline).and_then(Result::ok);
        result.baseline = gate.as_ref().map(gate_record);
        if let Some((folder, formats)) = to {
            let mut files = export::stage(folder, result, formats, result.runs.len() - 1)?;
            files.push(folder.stage_frames(result)?);
            let page = report::with_baseline(result, baseline, args.threshold).html();
            let [json, _, html] = RESULT_FILES;
            folder.write([json, html], result, &page, files)?;
            let kept = [&args.baseline, &args.save_baseline, &args.output.json.json, &args.program];
            let kept: Vec<_> =
                kept.into_iter().flatten().cloned().chain(args.run.scene.files()).collect();
            export::remove_stale(folder, result, formats, &kept);
        }
    }
    Ok(None)
}

/// Compares a result with the baseline, if there is one. The error says why that is not possible.
fn compared(
    args: &BenchRunArgs,
    result: &BenchResult,
    baseline: Option<&Baseline>,
) -> Option<Result<BaselineComparison, String>> {
    let baseline = baseline?;
    Some(match compare::usable(result, "the result") {
        Some(reason) => Err(reason),
        None => baseline
            .compare(result, args.threshold)
            .ok_or_else(|| "the result has no frames".to_owned()),
    })
}

/// Checks assertions, the comparison with the baseline, if there is one, and `--strict`. Returns reasons, too.
fn judge(
    args: &BenchRunArgs,
    result: &BenchResult,
    gate: Option<&Result<BaselineComparison, String>>,
) -> (Outcome, Vec<String>) {
    if !result.complete {
        return (Outcome::Interrupted, Vec::new());
    }
    if !args.assertions.is_empty()
        && let Some(reason) = compare::usable(result, "the result")
    {
        return (Outcome::Invalid, vec![format!("the assertions were not checked: {reason}")]);
    }
    let summary = Summary::of(&result.runs);
    let failed = args.assertions.iter().filter_map(|assertion| {
        let reason = assertion.check(&summary).err()?;
        Some(format!("assertion failed: {assertion}: {reason}"))
    });
    let mut reasons: Vec<_> = failed.collect();
    let outcome = match gate {
        _ if !reasons.is_empty() => Outcome::Regression,
        None => Outcome::Done,
        Some(Ok(gate)) => gate.verdict().into(),
        Some(Err(reason)) => {
            reasons.push(reason.clone());
            Outcome::NotComparable
        }
    };
    // Unreliable results do not prove a regression either.
    let is_rejected = args.strict && !result.warnings.is_empty();
    (if is_rejected { Outcome::Invalid } else { outcome }, reasons)
}
