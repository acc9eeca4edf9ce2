//! `bench sweep`: the same scene with increasing numbers of cubes.

use std::fmt::Write as _;
use std::path::Path;

use super::files::{Folder, JsonTarget, SWEEP_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, summary, warnings};
use crate::benchmark::{LargestCount, Sweep, SweepPoint};
use crate::cli::{RunArgs, SWEEP_DURATION, SweepArgs};
use crate::frame;
use crate::render::{FrameCount, Gpu};
use crate::units::{bare_ms, count, ms, rate};

/// Length of the longest bar, in characters.
const BAR: f64 = 32.0;

pub(super) fn run(args: &SweepArgs) -> Result<Outcome, BenchError> {
    let folder = args.output.out.as_deref().map(Folder::create).transpose()?;
    let json = JsonTarget::create(args.output.json.json.as_deref())?;
    let settings = args.run.for_medians(SWEEP_DURATION).bench_settings(args.runs);
    let mut sweep = Sweep::new(args.output.name.clone(), settings, args.fps);
    let measured = measure(args, &mut sweep, folder.as_ref());
    if let Some(folder) = folder.filter(|_| !sweep.points.is_empty()) {
        folder.report_paths(SWEEP_FILES);
    }
    measured?;
    json.write(&sweep)?;
    json.print_text(&text(&sweep))?;
    Ok(if sweep.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Measures counts in ascending order until frames take too long, the device is full, or a signal.
/// Writes the sweep after each count.
fn measure(args: &SweepArgs, sweep: &mut Sweep, folder: Option<&Folder>) -> Result<(), BenchError> {
    let program = runner::program(None)?;
    sweep.warnings = warnings::of_machine();
    let largest = args.run.scene.cubes;
    let mut counts = Sweep::counts(args.from.min(largest), largest, args.per_decade);
    if let Some((first_too_large, reason)) = first_refused(&args.run, &counts)? {
        counts.truncate(first_too_large);
        sweep.stopped = Some(reason);
    }
    let runner = Runner::new(counts.len() as u64 * u64::from(args.runs))?;
    for (number, &cubes) in (1..).zip(&counts) {
        let Some(point) = measure_point(&runner, &program, args, cubes, sweep)? else { break };
        let budget = 1e9 / args.fps;
        let is_too_slow = point.median().is_none_or(|median| median.nanoseconds() > budget);
        sweep.points.push(point);
        let is_last = number == counts.len();
        sweep.complete = is_too_slow || is_last;
        if is_too_slow && !is_last {
            sweep.stopped = Some(format!("frames of {} cubes take too long", count(cubes)));
        }
        if let Some(folder) = folder {
            folder.write_sweep(sweep)?;
        }
        if is_too_slow {
            break;
        }
    }
    Ok(())
}

/// Returns the index of the first count that the device or the memory cannot hold, and the reason.
fn first_refused(args: &RunArgs, counts: &[u32]) -> Result<Option<(usize, String)>, BenchError> {
    let gpu = pollster::block_on(Gpu::headless(&args.graphics.gpu()))?;
    let check = |cubes: u32| -> Result<(), BenchError> {
        frame::cube_memory(&gpu, FrameCount::Many).check(cubes as usize)?;
        Ok(gpu.check_capacity(cubes as usize)?)
    };
    let refused = |&cubes: &u32| check(cubes).err();
    let found = counts.iter().enumerate().find_map(|(at, count)| Some((at, refused(count)?)));
    match found {
        Some((0, error)) => Err(error),
        found => Ok(found.map(|(at, error)| (at, error.to_string()))),
    }
}

/// Measures all runs of one count. Returns `None` after a signal.
fn measure_point(
    runner: &Runner,
    program: &Path,
    args: &SweepArgs,
    cubes: u32,
    sweep: &mut Sweep,
) -> Result<Option<SweepPoint>, BenchError> {
    let mut run_args = args.run.for_medians(SWEEP_DURATION);
    run_args.scene.cubes = cubes;
    let mut point = SweepPoint { cubes, medians_ns: Vec::new() };
    for number in 1..=args.runs {
        let label = format!("{} cubes, run {number} of {}", count(cubes), args.runs);
        let Some(run) = runner.run(&label, program, &run_args)? else {
            return Ok(None);
        };
        point.medians_ns.push(runner::median(&run, program)?.nanoseconds());
        warnings::add_of_runs(&mut sweep.warnings, std::slice::from_ref(&run));
        sweep.adapter.get_or_insert(run.adapter);
    }
    Ok(Some(point))
}

fn text(sweep: &Sweep) -> String {
    let mut text = format!("{}: {}\n", sweep.name, sweep.settings.mode);
    if let Some(adapter) = &sweep.adapter {
        text += &summary::wrapped(adapter);
    }
    let _ = writeln!(
        text,
        "\n{:>12}{:>11}{:>11}{:>10}  1 to 100 % of {}",
        "cubes",
        "median ms",
        "ns/cube",
        "fps",
        ms(1e9 / sweep.fps)
    );
    for point in &sweep.points {
        let Some(median) = point.median() else { continue };
        let time = median.nanoseconds();
        let _ = writeln!(
            text,
            "{:>12}{:>11}{:>11}{:>10}  {}",
            count(point.cubes),
            bare_ms(time),
            rate(time / f64::from(point.cubes)),
            rate(1e9 / time),
            bar(time * sweep.fps / 1e9),
        );
    }
    let fps = sweep.fps;
    let largest = match sweep.largest_count() {
        Some(LargestCount::Below(cubes)) => format!("fewer than {} cubes", count(cubes)),
        Some(LargestCount::About(cubes)) => format!("up to about {} cubes", count(cubes)),
        Some(LargestCount::AtLeast(cubes)) => format!("at least {} cubes", count(cubes)),
        None => "nothing measured".to_owned(),
    };
    let _ = writeln!(text, "\n{fps} fps: {largest}");
    if let Some(exponent) = sweep.exponent() {
        let _ = writeln!(
            text,
            "frame time grows as cubes^{exponent:.2} at the largest counts (Theil-Sen)"
        );
    }
    if let Some(reason) = &sweep.stopped {
        text += &summary::wrapped(&format!("stopped: {reason}"));
    }
    text + &summary::warnings(&sweep.warnings)
}

/// Returns a bar for a share of the frame budget, on a logarithmic scale from 1 % to 100 %.
fn bar(share: f64) -> String {
    let length = share.log10().mul_add(0.5, 1.0).clamp(0.0, 1.0) * BAR;
    let length = length.round() as usize;
    "▇".repeat(length)
}
