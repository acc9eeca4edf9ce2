//! Run: several runs of one thing, and what they found out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{BenchError, Outcome, child, files, summary, warnings};
use crate::benchmark::{BenchResult, BenchSettings, Machine, RESULT_SCHEMA};
use crate::cli::{BenchRunArgs, CourseArgs};
use crate::commands::text;

pub(super) fn run(args: &BenchRunArgs) -> Result<Outcome, BenchError> {
    let folder = args.out.as_deref().map(files::Folder::open).transpose()?;
    let program = own_program()?;
    let interrupted = listen()?;
    let mut result = new_result(args);
    for number in 1..=args.runs {
        text::remark(&format!("run {number} of {}", args.runs));
        let run = match child::measure(&program, &args.course, args.course.slowed_by) {
            Err(_) if was_interrupted(&interrupted) => break,
            run => run?,
        };
        if run.samples.is_empty() {
            return Err(BenchError::NothingMeasured(program));
        }
        result.runs.push(run);
        result.complete = number == args.runs;
        result.warnings = warnings::of(&result);
        // After every run, so that whatever comes next leaves a valid result behind.
        if let Some(folder) = &folder {
            folder.write(&result)?;
        }
        if interrupted.load(Ordering::Acquire) {
            break;
        }
    }
    if args.json {
        text::print(&format!("{}\n", serde_json::to_string(&result)?))?;
    } else if !result.runs.is_empty() {
        text::print(&summary::of(&result))?;
    }
    if let Some(folder) = folder.filter(|_| !result.runs.is_empty()) {
        text::remark(&format!("wrote {}", folder.names()));
    }
    Ok(match () {
        () if !result.complete => Outcome::Interrupted,
        () if args.strict && !result.warnings.is_empty() => Outcome::Invalid,
        () => Outcome::Done,
    })
}

/// This program, to be started again.
pub(super) fn own_program() -> Result<std::path::PathBuf, BenchError> {
    std::env::current_exe()
        .map_err(|why| BenchError::NotStarted { program: "this program".into(), why })
}

/// Set by the first Ctrl-C, which also ends the run that is under way; the second ends the program.
pub(super) fn listen() -> Result<Arc<AtomicBool>, BenchError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::AcqRel) {
            std::process::exit(130);
        }
    })?;
    Ok(interrupted)
}

/// Whether Ctrl-C was pressed; a run that it ended may be known of before.
pub(super) fn was_interrupted(flag: &AtomicBool) -> bool {
    std::thread::sleep(Duration::from_millis(50));
    flag.load(Ordering::Acquire)
}

fn new_result(args: &BenchRunArgs) -> BenchResult {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    BenchResult {
        schema: RESULT_SCHEMA,
        name: args.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        debug_build: cfg!(debug_assertions),
        started_unix_s: now.as_secs(),
        machine: Machine::this(),
        settings: settings(&args.course, args.runs),
        complete: false,
        warnings: Vec::new(),
        runs: Vec::new(),
    }
}

fn settings(args: &CourseArgs, runs: u32) -> BenchSettings {
    BenchSettings {
        cubes: args.scene.cubes,
        mode: args.scene.mode.name().to_owned(),
        seed: args.scene.seed,
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
