//! `bench run`: several runs with the same settings.

use super::files::{Folder, JsonTarget, RESULT_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, compare, export, files, report, summary, warnings};
use crate::benchmark::{BenchResult, Summary};
use crate::cli::{BenchRunArgs, ExportChoice};
use crate::output::{self, OutputFile};

pub(super) fn run(args: &BenchRunArgs) -> Result<Outcome, BenchError> {
    // Check everything that can fail before measuring for minutes.
    let folder = args.output.out.as_deref().map(Folder::create).transpose()?;
    if let (Some(folder), Some(frames)) = (&folder, args.run.frames) {
        folder.require_space(u64::from(frames) * u64::from(args.runs))?;
    }
    let json = JsonTarget::create(args.output.json.as_deref())?;
    let save = args.save_baseline.as_deref().map(OutputFile::create).transpose()?;
    let baseline: Option<BenchResult> = args.baseline.as_deref().map(files::read).transpose()?;
    let mut result = BenchResult::new(args.output.name.clone(), args.run.bench_settings(args.runs));
    if let (Some(baseline), Some(path)) = (&baseline, &args.baseline)
        && let Some(differences) = baseline.differs_from(&result)
    {
        let path = path.display();
        output::status(&format!(
            "cannot be compared with {path}: they differ in {differences}; nothing was measured"
        ));
        return Ok(Outcome::NotComparable);
    }
    measure(args, &mut result, folder.as_ref(), baseline.as_ref())?;
    json.write(&result)?;
    if result.runs.is_empty() {
        return Ok(Outcome::Interrupted);
    }
    if let Some(folder) = folder {
        folder.report_paths(RESULT_FILES);
        export::report_paths(&folder, &result, &ExportChoice::formats(&args.export));
    }
    json.print_text(&summary::text(&result))?;
    if !result.complete {
        return Ok(Outcome::Interrupted);
    }
    let outcome = judge(args, &result, baseline.as_ref(), &json)?;
    if let (Some(file), Some(path)) = (save, &args.save_baseline) {
        let path = path.display();
        if matches!(outcome, Outcome::Regression | Outcome::Invalid) {
            output::status(&format!("{path} is unchanged: this result is no valid baseline"));
        } else {
            file.write(|file| Ok(serde_json::to_writer(file, &result)?))?;
            output::status(&format!("wrote {path}"));
        }
    }
    Ok(outcome)
}

/// Measures all runs, or those before a signal. Writes the result after each run.
fn measure(
    args: &BenchRunArgs,
    result: &mut BenchResult,
    folder: Option<&Folder>,
    baseline: Option<&BenchResult>,
) -> Result<(), BenchError> {
    let program = runner::own_program()?;
    let machine_warnings = warnings::of_machine();
    let runner = Runner::new(args.runs.into())?;
    for number in 1..=args.runs {
        let label = format!("run {number} of {}", args.runs);
        let Some(run) = runner.run(&label, &program, &args.run, args.run.slow_down)? else { break };
        if run.samples.is_empty() {
            return Err(BenchError::NoFrames(program));
        }
        result.runs.push(run);
        result.complete = number == args.runs;
        result.warnings = warnings::of_result(result, &machine_warnings);
        if let Some(folder) = folder {
            let formats = ExportChoice::formats(&args.export);
            let exports = export::stage(folder, result, &formats, result.runs.len() - 1)?;
            let report = report::with_baseline(result, baseline, args.threshold);
            folder.write_result(&report, exports)?;
            export::remove_stale(folder, result, &formats);
        }
    }
    Ok(())
}

/// Checks assertions, the baseline and `--strict`.
fn judge(
    args: &BenchRunArgs,
    result: &BenchResult,
    baseline: Option<&BenchResult>,
    json: &JsonTarget,
) -> Result<Outcome, BenchError> {
    let summary = Summary::of(result);
    let mut outcome = Outcome::Done;
    for assertion in &args.assertions {
        if let Err(reason) = assertion.check(&summary) {
            output::status(&format!("assertion failed: {assertion}: {reason}"));
            outcome = Outcome::Regression;
        }
    }
    if let (Some(baseline), Some(path)) = (baseline, &args.baseline) {
        let compared = compare::with_baseline(baseline, path, result, args.threshold);
        let verdict = match compared {
            Ok((text, verdict)) => {
                json.print_text(&text)?;
                verdict
            }
            Err(reason) => {
                output::status(&reason);
                Outcome::NotComparable
            }
        };
        if outcome == Outcome::Done {
            outcome = verdict;
        }
    }
    // Unreliable results do not prove a regression either.
    let is_invalid = args.strict && !result.warnings.is_empty();
    Ok(if is_invalid { Outcome::Invalid } else { outcome })
}
