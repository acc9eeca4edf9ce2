//! Warnings about conditions that make results less reliable.

use super::doctor::{self, Check};
use crate::benchmark::{
    BenchResult, MAX_SPREAD, Readings, RunMedian, RunResult, drift, run_spread,
};
use crate::render::PresentMode;

/// Drift of a run that counts as more than noise, in percent.
const MAX_DRIFT: f64 = 5.0;

/// Relative distance from the refresh interval below which a frame time counts as refresh-limited.
const REFRESH_TOLERANCE: f64 = 0.02;

/// Distance from the critical temperature below which the hardware may slow down, in °C.
const CRITICAL_MARGIN: f64 = 5.0;

/// Relative difference of the CPU clock between runs that counts as more than noise.
const MAX_CLOCK_DIFFERENCE: f64 = 0.1;

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
    if let Some(difference) =
        clock_difference(&result.runs).filter(|difference| *difference > MAX_CLOCK_DIFFERENCE)
    {
        let percent = difference * 100.0;
        warnings.push(format!(
            "the CPU clock differs by {percent:.0} % between runs: select the governor `performance`, \
             and let the machine cool down"
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

/// Returns how much faster the CPU clock of the fastest run is than that of the slowest.
fn clock_difference(runs: &[RunResult]) -> Option<f64> {
    let clocks = || {
        let clocks = runs.iter().filter_map(|run| Some(run.sensors.cpu.clock?.mean_mhz));
        clocks.filter(|mhz| *mhz > 0.0)
    };
    Some(clocks().reduce(f64::max)? / clocks().reduce(f64::min)? - 1.0)
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
    let texts = cases.into_iter().filter(|(applies, _)| *applies).map(|(_, text)| text.to_owned());
    texts.chain(run.sensors.named().into_iter().flat_map(of_readings)).collect()
}

/// Returns warnings about the throttling and the heat of CPU or GPU.
fn of_readings((name, readings): (&str, Readings)) -> Vec<String> {
    let temperatures = readings.celsius.zip(readings.critical_celsius);
    let cases = [
        (
            readings.throttled.is_some_and(|times| times > 0),
            "was throttled during a run: improve its cooling, check its power supply, or let it cool down",
        ),
        (
            temperatures.is_some_and(|(highest, critical)| highest >= critical - CRITICAL_MARGIN),
            "came within 5 °C of its critical temperature: improve its cooling, or let it cool down",
        ),
    ];
    let texts = cases.into_iter().filter(|(applies, _)| *applies);
    texts.map(|(_, text)| format!("the {name} {text}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};
    use crate::benchmark::{ClockRate, Sensors};

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

    #[test]
    fn throttling_heat_and_an_uneven_cpu_clock_give_warnings() {
        let of = |all: [Sensors; 3]| {
            let run = |sensors| RunResult { sensors, ..run(vec![sim_frame(100); 9]) };
            of_result(&result(all.map(run).into()), &[])
        };
        let unknown = Readings::default();
        let at = |mhz| Readings { clock: Some(ClockRate::at(mhz)), ..unknown };
        let cpu = |cpu| Sensors { cpu, gpu: unknown };
        let hot = |celsius| Readings {
            celsius: Some(celsius),
            critical_celsius: Some(100.0),
            throttled: Some(0),
            ..unknown
        };
        let no_limit = Readings { critical_celsius: None, ..hot(120.0) };
        let fine = [
            cpu(hot(94.9)),
            Sensors { cpu: at(3000.0), gpu: no_limit },
            Sensors { cpu: at(3290.0), gpu: at(500.0) },
        ];
        assert_eq!(of(fine), Vec::<String>::new());
        let throttled = Readings { throttled: Some(2), ..hot(95.0) };
        let warnings = of([
            Sensors {
                cpu: Readings { clock: Some(ClockRate::at(3000.0)), ..hot(95.0) },
                gpu: throttled,
            },
            cpu(Readings { throttled: Some(1), ..at(3600.0) }),
            cpu(Readings { throttled: Some(7), ..unknown }),
        ]);
        let starts = [
            "the GPU was throttled during a run: improve its cooling",
            "the CPU came within 5 °C of its critical temperature: improve",
            "the GPU came within 5 °C of its critical temperature: improve",
            "the CPU was throttled during a run: improve its cooling",
            "the CPU clock differs by 20 % between runs: select the governor",
        ];
        for start in starts {
            let count = warnings.iter().filter(|warning| warning.starts_with(start)).count();
            assert_eq!(count, 1, "{start} in {warnings:?}");
        }
        assert_eq!(warnings.len(), starts.len(), "{warnings:?}");
    }
}
