//! `bench sweep`: the same scene with increasing numbers of cubes.

use std::fmt::Write as _;
use std::path::Path;

use super::files::{Folder, JsonTarget, SWEEP_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, summary, warnings};
use crate::benchmark::{LargestCount, Sweep, SweepPoint, TimeOf};
use crate::cli::{RunArgs, SWEEP_DURATION, SweepArgs};
use crate::frame;
use crate::render::{FrameCount, Gpu};
use crate::units::{bare_ms, count, live_ms, live_rate, ms, or_unknown, rate};

/// Length of the longest bar, in characters.
const BAR: f64 = 25.0;

pub(super) fn run(args: &SweepArgs) -> Result<Outcome, BenchError> {
    let folder = args.output.out.as_deref().map(Folder::create).transpose()?;
    let json = JsonTarget::create(args.output.json.json.as_deref())?;
    let settings = args.run.for_medians(SWEEP_DURATION).bench_settings(args.runs);
    let mut sweep = Sweep::new(args.output.name.clone(), settings, args.fps);
    sweep.warnings = warnings::of_machine();
    let run_args = args.run.for_medians(SWEEP_DURATION);
    let plan = Plan {
        from: args.from,
        largest: args.run.scene.cubes,
        per_decade: args.per_decade,
        runs: args.runs,
        slowest_fps: args.fps,
        fewest: 1,
    };
    let (program, runner) = (runner::program(None)?, Runner::new(0)?);
    let measured = measure(&runner, &program, &run_args, &plan, &mut sweep, |sweep| {
        folder.as_ref().map_or(Ok(()), |folder| folder.write_sweep(sweep))
    });
    if let Some(folder) = folder.filter(|_| !sweep.points.is_empty()) {
        folder.report_paths(SWEEP_FILES);
    }
    measured?;
    json.write(&sweep)?;
    json.print_text(&text(&sweep))?;
    Ok(if sweep.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Which counts are measured.
pub(super) struct Plan {
    /// Smallest count, unless `largest` is smaller.
    pub(super) from: u32,
    pub(super) largest: u32,
    /// Counts per power of ten.
    pub(super) per_decade: u32,
    /// Runs for each count.
    pub(super) runs: u32,
    /// The first count with a lower frame rate is the last one,
    pub(super) slowest_fps: f64,
    /// but this many counts are measured.
    pub(super) fewest: usize,
}

/// Measures counts in ascending order until frames take too long, the device is full, or a signal. Calls
/// `write` after each count.
pub(super) fn measure(
    runner: &Runner,
    program: &Path,
    args: &RunArgs,
    plan: &Plan,
    sweep: &mut Sweep,
    mut write: impl FnMut(&Sweep) -> Result<(), BenchError>,
) -> Result<(), BenchError> {
    let mut counts = Sweep::counts(plan.from.min(plan.largest), plan.largest, plan.per_decade);
    if let Some((first_too_large, reason)) = first_refused(args, &counts)? {
        counts.truncate(first_too_large);
        sweep.stopped = Some(reason);
    }
    runner.expect(counts.len() as u64 * u64::from(plan.runs));
    for (number, &cubes) in (1..).zip(&counts) {
        let Some(point) = measure_point(runner, program, args, plan.runs, cubes, sweep)? else {
            break;
        };
        let slowest = 1e9 / plan.slowest_fps;
        let is_slow = point.median().is_none_or(|median| median.nanoseconds() > slowest);
        sweep.points.push(point);
        let is_too_slow = is_slow && number >= plan.fewest;
        let is_last = number == counts.len();
        sweep.complete = is_too_slow || is_last;
        if is_too_slow && !is_last {
            sweep.stopped = Some(format!("frames of {} cubes take too long", count(cubes)));
        }
        write(sweep)?;
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
    args: &RunArgs,
    runs: u32,
    cubes: u32,
    sweep: &mut Sweep,
) -> Result<Option<SweepPoint>, BenchError> {
    let mut args = args.clone();
    args.scene.cubes = cubes;
    let mut point = SweepPoint::new(cubes);
    for number in 1..=runs {
        let label = format!("{} cubes, run {number} of {runs}", count(cubes));
        let Some(run) = runner.run(&label, program, &args)? else {
            return Ok(None);
        };
        runner::median(&run, program)?;
        point.push(&run);
        warnings::add_of_runs(&mut sweep.warnings, std::slice::from_ref(&run));
        sweep.adapter.get_or_insert(run.adapter);
    }
    Ok(Some(point))
}

fn text(sweep: &Sweep) -> String {
    let mut text = format!("{}: {}\n", sweep.name, sweep.settings.mode_and_motion());
    if let Some(adapter) = &sweep.adapter {
        text += &summary::wrapped(adapter);
    }
    text.push('\n');
    text += &table(sweep);
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

/// Returns a line for each count: time of the frame, of CPU and GPU, and a bar.
pub(super) fn table(sweep: &Sweep) -> String {
    let mut text = format!(
        "{:>11}{:>10}{:>8}{:>8}{:>9}{:>7}  1-100 % of {}\n",
        "cubes",
        "median ms",
        "CPU ms",
        "GPU ms",
        "ns/cube",
        "fps",
        ms(1e9 / sweep.fps)
    );
    for point in &sweep.points {
        let Some(time) = point.median_of(TimeOf::Frame) else { continue };
        let side = |time| or_unknown(point.median_of(time), live_ms);
        let _ = writeln!(
            text,
            "{:>11}{:>10}{:>8}{:>8}{:>9}{:>7}  {}",
            count(point.cubes),
            bare_ms(time),
            side(TimeOf::Cpu),
            side(TimeOf::Gpu),
            rate(time / f64::from(point.cubes)),
            live_rate(1e9 / time),
            bar(time * sweep.fps / 1e9),
        );
    }
    text
}

/// Returns a bar for a share of the frame budget, on a logarithmic scale from 1 % to 100 %.
fn bar(share: f64) -> String {
    let length = share.log10().mul_add(0.5, 1.0).clamp(0.0, 1.0) * BAR;
    let length = length.round() as usize;
    "▇".repeat(length)
}
