//! Warnings: what makes figures less worth, and what to do about it.

use super::doctor::{self, Finding};
use crate::benchmark::{BenchResult, RunMedian, RunResult, drift};
use crate::render::PresentMode;

/// Drift of a run that is more than noise, in per cent.
const MOST_DRIFT: f64 = 5.0;

/// Frames this close to the time of a refresh are taken to wait for it, as a share.
const REFRESH_TOLERANCE: f64 = 0.02;

/// Of a result on a machine of which `machine` was said before the first run.
pub(super) fn of(result: &BenchResult, machine: &[String]) -> Vec<String> {
    let mut warnings = machine.to_vec();
    add(&mut warnings, &result.runs);
    let mut warn = |applies: bool, what: &str| {
        if applies {
            warnings.push(what.to_owned());
        }
    };
    warn(
        result.runs.len() < 3,
        "fewer than three runs: how much they differ from one another is not known; use --runs 5",
    );
    // Only where all frames were counted do runs end at the same one.
    let counted = result.settings.frames.is_some() && result.settings.warmup_frames.is_some();
    let first = result.runs.first().map(|run| &run.state_hash);
    warn(
        counted && result.runs.iter().any(|run| Some(&run.state_hash) != first),
        "the runs did not end in the same state: they did not do the same work",
    );
    warnings
}

/// Adds what is to be said of runs and is not said yet.
pub(super) fn add(warnings: &mut Vec<String>, runs: &[RunResult]) {
    for warning in runs.iter().flat_map(of_run) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}

/// Of the machine as it is now: to be asked before the first run, which is a load of its own.
pub(super) fn of_machine() -> Vec<String> {
    doctor::machine().iter().filter_map(Finding::advice).collect()
}

/// Of one run.
fn of_run(run: &RunResult) -> Vec<String> {
    let frames = run.frame_times();
    let by_refresh = || {
        let refresh = 1e9 / run.presentation?.refresh_hz?;
        let median = RunMedian::nanoseconds(run.median()?);
        Some((median / refresh - 1.0).abs() <= REFRESH_TOLERANCE)
    };
    let cases = [
        (
            run.debug_build,
            "debug build: no figure of it says anything about speed; build with --release",
        ),
        (
            run.software,
            "the adapter draws on the CPU: its times are not those of a GPU; install the GPU's driver, \
             or ask with --require-gpu",
        ),
        (
            run.warmup.steady == Some(false),
            "frame times were not steady within 20 s: close other programs, fix the clocks, or try \
             --cubes with fewer",
        ),
        (
            !run.all_frames_valid(),
            "the window was resized or hidden, or gave no texture: leave it alone while it is measured",
        ),
        (
            matches!(run.present_mode(), Some(PresentMode::Fifo | PresentMode::FifoRelaxed)),
            "the display set the pace: times are those of its refresh; use --present immediate, or \
             leave out --window",
        ),
        (
            by_refresh() == Some(true),
            "frame times are those of the display's refresh, whatever the present mode says: for those \
             of the work itself leave out --window",
        ),
        (
            run.gpu_timer && run.gpu_coverage() < 0.9,
            "the GPU reported on fewer than nine frames in ten: its times are those of some frames only",
        ),
        (
            drift(&frames).is_some_and(|drift| drift.abs() > MOST_DRIFT),
            "frame times drifted over a run: let the machine reach its temperature, or measure longer",
        ),
    ];
    cases.into_iter().filter(|(applies, _)| *applies).map(|(_, what)| what.to_owned()).collect()
}
