//! `bench suite`: growth, score and variants of a machine.

use std::fmt::Write as _;

use super::files::{Folder, JsonTarget, SUITE_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, doctor, single, summary, sweep};
use crate::benchmark::{
    PlannedRun, SCORE_FPS, STANDARD_FLAGS, Suite, SuiteLength, SuiteSession, Sweep, Variant,
    suite_page,
};
use crate::cli::{RunArgs, SuiteArgs};
use crate::output;
use crate::render::{Geometry, Gpu, GpuSettings, RenderError, Streaming};
use crate::units::{bare_ms, count};

pub(super) fn run(args: &SuiteArgs) -> Result<Outcome, BenchError> {
    if args.end_with_input {
        single::end_with_parent();
    }
    let folder = args.output.out.as_deref();
    let folder = folder.map(|path| Folder::create(path, &SUITE_FILES)).transpose()?;
    let written = folder.iter().flat_map(|folder| SUITE_FILES.map(|name| folder.path(name)));
    let json = JsonTarget::create(&args.output.json, written, args.program.clone())?;
    let mut standard =
        RunArgs::from_flags(STANDARD_FLAGS.split_whitespace()).expect("the flags are valid");
    standard.graphics.adapter = args.adapter.clone();
    let settings = standard.bench_settings(1);
    let mut growth = Sweep::new(args.output.name.clone(), settings, SCORE_FPS);
    growth.warnings = doctor::warnings();
    let gpu = pollster::block_on(Gpu::headless(&standard.graphics.gpu()))?;
    let length = if args.quick { SuiteLength::Quick } else { SuiteLength::Full };
    let mut session = SuiteSession::new(growth, length, &gpu, paths(&standard)?)?;
    // Not beside the devices of the runs.
    drop(gpu);
    let measured = measure(&mut session, args, &standard, folder.as_ref());
    let suite = session.suite;
    if suite.growth.points.is_empty() {
        measured?;
        output::status("interrupted before the end of the first count");
        return Ok(Outcome::Interrupted);
    }
    if let Some(folder) = folder.filter(Folder::is_written) {
        folder.report_paths(SUITE_FILES);
    }
    let submitted = || format!("\n{}\n", suite.submit_text());
    let submitted = args.submit_text.then(submitted).unwrap_or_default();
    json.write(&suite, &(text(&suite, args.output.verbose) + &submitted))?;
    measured?;
    Ok(if suite.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Makes all runs, or those before a signal or an error. Writes the suite after each.
fn measure(
    session: &mut SuiteSession,
    args: &SuiteArgs,
    standard: &RunArgs,
    folder: Option<&Folder>,
) -> Result<(), BenchError> {
    let (program, runner) = (runner::program(args.program.as_deref())?, Runner::new(0)?);
    while let Some(PlannedRun { label, flags }) = session.next_run() {
        runner.expect(session.runs_left());
        let args = runner::with_flags(standard, &flags)?;
        let Some(run) = runner.run(&label, &program, &args)? else { break };
        session.push(&run);
        let suite = &session.suite;
        if let Some(folder) = folder.filter(|_| !suite.growth.points.is_empty()) {
            folder.write(SUITE_FILES, suite, &suite_page(suite), Vec::new())?;
        }
    }
    Ok(())
}

/// Returns the geometries and ways of streaming that the adapter can do.
fn paths(standard: &RunArgs) -> Result<Vec<(Geometry, Streaming)>, BenchError> {
    let mut paths = Vec::new();
    for streaming in Streaming::ALL {
        let gpu = GpuSettings { streaming: Some(streaming), ..standard.graphics.gpu() };
        match pollster::block_on(Gpu::headless(&gpu)) {
            Err(RenderError::NotMappable) => {}
            opened => paths.extend(opened?.geometries().map(|geometry| (geometry, streaming))),
        }
    }
    Ok(paths)
}

fn text(suite: &Suite, verbose: bool) -> String {
    let mut text = summary::wrapped(&suite.in_words());
    if let Some(scores) = &suite.scores {
        text += &summary::wrapped(&scores.sides());
    }
    text += &summary::wrapped(&format!("{}: {STANDARD_FLAGS}", suite.growth.name));
    if verbose {
        text.extend(suite.conditions().lines().map(summary::wrapped));
    }
    text = text + "\n" + &sweep::table(&suite.growth);
    let standard = suite.variants.first().and_then(Variant::median);
    if let Some(cubes) = suite.score_runs.first().map(|run| run.cubes) {
        let cubes = format!("{} cubes", count(cubes));
        let _ = writeln!(text, "\n{cubes:<44}{:>11}  of standard", "median ms");
    }
    for variant in &suite.variants {
        let (Some(median), Some(standard)) = (variant.median(), standard) else { continue };
        let name = variant.name();
        let _ = writeln!(text, "{name:<44}{:>11}{:>11.2} x", bare_ms(median), median / standard);
    }
    if let Some(reason) = &suite.growth.stopped {
        text += &summary::wrapped(&format!("stopped: {reason}"));
    }
    text + &summary::warnings(&suite.growth.warnings)
}
