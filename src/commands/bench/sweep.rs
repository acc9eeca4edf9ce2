//! `bench sweep`: the same scene with increasing numbers of cubes.

use std::fmt::Write as _;
use std::io;

use super::files::{Folder, JsonTarget, SWEEP_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, doctor, summary};
use crate::benchmark::{Sweep, SweepPlan, SweepSession, TimeOf, sweep_facts, sweep_page};
use crate::cli::{RunArgs, SWEEP_DURATION, SweepArgs};
use crate::output;
use crate::render::Gpu;
use crate::units::{bare_ms, count, live_ms, live_rate, ms, or_unknown, rate};

/// Length of the longest bar, in characters.
const BAR: f64 = 25.0;

pub(super) fn run(args: &SweepArgs) -> Result<Outcome, BenchError> {
    let (from, largest) = (args.from, args.run.scene.cubes);
    if from > largest {
        let reason = format!("--from {} is above --cubes {}", count(from), count(largest));
        return Err(BenchError::Input(reason));
    }
    let run_args = args.run.for_medians(SWEEP_DURATION).map_err(BenchError::Input)?;
    let folder = args.output.out.as_deref();
    let folder = folder.map(|path| Folder::create(path, &SWEEP_FILES)).transpose()?;
    let written = folder.iter().flat_map(|folder| SWEEP_FILES.map(|name| folder.path(name)));
    let files_read = args.run.scene.files().into_iter().chain(args.program.clone());
    let json = JsonTarget::create(&args.output.json, written, files_read)?;
    let settings = run_args.bench_settings(args.runs);
    let mut sweep = Sweep::new(args.output.name.clone(), settings, args.fps);
    sweep.warnings = doctor::warnings();
    let measured = measure(args, run_args, &mut sweep, folder.as_ref());
    if sweep.points.is_empty() {
        measured?;
        output::status("interrupted before the end of the first count");
        return Ok(Outcome::Interrupted);
    }
    if let Some(folder) = folder.filter(Folder::is_written) {
        folder.report_paths(SWEEP_FILES);
    }
    json.write(&sweep, &text(&sweep, args.output.verbose))?;
    measured?;
    Ok(if sweep.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Makes all runs, or those before a signal. Writes the sweep after each.
fn measure(
    args: &SweepArgs,
    mut run_args: RunArgs,
    sweep: &mut Sweep,
    folder: Option<&Folder>,
) -> Result<(), BenchError> {
    let plan = SweepPlan {
        from: args.from,
        largest: args.run.scene.cubes,
        per_decade: args.per_decade,
        slowest_fps: args.fps,
        fewest: 1,
    };
    let gpu = pollster::block_on(Gpu::headless(&run_args.graphics.gpu()))?;
    let mut session = SweepSession::new(plan, &gpu, sweep)?;
    // Not beside the devices of the runs.
    drop(gpu);
    let (program, runner) = (runner::program(args.program.as_deref())?, Runner::new(0)?);
    while let Some((cubes, label)) = session.next_run(sweep) {
        runner.expect(session.runs_left(sweep));
        run_args.scene.cubes = cubes;
        let Some(run) = runner.run(&label, &program, &run_args)? else { break };
        // Of the first run: buffers of many cubes may be too large for one geometry, which the session reports.
        if sweep.graphics.is_none() {
            sweep.warnings.extend(run_args.graphics.without_effect(&run));
        }
        session.push(sweep, &run);
        if let Some(folder) = folder.filter(|_| !sweep.points.is_empty()) {
            let [json, csv, page] = SWEEP_FILES;
            let csv = folder.stage(csv, |file| write_points(file, sweep))?;
            folder.write([json, page], sweep, &sweep_page(sweep), vec![csv])?;
        }
    }
    Ok(())
}

/// Writes one line per run of each point.
fn write_points(file: &mut dyn io::Write, sweep: &Sweep) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    csv.write_record(["cubes", "run", "median_ns", "cpu_median_ns", "gpu_median_ns"])?;
    for point in &sweep.points {
        for (at, median) in point.medians_ns.iter().enumerate() {
            let [cpu, gpu] = [&point.cpu_medians_ns, &point.gpu_medians_ns].map(|of| of.get(at));
            csv.serialize((point.cubes, at + 1, median, cpu, gpu))?;
        }
    }
    csv.flush()
}

fn text(sweep: &Sweep, verbose: bool) -> String {
    let mut text = format!("{}: {}\n", sweep.name, sweep.settings.mode_and_motion());
    if verbose {
        let lines = sweep_facts(sweep).into_iter().map(|(name, fact)| format!("{name}: {fact}"));
        text.extend(lines.map(|line| summary::wrapped(&line)));
    } else if let Some(adapter) = &sweep.adapter {
        text += &summary::wrapped(adapter);
    }
    text = text + "\n" + &table(sweep);
    let _ = writeln!(text, "\n{}", sweep.in_words());
    match sweep.exponent() {
        Some(exponent) if exponent > 0.0 => {
            let _ = writeln!(
                text,
                "frame time grows as cubes^{exponent:.2} at the largest counts (Theil-Sen)"
            );
        }
        Some(_) => text += "frame time does not grow with the number of cubes\n",
        None => {}
    }
    if let Some(reason) = &sweep.stopped {
        text += &summary::wrapped(&format!("stopped: {reason}"));
    }
    if !sweep.complete {
        text += "warning: incomplete: run the sweep again\n";
    }
    text + &summary::warnings(&sweep.warnings)
}

/// Returns a line for each count: time of the frame, of CPU and GPU, and a bar.
pub(super) fn table(sweep: &Sweep) -> String {
    let budget = ms(1e9 / sweep.fps);
    let mut text =
        format!("      cubes median ms  CPU ms  GPU ms   ns/cube    fps  1-100 % of {budget}\n");
    for point in &sweep.points {
        let Some(time) = point.median_of(TimeOf::Frame) else { continue };
        let [cpu, gpu] =
            [TimeOf::Cpu, TimeOf::Gpu].map(|time| or_unknown(point.median_of(time), live_ms));
        let (cubes, median, bar) = (count(point.cubes), bare_ms(time), bar(time * sweep.fps / 1e9));
        let (each, fps) = (rate(time / f64::from(point.cubes)), live_rate(1e9 / time));
        let _ = writeln!(text, "{cubes:>11}{median:>10}{cpu:>8}{gpu:>8}{each:>10}{fps:>7}  {bar}");
    }
    text
}

/// Returns a bar for a share of the frame budget, on a logarithmic scale from 1 % to 100 %.
fn bar(share: f64) -> String {
    let length = share.log10().mul_add(0.5, 1.0).clamp(0.0, 1.0) * BAR;
    "▇".repeat(length.round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::benchmark::{BenchSettings, SweepPoint};

    /// 1,000 cubes in 2, 3 and 4 ms, and 100,000 in 25 ms.
    fn sweep() -> Sweep {
        let first = SweepPoint {
            medians_ns: vec![4e6, 2e6, 3e6],
            cpu_medians_ns: vec![1e6; 3],
            ..SweepPoint::new(1000)
        };
        let second = SweepPoint { medians_ns: vec![25e6], ..SweepPoint::new(100_000) };
        let new = Sweep::new("test".to_owned(), BenchSettings::default(), 50.0);
        Sweep { points: vec![first, second], ..new }
    }

    #[test]
    fn the_table_has_medians_times_per_cube_rates_and_bars_of_the_budget() {
        // 3 of 20 ms are 15 %, 0.588 of the way from 1 to 100 %.
        let expected = format!(
            "{}\n      1,000     3.000    1.00       -    3000.0    333  {}\n    \
             100,000    25.000       -       -     250.0   40.0  {}\n",
            "      cubes median ms  CPU ms  GPU ms   ns/cube    fps  1-100 % of 20.000 ms",
            "▇".repeat(15),
            "▇".repeat(25),
        );
        assert_eq!(table(&sweep()), expected);
    }

    #[test]
    fn the_csv_file_has_a_line_for_each_run() {
        let mut csv = Vec::new();
        write_points(&mut csv, &sweep()).unwrap();
        let expected = "cubes,run,median_ns,cpu_median_ns,gpu_median_ns\n\
                        1000,1,4000000.0,1000000.0,\n1000,2,2000000.0,1000000.0,\n\
                        1000,3,3000000.0,1000000.0,\n100000,1,25000000.0,,\n";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
    }
}
