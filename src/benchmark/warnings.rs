//! Warnings about conditions of a run that make its result less reliable.

use std::iter::zip;
use std::slice;

use super::budget::REFRESH_TOLERANCE;
use super::summary::{FEWEST_FRAMES, MAX_SPREAD, average_spread, exceeds, run_spread};
use super::{BenchResult, BoundBy, Readings, RunMedian, RunResult, drift};
use crate::render::PresentMode;
use crate::units::percent;

/// Drift of a run that counts as more than noise, in percent.
const MAX_DRIFT: f64 = 5.0;

/// Largest share of the time in which the main thread waits for a CPU.
const MAX_CPU_WAIT: f64 = 0.02;

/// Largest share of the time for which a frame waits for the display, unless vsync is on.
const MAX_DISPLAY: f64 = 0.5;

/// Distance from the critical temperature below which the hardware may slow down, in °C.
const CRITICAL_MARGIN: f64 = 5.0;

const SOFTWARE: &str = if cfg!(web) {
    "software adapter: times are not those of a GPU; switch on hardware acceleration in the settings of the browser"
} else {
    "software adapter: times are not those of a GPU; install a GPU driver"
};

/// Returns all warnings about a result, starting with those about the machine.
pub fn result_warnings(result: &BenchResult, machine: &[String]) -> Vec<String> {
    let runs = &result.runs;
    let mut warnings = machine.to_vec();
    add_warnings(&mut warnings, runs);
    // Runs end at the same step only if both frame counts are fixed.
    let same_steps = result.settings.frames.is_some() && result.settings.warmup_frames.is_some();
    let differ = same_steps && runs.iter().any(|run| run.state_hash != runs[0].state_hash);
    let few = "fewer than three runs: the variation between runs is uncertain; use --runs 5";
    let states = "state hashes differ: the runs did not simulate the same frames";
    let wanted = result.settings.size;
    // Sizes of Wayland are whole points.
    let differs = |run: &RunResult| zip(run.size, wanted).any(|(is, want)| is.abs_diff(want) > 2);
    let other = runs.iter().find(|run| run.presentation.is_some() && differs(run));
    let resized = other.map(|RunResult { size: [width, height], .. }| {
        let [wanted_width, wanted_height] = wanted;
        format!(
            "the window had {width}x{height} pixels instead of {wanted_width}x{wanted_height}: let the window manager float it, use a smaller --size, or omit --window"
        )
    });
    let [short, clock] = of_all_runs(runs);
    let of_all = [
        short,
        (result.settings.runs < 3).then(|| few.to_owned()),
        run_spread(runs)
            .and_then(noise)
            .map(|by| format!("runs differ by {by}: close other programs, or use more --runs")),
        average_spread(runs).and_then(noise).map(|by| {
            format!("average frame rates differ by {by} between runs: close other programs")
        }),
        clock,
        resized,
        differ.then(|| states.to_owned()),
    ];
    warnings.extend(of_all.into_iter().flatten());
    warnings
}

/// Returns all warnings about pairs of runs of A and B, starting with those about the machine. Their frame times may differ.
pub fn pair_warnings<'a>(
    runs: impl Iterator<Item = &'a RunResult> + Clone,
    machine: &[String],
) -> Vec<String> {
    let mut warnings = machine.to_vec();
    runs.clone().for_each(|run| add_warnings(&mut warnings, slice::from_ref(run)));
    warnings.extend(of_all_runs(runs).into_iter().flatten());
    warnings
}

/// Returns warnings about runs beside each other.
fn of_all_runs<'a>(runs: impl IntoIterator<Item = &'a RunResult> + Clone) -> [Option<String>; 2] {
    let short_runs = runs.clone().into_iter().filter(|run| run.frames.valid < FEWEST_FRAMES);
    let short = short_runs.map(|run| run.frames.is_mostly_unseen()).reduce(|a, b| a || b);
    let short = short.map(|is_unseen| {
        let advice = if is_unseen { "leave the window visible" } else { "use --frames 1000" };
        format!("fewer than 100 frames of a run count: its statistics are uncertain; {advice}")
    });
    let clock = clock_difference(runs).and_then(noise).map(|by| {
        format!(
            "the CPU clock differs by {by} between runs: select the governor `performance`, and let \
             the machine cool down"
        )
    });
    [short, clock]
}

/// Returns a difference between runs as a text if it is too large.
fn noise(difference: f64) -> Option<String> {
    exceeds(difference, MAX_SPREAD).then(|| percent(difference))
}

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
    let waits_for_vblank = run.present_mode().is_some_and(PresentMode::waits_for_vblank);
    let waits_for_display = || {
        let share = BoundBy::of(slice::from_ref(run)).map(|bound| bound.display);
        run.presentation.is_some() && share.is_some_and(|share| share > MAX_DISPLAY)
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
            waits_for_vblank,
            "vsync can limit the frame rate: use --present no-vsync, or omit --window",
        ),
        (
            is_refresh_limited() == Some(true),
            "frame times equal the refresh interval of the display: omit --window to measure the \
             work itself",
        ),
        (
            !run.software
                && !waits_for_vblank
                && is_refresh_limited() != Some(true)
                && waits_for_display(),
            "the display or a frame limiter holds frames back for more than half of the time: turn off limiters \
             and the vsync of the driver, or omit --window",
        ),
        (
            !run.software && run.cpu_wait().is_some_and(|share| share > MAX_CPU_WAIT),
            "the main thread waited for a CPU for more than 2 % of the time: close other programs",
        ),
        (
            run.gpu_timer && run.gpu_coverage() < 0.9,
            "GPU times are missing for more than one frame in ten: they cover only the others",
        ),
        (
            drift(&run.frame_times()).is_some_and(|drift| drift.abs() > MAX_DRIFT),
            "frame times drifted during a run: let the machine warm up, or measure longer; frames of a scene that \
             itself changes compare only with those of equal numbers of warm-up and measured frames",
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

/// Returns the relative difference between the highest and the lowest mean CPU clock of the runs that last a second or more.
fn clock_difference<'a>(runs: impl IntoIterator<Item = &'a RunResult>) -> Option<f64> {
    // The readings of shorter ones are those before and after them, of an idle CPU.
    let long = runs.into_iter().filter(|run| {
        let measured = run.samples.iter().map(|sample| sample.frame as f64 / 1e9);
        run.warmup.seconds + measured.sum::<f64>() >= 1.0
    });
    let clocks = long.filter_map(|run| Some(run.sensors.cpu.clock?.mean_mhz));
    let clocks = clocks.filter(|mhz| *mhz > 0.0);
    let (slowest, fastest) =
        clocks.fold((f64::INFINITY, 0.0_f64), |(low, high), mhz| (low.min(mhz), high.max(mhz)));
    (fastest > 0.0).then(|| fastest / slowest - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};
    use crate::benchmark::{ClockRate, Readings, Sensors};

    #[test]
    fn throttling_heat_and_an_uneven_cpu_clock_give_warnings() {
        let of = |all: [(Readings, Readings); 3]| {
            let runs = all.map(|(cpu, gpu)| RunResult {
                sensors: Sensors { cpu, gpu },
                ..run(vec![sim_frame(20_000_000); 100])
            });
            result_warnings(&result(runs.into()), &[])
        };
        let unknown = Readings::default();
        let at = |mhz| Readings { clock: Some(ClockRate::at(mhz)), ..unknown };
        let hot = |celsius| Readings {
            celsius: Some(celsius),
            critical_celsius: Some(100.0),
            throttled: Some(0),
            ..at(3000.0)
        };
        let no_limit = Readings { critical_celsius: None, ..hot(120.0) };
        let fine = [(hot(94.9), unknown), (at(3000.0), no_limit), (at(3290.0), at(500.0))];
        assert_eq!(of(fine), Vec::<String>::new());
        let throttled = |times, readings| Readings { throttled: Some(times), ..readings };
        let warnings = of([
            (hot(95.0), throttled(2, hot(95.0))),
            (throttled(1, at(3600.0)), unknown),
            (throttled(7, unknown), unknown),
        ]);
        let starts = [
            "the GPU was throttled during a run: improve its cooling",
            "the CPU came within 5 °C of its critical temperature: improve",
            "the GPU came within 5 °C of its critical temperature: improve",
            "the CPU was throttled during a run: improve its cooling",
            "the CPU clock differs by 20.0 % between runs: select the governor",
        ];
        for start in starts {
            let count = warnings.iter().filter(|warning| warning.starts_with(start)).count();
            assert_eq!(count, 1, "{start} in {warnings:?}");
        }
        assert_eq!(warnings.len(), starts.len(), "{warnings:?}");
        let short = [800.0, 3400.0, 3400.0].map(|mhz| RunResult {
            sensors: Sensors { cpu: at(mhz), gpu: unknown },
            ..run(vec![sim_frame(9); 100])
        });
        assert_eq!(result_warnings(&result(short.into()), &[]), Vec::<String>::new());
    }

    #[test]
    fn pairs_get_the_warnings_of_both_sides() {
        let at = |mhz| {
            let readings = Readings { clock: Some(ClockRate::at(mhz)), ..Readings::default() };
            let frames = if mhz < 3000.0 { 99 } else { 100 };
            RunResult {
                sensors: Sensors { cpu: readings, gpu: Readings::default() },
                ..run(vec![sim_frame(20_000_000); frames])
            }
        };
        let of = |runs: [RunResult; 2]| pair_warnings(runs.iter(), &["load".to_owned()]);
        assert_eq!(of([at(3000.0), at(3200.0)]), ["load"]);
        let warnings = of([at(3000.0), at(2000.0)]);
        assert!(warnings[1].starts_with("fewer than 100 frames"), "{warnings:?}");
        assert!(warnings[2].starts_with("the CPU clock differs by 50.0 %"), "{warnings:?}");
    }

    #[test]
    fn conditions_of_a_run_give_warnings_beyond_their_limits() {
        use crate::benchmark::{FrameCounts, FramePhase, FrameSample, Presentation, WarmupReport};

        let steady = || run(vec![sim_frame(10_000_000); 1000]);
        let of =
            |changed: RunResult| result_warnings(&result(vec![changed, steady(), steady()]), &[]);
        let counted = |frames| RunResult { frames, ..steady() };
        let all = FrameCounts { valid: 1000, ..FrameCounts::default() };
        let warmup = |steady| WarmupReport { steady, ..WarmupReport::default() };
        let shown = |present_mode, refresh_hz| RunResult {
            presentation: Some(Presentation { present_mode, refresh_hz: Some(refresh_hz) }),
            ..steady()
        };
        let with_gpu = |known: usize| {
            let sample = |i| FrameSample { gpu: (i < known).then_some(5), ..sim_frame(10_000_000) };
            RunResult { gpu_timer: true, ..run((0..1000).map(sample).collect()) }
        };
        let waiting = |present: u64, gpu, present_mode| {
            let mut sample = FrameSample { gpu, ..sim_frame(10_000_000) };
            sample.phases[FramePhase::Sim as usize] -= present;
            sample.phases[FramePhase::Present as usize] = present;
            let presentation = Some(Presentation { present_mode, refresh_hz: None });
            RunResult { presentation, ..run(vec![sample; 1000]) }
        };
        let limited = |present, gpu| waiting(present, gpu, PresentMode::Immediate);
        let waited = |cpu_wait_ns| RunResult { cpu_wait_ns, ..steady() };
        let drifting =
            |step: i64| run((0..1000).map(|i| sim_frame((10_000_000 + i * step) as u64)).collect());
        for sound in [
            steady(),
            RunResult { warmup: warmup(Some(true)), ..steady() },
            shown(PresentMode::Immediate, 97.0),
            shown(PresentMode::Mailbox, 103.0),
            shown(PresentMode::Immediate, 60.0),
            with_gpu(900),
            limited(9_000_000, Some(4_100_000)),
            limited(9_000_000, None),
            waited(None),
            waited(Some(200_000_000)),
            drifting(450),
            drifting(-450),
        ] {
            assert_eq!(of(sound), Vec::<String>::new());
        }
        for (changed, start) in [
            (RunResult { debug_build: true, ..steady() }, "debug build: "),
            (
                RunResult { software: true, ..limited(9_000_000, Some(1_000_000)) },
                "software adapter: ",
            ),
            (RunResult { warmup: warmup(Some(false)), ..steady() }, "frame times were not steady"),
            (counted(FrameCounts { suspended: 1, ..all }), "the process was suspended"),
            (counted(FrameCounts { resized: 1, ..all }), "the window was resized or hidden"),
            (counted(FrameCounts { hidden: 1, ..all }), "the window was resized or hidden"),
            (shown(PresentMode::Fifo, 144.0), "vsync can limit the frame rate"),
            (shown(PresentMode::FifoRelaxed, 144.0), "vsync can limit the frame rate"),
            (shown(PresentMode::Immediate, 99.0), "frame times equal the refresh interval"),
            (shown(PresentMode::Immediate, 101.0), "frame times equal the refresh interval"),
            (with_gpu(899), "GPU times are missing"),
            (limited(9_000_000, Some(1_000_000)), "the display or a frame limiter holds"),
            (waiting(9_000_000, Some(1), PresentMode::Fifo), "vsync can limit the frame rate"),
            (waited(Some(201_000_000)), "the main thread waited for a CPU"),
            // 5.4 and -5.7 % of the median.
            (drifting(550), "frame times drifted"),
            (drifting(-550), "frame times drifted"),
        ] {
            let warnings = of(changed);
            assert!(warnings.len() == 1 && warnings[0].starts_with(start), "{start}: {warnings:?}");
        }
    }

    #[test]
    fn conditions_of_all_runs_give_warnings() {
        let of = |ms: &[u64], change: fn(&mut BenchResult)| {
            let runs = ms.iter().map(|ms| run(vec![sim_frame(ms * 1_000_000); 1000]));
            let mut result = result(runs.collect());
            change(&mut result);
            result_warnings(&result, &["load".to_owned()])[1..].join("; ")
        };
        assert_eq!(of(&[10, 10, 11], |_| ()), "", "10 %");
        let other_average = of(&[10, 10, 10], |it| {
            let slow = [vec![sim_frame(10_000_000); 900], vec![sim_frame(30_000_000); 100]];
            it.runs[1] = run(slow.concat());
        });
        assert!(
            other_average.starts_with("average frame rates differ by 20.0 %"),
            "{other_average}"
        );
        let resized = of(&[10, 10, 10], |it| {
            use crate::benchmark::Presentation;

            let mode = PresentMode::Immediate;
            it.settings.size = [400, 300];
            it.runs[1].presentation = Some(Presentation { present_mode: mode, refresh_hz: None });
            it.runs[1].size = [996, 600];
            it.runs[2].presentation = it.runs[1].presentation;
            it.runs[2].size = [401, 299];
        });
        assert_eq!(
            resized,
            "the window had 996x600 pixels instead of 400x300: let the window manager float it, use a smaller --size, or omit --window"
        );
        assert_eq!(of(&[10, 10, 11], |it| it.runs[0].state_hash.push('0')), "");
        let states = of(&[10, 10, 11], |it| {
            (it.settings.frames, it.settings.warmup_frames) = (Some(1000), Some(5));
            it.runs[2].state_hash.push('0');
        });
        assert_eq!(states, "state hashes differ: the runs did not simulate the same frames");
        for fixed in [
            |it: &mut BenchResult| it.settings.frames = Some(1000),
            |it: &mut BenchResult| it.settings.warmup_frames = Some(5),
        ] {
            let runs = [10, 10, 11].map(|ms| run(vec![sim_frame(ms * 1_000_000); 1000]));
            let mut one = result(runs.into());
            fixed(&mut one);
            one.runs[2].state_hash.push('0');
            assert_eq!(
                result_warnings(&one, &[]),
                Vec::<String>::new(),
                "they end with other steps"
            );
        }
        assert!(
            of(&[50, 50, 56], |_| ()).starts_with("runs differ by 12.0 %: close other programs")
        );
        assert!(of(&[10, 10], |_| ()).starts_with("fewer than three runs"));
    }

    #[test]
    fn the_cpu_clock_counts_in_runs_of_a_second_with_their_warm_up() {
        let of = |mhz: [f64; 3], seconds: f64| {
            let runs = mhz.map(|mhz| {
                let cpu = Readings { clock: Some(ClockRate::at(mhz)), ..Readings::default() };
                let mut run = run(vec![sim_frame(90_000); 100]);
                (run.sensors.cpu, run.warmup.seconds) = (cpu, seconds);
                run
            });
            result_warnings(&result(runs.into()), &[]).join("; ")
        };
        assert!(of([3000.0, 3600.0, 3300.0], 1.0).starts_with("the CPU clock differs by 20.0 %"));
        assert_eq!(of([3000.0, 3600.0, 3300.0], 0.9), "", "too short");
        assert_eq!(of([0.0, 3000.0, 3000.0], 1.0), "", "no reading");
    }
}
