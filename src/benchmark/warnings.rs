//! Warnings about conditions of a run that make its result less reliable.

use super::{Readings, RunMedian, RunResult, drift};
use crate::render::PresentMode;

/// Drift of a run that counts as more than noise, in percent.
const MAX_DRIFT: f64 = 5.0;

/// Relative distance from the refresh interval below which a frame time counts as refresh-limited.
const REFRESH_TOLERANCE: f64 = 0.02;

/// Distance from the critical temperature below which the hardware may slow down, in °C.
const CRITICAL_MARGIN: f64 = 5.0;

const SOFTWARE: &str = if cfg!(web) {
    "software adapter: times are not those of a GPU; switch on hardware acceleration in the settings of the browser"
} else {
    "software adapter: times are not those of a GPU; install a GPU driver, or use --require-gpu"
};

/// Adds warnings about runs, with advice, that are not in the list yet.
pub fn add_warnings(warnings: &mut Vec<String>, runs: &[RunResult]) {
    for warning in runs.iter().flat_map(of_run) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}

fn of_run(run: &RunResult) -> Vec<String> {
    let is_refresh_limited = || {
        let refresh = 1e9 / run.presentation?.refresh_hz?;
        let median = RunMedian::nanoseconds(run.median()?);
        Some((median / refresh - 1.0).abs() <= REFRESH_TOLERANCE)
    };
    let cases = [
        (run.debug_build, "debug build: times are meaningless; build with --release"),
        (run.software, SOFTWARE),
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
