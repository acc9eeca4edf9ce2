//! Run: several runs of one thing, and what they found out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::files::{Folder, JsonTarget};
use super::{BenchError, Outcome, child, compare, export, files, report, summary, warnings};
use crate::benchmark::{BenchResult, BenchSettings, Machine, RESULT_SCHEMA, Summary};
use crate::cli::{BenchRunArgs, ChosenScene, ExportChoice, RunArgs};
use crate::commands::interrupt;
use crate::commands::progress::Progress;
use crate::output;
use crate::output::OutputFile;

pub(super) fn run(args: &BenchRunArgs) -> Result<Outcome, BenchError> {
    let folder = args.out.as_deref().map(Folder::open).transpose()?;
    let json = args.json.as_deref().map(JsonTarget::open).transpose()?;
    let keep = args.save_baseline.as_deref().map(OutputFile::create).transpose()?;
    let baseline: Option<BenchResult> = args.baseline.as_deref().map(files::read).transpose()?;
    if let (Some(was), Some(path)) = (&baseline, &args.baseline) {
        let asked = new_result(&args.name, &args.course, args.runs);
        if let Some(what) = was.differs_from(&asked) {
            let path = path.display();
            output::status(&format!(
                "cannot be compared with {path}: they differ in {what}; nothing was measured"
            ));
            return Ok(Outcome::NotComparable);
        }
    }
    let result = measure(args, folder.as_ref(), baseline.as_ref())?;
    if let Some(json) = &json {
        json.write(&result)?;
    }
    if result.runs.is_empty() {
        return Ok(Outcome::Interrupted);
    }
    if let Some(folder) = folder {
        output::status(&format!("wrote {}", folder.names()));
        export::report_paths(&folder, &result, &ExportChoice::formats(&args.export));
    }
    // What goes to standard output beside JSON would spoil it.
    let speaks = !matches!(json, Some(JsonTarget::StandardOutput));
    let print = |text: &str| if speaks { output::print(text) } else { Ok(()) };
    print(&summary::of(&result))?;
    if !result.complete {
        return Ok(Outcome::Interrupted);
    }
    let summary = Summary::of(&result);
    let mut outcome = Outcome::Done;
    for assertion in &args.assertions {
        if let Err(found) = assertion.check(&summary) {
            output::status(&format!("not kept: {assertion}; {found}"));
            outcome = Outcome::Regression;
        }
    }
    if let (Some(was), Some(path)) = (&baseline, &args.baseline) {
        let (said, compared) = compare::with_saved(was, path, &result, args.threshold);
        match compared {
            Outcome::NotComparable => output::status(&said),
            _ => print(&said)?,
        }
        outcome = outcome.or(compared);
    }
    if args.strict && !result.warnings.is_empty() {
        // Figures that are not to be trusted prove no regression either.
        outcome = Outcome::Invalid;
    }
    if let (Some(file), Some(path)) = (keep, &args.save_baseline) {
        let path = path.display();
        if matches!(outcome, Outcome::Regression | Outcome::Invalid) {
            output::status(&format!("{path} is left as it is: this is no result to begin from"));
        } else {
            file.write(|file| Ok(serde_json::to_writer(file, &result)?))?;
            output::status(&format!("wrote {path}"));
        }
    }
    Ok(outcome)
}

/// All runs, or those before it was interrupted.
fn measure(
    args: &BenchRunArgs,
    folder: Option<&Folder>,
    baseline: Option<&BenchResult>,
) -> Result<BenchResult, BenchError> {
    let program = own_program()?;
    let interrupted = interrupt::listen()?;
    let machine = warnings::of_machine();
    let mut result = new_result(&args.name, &args.course, args.runs);
    let progress = Progress::new(args.runs.into());
    for number in 1..=args.runs {
        progress.begin(&format!("run {number} of {}", args.runs));
        let run = match child::measure(&program, &args.course, args.course.slowed_by) {
            Err(_) if was_interrupted(&interrupted) => break,
            run => run?,
        };
        if run.samples.is_empty() {
            return Err(BenchError::NothingMeasured(program));
        }
        progress.done();
        result.runs.push(run);
        result.complete = number == args.runs;
        result.warnings = warnings::of(&result, &machine);
        // After every run, so that whatever comes next leaves a valid result behind.
        if let Some(folder) = folder {
            folder.write(&report::with_baseline(&result, baseline, args.threshold))?;
            let formats = ExportChoice::formats(&args.export);
            export::write(folder, &result, &formats, result.runs.len() - 1)?;
        }
        if interrupted.load(Ordering::Acquire) {
            break;
        }
    }
    Ok(result)
}

/// This program, to be started again.
pub(super) fn own_program() -> Result<std::path::PathBuf, BenchError> {
    std::env::current_exe()
        .map_err(|why| BenchError::NotStarted { program: "this program".into(), why })
}

/// Whether Ctrl-C was pressed; a run that it ended may be known of before.
pub(super) fn was_interrupted(flag: &AtomicBool) -> bool {
    std::thread::sleep(Duration::from_millis(50));
    flag.load(Ordering::Acquire)
}

/// Seconds since 1970 (UTC).
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// One without any run yet.
pub(super) fn new_result(name: &str, course: &RunArgs, runs: u32) -> BenchResult {
    BenchResult {
        schema: RESULT_SCHEMA,
        name: name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        debug_build: cfg!(debug_assertions),
        started_unix_s: now(),
        machine: Machine::current(),
        settings: settings(course, runs),
        complete: false,
        warnings: Vec::new(),
        runs: Vec::new(),
    }
}

pub(super) fn settings(args: &RunArgs, runs: u32) -> BenchSettings {
    let scene = args.scene.start();
    BenchSettings {
        cubes: scene.cubes() as u32,
        mode: args.scene.mode(),
        seed: scene.seed(),
        scene: args.scene.scene.as_ref().map(ChosenScene::fingerprint),
        dt_s: args.dt.seconds(),
        size: [args.size.width(), args.size.height()],
        window: args.is_windowed(),
        frames: args.frames,
        duration_s: args.frames.is_none().then_some(args.duration),
        warmup_frames: args.warmup,
        latency: (!args.is_windowed()).then_some(args.latency),
        runs,
    }
}
