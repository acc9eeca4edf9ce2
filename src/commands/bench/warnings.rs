//! Warnings about conditions that make results less reliable.

use super::doctor::{self, Check};
use crate::benchmark::{BenchResult, MAX_SPREAD, RunMedian, RunResult, drift, run_spread};
use crate::render::PresentMode;

/// Drift of a run that counts as more than noise, in percent.
const MAX_DRIFT: f64 = 5.0;

/// Relative distance from the refresh interval below which a frame time counts as refresh-limited.
const REFRESH_TOLERANCE: f64 = 0.02;

/// Returns all warnings about a result, starting with those about the machine.
pub(super) fn of_result(result: &BenchResult, machine: &[String]) -> Vec<String> {
    let mut warnings = machine.to_vec();
    add_of_runs(&mut warnings, &result.runs);
    if result.runs.len() < 3 {
        let warning = "fewer than three runs: the variation between runs is unknown; use --runs 5";
        warnings.push(warning.to_owned());
    }
    if let Some(spread) = run_spread(&result.runs).filter(|spread| *spread > MAX_SPREAD) {
        let percent = spread * 100.0;
        warnings.push(format!(
            "runs differ by {percent:.0} %: close other programs, or use more --runs"
        ));
    }
    // Runs end at the same step only if both frame counts are fixed.
    let same_steps = result.settings.frames.is_some() && result.settings.warmup_frames.is_some();
    let first = result.runs.first().map(|run| &run.state_hash);
    if same_steps && result.runs.iter().any(|run| Some(&run.state_hash) != first) {
        warnings.push("state hashes differ: the runs did not simulate the same frames".to_owned());
    }
    warnings
}

/// Adds warnings about runs that are not in the list yet.
pub(super) fn add_of_runs(warnings: &mut Vec<String>, runs: &[RunResult]) {
    for warning in runs.iter().flat_map(of_run) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}

/// Returns warnings about the current state of the machine. Call before the first run, which is a
/// load itself.
pub(super) fn of_machine() -> Vec<String> {
    doctor::machine_checks().iter().filter_map(Check::warning).collect()
}

fn of_run(run: &RunResult) -> Vec<String> {
    let is_refresh_limited = || {
        let refresh = 1e9 / run.presentation?.refresh_hz?;
        let median = RunMedian::nanoseconds(run.median()?);
        Some((median / refresh - 1.0).abs() <= REFRESH_TOLERANCE)
    };
    let cases = [
        (run.debug_build, "debug build: times are meaningless; build with --release"),
        (
            run.software,
            "software adapter: times are not those of a GPU; install a GPU driver, or use \
             --require-gpu",
        ),
        (
            run.warmup.steady == Some(false),
            "frame times were not steady after 20 s of warm-up: close other programs, fix the CPU \
             clock, or use fewer --cubes",
        ),
        (
            run.frames.suspended > 0,
            "the process was suspended, or the system slept: those frames do not count; let the \
             measurement run through",
        ),
        (
            run.frames.resized + run.frames.hidden > 0,
            "the window was resized or hidden: leave it visible during the measurement",
        ),
        (
            matches!(run.present_mode(), Some(PresentMode::Fifo | PresentMode::FifoRelaxed)),
            "vsync limited the frame rate: use --present immediate, or omit --window",
        ),
        (
            is_refresh_limited() == Some(true),
            "frame times equal the refresh interval of the display: omit --window to measure the \
             work itself",
        ),
        (
            run.gpu_timer && run.gpu_coverage() < 0.9,
            "GPU times are missing for more than one frame in ten: they describe the others only",
        ),
        (
            drift(&run.frame_times()).is_some_and(|drift| drift.abs() > MAX_DRIFT),
            "frame times drifted during a run: let the machine warm up, or measure longer",
        ),
    ];
    cases.into_iter().filter(|(applies, _)| *applies).map(|(_, text)| text.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};

    #[test]
    fn runs_that_differ_by_more_than_10_percent_give_a_warning() {
        let of = |times: &[u64]| {
            let runs = times.iter().map(|&time| run(vec![sim_frame(time); 9])).collect();
            of_result(&result(runs), &[])
        };
        assert_eq!(of(&[100, 105, 110]), Vec::<String>::new());
        let expected = "runs differ by 20 %: close other programs, or use more --runs";
        assert_eq!(of(&[100, 100, 120]), [expected]);
        assert_eq!(of(&[100]).len(), 1, "{:?}", of(&[100]));
    }
}
