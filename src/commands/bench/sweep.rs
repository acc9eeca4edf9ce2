//! Sweep: the same scene with more and more cubes.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::files::{Folder, JsonTarget};
use super::{BenchError, Outcome, child, run, warnings};
use crate::benchmark::{Reach, RunResult, Sweep, SweepPoint};
use crate::cli::{CourseArgs, SweepArgs};
use crate::commands::interrupt;
use crate::commands::progress::Progress;
use crate::commands::text::{self, grouped};

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
    sweep.warnings = warnings::of_machine(&sweep.machine, sweep.debug_build);
    let counts = Sweep::counts(args.from.min(most), most, args.per_decade);
    let progress = Progress::new(counts.len() as u64 * u64::from(args.runs));
    for &cubes in &counts {
        let mut course = args.course.clone();
        course.scene.cubes = cubes;
        let point = match measure(&program, &course, args.runs, &progress, &mut sweep) {
            Ok(point) => point,
            Err(_) if run::was_interrupted(&interrupted) => break,
            // What is too much for the device or the memory ends the sweep and does not spoil it.
            Err(error) if !sweep.points.is_empty() => {
                sweep.stopped = Some(format!("{} cubes: {error}", grouped(cubes as usize)));
                sweep.complete = true;
                break;
            }
            Err(error) => return Err(error),
        };
        let too_slow = point.median().is_none_or(|median| median.nanoseconds() > 1e9 / args.fps);
        sweep.points.push(point);
        sweep.complete = too_slow || cubes == most;
        if let Some(folder) = &folder {
            folder.write_sweep(&sweep)?;
        }
        if too_slow && cubes < most {
            let reason = format!("frames of {} cubes take too long", grouped(cubes as usize));
            sweep.stopped = Some(reason);
        }
        if too_slow || interrupted.load(Ordering::Acquire) {
            break;
        }
    }
    drop(progress);
    if let Some(folder) = folder.filter(|_| !sweep.points.is_empty()) {
        folder.write_sweep(&sweep)?;
        text::remark(&format!("wrote {}", folder.sweep_names()));
    }
    if let Some(json) = &json {
        json.write(&sweep)?;
    }
    if !matches!(json, Some(JsonTarget::StandardOutput)) {
        text::print(&summary(&sweep))?;
    }
    Ok(if sweep.complete { Outcome::Done } else { Outcome::Interrupted })
}

fn measure(
    program: &Path,
    course: &CourseArgs,
    runs: u32,
    progress: &Progress,
    sweep: &mut Sweep,
) -> Result<SweepPoint, BenchError> {
    let cubes = course.scene.cubes;
    let mut point = SweepPoint { cubes, medians_ns: Vec::new() };
    for number in 1..=runs {
        progress.begin(&format!("{} cubes, run {number} of {runs}", grouped(cubes as usize)));
        let run: RunResult = child::measure(program, course, course.slowed_by)?;
        let nothing = || BenchError::NothingMeasured(program.to_owned());
        point.medians_ns.push(run.median().ok_or_else(nothing)?.nanoseconds());
        for warning in warnings::of_run(&run) {
            if !sweep.warnings.contains(&warning) {
                sweep.warnings.push(warning);
            }
        }
        sweep.adapter.get_or_insert(run.adapter);
        progress.done();
    }
    Ok(point)
}

fn summary(sweep: &Sweep) -> String {
    let mut text = format!("{}: {}\n", sweep.name, sweep.settings.mode);
    if let Some(adapter) = &sweep.adapter {
        let _ = writeln!(text, "{}", textwrap::fill(adapter, 80));
    }
    let _ = writeln!(
        text,
        "\n{:>12}{:>11}{:>11}{:>10}  1 to 100 % of {:.2} ms",
        "cubes",
        "median ms",
        "ns/cube",
        "fps",
        1e3 / sweep.fps
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
            "{:>12}{:>11.3}{:>11.1}{:>10.1}  {}",
            grouped(point.cubes as usize),
            time / 1e6,
            time / cubes,
            1e9 / time,
            "▇".repeat(filled),
        );
    }
    let fps = sweep.fps;
    let reach = match sweep.reach() {
        Some(Reach::Fewer(cubes)) => format!("{fps} fps: fewer than {}", grouped(cubes as usize)),
        Some(Reach::About(cubes)) => format!("{fps} fps up to about {}", grouped(cubes as usize)),
        Some(Reach::AtLeast(cubes)) => {
            format!("{fps} fps up to at least {}", grouped(cubes as usize))
        }
        None => "nothing was measured".to_owned(),
    };
    let _ = writeln!(text, "\n{reach} cubes");
    if let Some(exponent) = sweep.exponent() {
        let _ =
            writeln!(text, "time grows as cubes^{exponent:.2} over the largest counts (Theil-Sen)");
    }
    let stopped = sweep.stopped.iter().map(|why| format!("stopped: {why}"));
    for line in stopped.chain(sweep.warnings.iter().map(|warning| format!("warning: {warning}"))) {
        let _ = writeln!(
            text,
            "{}",
            textwrap::fill(&line, textwrap::Options::new(80).subsequent_indent("  "))
        );
    }
    text
}
