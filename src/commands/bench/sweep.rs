//! Sweep: the same scene with more and more cubes.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::files::{Folder, JsonTarget};
use super::{BenchError, Outcome, child, run, warnings};
use crate::benchmark::{LargestCount, Sweep, SweepPoint};
use crate::cli::{RunArgs, SweepArgs};
use crate::commands::interrupt;
use crate::commands::progress::Progress;
use crate::output;
use crate::render::Gpu;
use crate::units;

/// Columns of the longest bar.
const COLUMNS: f64 = 32.0;

pub(super) fn sweep(args: &SweepArgs) -> Result<Outcome, BenchError> {
    let folder = args.out.as_deref().map(Folder::open).transpose()?;
    let json = args.json.as_deref().map(JsonTarget::open).transpose()?;
    let program = run::own_program()?;
    let interrupted = interrupt::listen()?;
    let most = args.course.scene.cubes;
    let settings = run::settings(&args.course, args.runs);
    let mut sweep = Sweep::new(args.name.clone(), settings, args.fps, run::now());
    sweep.warnings = warnings::of_machine();
    let mut counts = Sweep::counts(args.from.min(most), most, args.per_decade);
    if let Some((too_many, why)) = first_refused(&args.course, &counts)? {
        counts.truncate(too_many);
        sweep.stopped = Some(why);
    }
    let progress = Progress::new(counts.len() as u64 * u64::from(args.runs));
    let mut failed = None;
    for (number, &cubes) in (1..).zip(&counts) {
        let mut course = args.course.clone();
        course.scene.cubes = cubes;
        let measured = measure(&program, &course, args.runs, &progress, &interrupted, &mut sweep);
        let point = match measured {
            Ok(Some(point)) => point,
            Ok(None) => break,
            // What was measured so far is kept all the same.
            Err(error) => {
                failed = Some(error);
                break;
            }
        };
        let too_slow = point.median().is_none_or(|median| median.nanoseconds() > 1e9 / args.fps);
        sweep.points.push(point);
        sweep.complete = too_slow || number == counts.len();
        if too_slow && number < counts.len() {
            let reason = format!("frames of {} cubes take too long", units::count(cubes));
            sweep.stopped = Some(reason);
        }
        if let Some(folder) = &folder {
            folder.write_sweep(&sweep)?;
        }
        if too_slow {
            break;
        }
    }
    drop(progress);
    if let Some(folder) = folder.filter(|_| !sweep.points.is_empty()) {
        output::status(&format!("wrote {}", folder.sweep_names()));
    }
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some(json) = &json {
        json.write(&sweep)?;
    }
    if !matches!(json, Some(JsonTarget::StandardOutput)) {
        output::print(&summary(&sweep))?;
    }
    Ok(if sweep.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// The first of the counts that the device cannot hold, and why; none if it can hold all.
fn first_refused(course: &RunArgs, counts: &[u32]) -> Result<Option<(usize, String)>, BenchError> {
    let gpu = pollster::block_on(Gpu::headless(&course.graphics.gpu()))?;
    let refused = |&cubes: &u32| gpu.check_capacity(cubes as usize).err();
    let found = counts.iter().enumerate().find_map(|(at, count)| Some((at, refused(count)?)));
    match found {
        Some((0, error)) => Err(error.into()),
        found => Ok(found.map(|(at, error)| (at, error.to_string()))),
    }
}

/// All runs of one count; none if it was interrupted.
fn measure(
    program: &Path,
    course: &RunArgs,
    runs: u32,
    progress: &Progress,
    interrupted: &AtomicBool,
    sweep: &mut Sweep,
) -> Result<Option<SweepPoint>, BenchError> {
    let cubes = course.scene.cubes;
    let mut point = SweepPoint { cubes, medians_ns: Vec::new() };
    for number in 1..=runs {
        progress.begin(&format!("{} cubes, run {number} of {runs}", units::count(cubes)));
        let run = match child::measure(program, course, course.slowed_by) {
            Err(_) if run::was_interrupted(interrupted) => return Ok(None),
            run => run?,
        };
        if interrupted.load(Ordering::Acquire) {
            return Ok(None);
        }
        let nothing = || BenchError::NothingMeasured(program.to_owned());
        point.medians_ns.push(run.median().ok_or_else(nothing)?.nanoseconds());
        warnings::add(&mut sweep.warnings, std::slice::from_ref(&run));
        sweep.adapter.get_or_insert(run.adapter);
        progress.done();
    }
    Ok(Some(point))
}

fn summary(sweep: &Sweep) -> String {
    let mut text = format!("{}: {}\n", sweep.name, sweep.settings.mode);
    if let Some(adapter) = &sweep.adapter {
        let _ = writeln!(text, "{}", textwrap::fill(adapter, 80));
    }
    let _ = writeln!(
        text,
        "\n{:>12}{:>11}{:>11}{:>10}  1 to 100 % of {}",
        "cubes",
        "median ms",
        "ns/cube",
        "fps",
        units::ms(1e9 / sweep.fps)
    );
    for point in &sweep.points {
        let Some(median) = point.median() else { continue };
        let time = median.nanoseconds();
        let cubes = f64::from(point.cubes);
        // In logarithms from a hundredth of the budget, so that small counts are seen, too.
        let share = (time * sweep.fps / 1e9).log10().mul_add(0.5, 1.0).clamp(0.0, 1.0);
        #[expect(clippy::cast_sign_loss, reason = "from 0 to 1")]
        let filled = (share * COLUMNS).round() as usize;
        let _ = writeln!(
            text,
            "{:>12}{:>11}{:>11}{:>10}  {}",
            units::count(point.cubes),
            units::bare_ms(time),
            units::rate(time / cubes),
            units::rate(1e9 / time),
            "▇".repeat(filled),
        );
    }
    let fps = sweep.fps;
    let reach = match sweep.largest_count() {
        Some(LargestCount::Below(cubes)) => {
            format!("{fps} fps: fewer than {}", units::count(cubes))
        }
        Some(LargestCount::About(cubes)) => {
            format!("{fps} fps up to about {}", units::count(cubes))
        }
        Some(LargestCount::AtLeast(cubes)) => {
            format!("{fps} fps up to at least {}", units::count(cubes))
        }
        None => "nothing was measured".to_owned(),
    };
    let _ = writeln!(text, "\n{reach} cubes");
    if let Some(exponent) = sweep.exponent() {
        let _ =
            writeln!(text, "time grows as cubes^{exponent:.2} over the largest counts (Theil-Sen)");
    }
    if let Some(why) = &sweep.stopped {
        let options = textwrap::Options::new(80).subsequent_indent("  ");
        let _ = writeln!(text, "{}", textwrap::fill(&format!("stopped: {why}"), options));
    }
    text + &super::summary::warnings(&sweep.warnings)
}
