//! `bench suite`: growth, score and variants of a machine.

use std::ffi::OsString;
use std::fmt::Write as _;

use super::files::{Folder, JsonTarget, SUITE_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, summary, sweep, warnings};
use crate::benchmark::{
    PlannedRun, SCORE_FPS, STANDARD_FLAGS, Suite, SuiteSession, Sweep, Variant,
};
use crate::cli::{RunArgs, SuiteArgs};
use crate::render::{Geometry, Gpu, GpuSettings, RenderError, Streaming};
use crate::units::{bare_ms, count};

pub(super) fn run(args: &SuiteArgs) -> Result<Outcome, BenchError> {
    let folder = args.output.out.as_deref().map(Folder::create).transpose()?;
    let json = JsonTarget::create(args.output.json.json.as_deref())?;
    let mut standard = runner::parsed(STANDARD_FLAGS.split_whitespace().map(OsString::from))
        .expect("the flags are valid");
    standard.graphics.adapter = args.adapter.clone();
    let name = args.output.name.clone();
    let mut growth = Sweep::new(name, standard.bench_settings(1), SCORE_FPS);
    growth.warnings = warnings::of_machine();
    let gpu = pollster::block_on(Gpu::headless(&standard.graphics.gpu()))?;
    let session = SuiteSession::new(growth, args.quick, &gpu, paths(&standard)?)?;
    // Not beside the devices of the runs.
    drop(gpu);
    let (suite, measured) = measure(session, args, &standard, folder.as_ref());
    if let Some(folder) = folder.filter(|_| !suite.growth.points.is_empty()) {
        folder.report_paths(SUITE_FILES);
    }
    measured?;
    json.write(&suite)?;
    json.print_text(&text(&suite, args.output.verbose))?;
    if args.submit_text {
        json.print_text(&format!("\n{}\n", suite.submit_text()))?;
    }
    Ok(if suite.complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Makes all runs, or those before a signal or an error. Writes the suite after each.
fn measure(
    mut session: SuiteSession,
    args: &SuiteArgs,
    standard: &RunArgs,
    folder: Option<&Folder>,
) -> (Suite, Result<(), BenchError>) {
    let mut measure = || {
        let (program, runner) = (runner::program(args.program.as_deref())?, Runner::new(0)?);
        while let Some(PlannedRun { label, flags }) = session.next_run() {
            runner.expect(session.runs_left());
            let args = runner::with_flags(standard, &flags)?;
            let Some(run) = runner.run(&label, &program, &args)? else { break };
            runner::median(&run, &program)?;
            session.push(&run);
            let suite = session.suite();
            if let Some(folder) = folder.filter(|_| !suite.growth.points.is_empty()) {
                folder.write_suite(suite)?;
            }
        }
        Ok(())
    };
    let measured = measure();
    (session.into_suite(), measured)
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
    text.push('\n');
    text += &sweep::table(&suite.growth);
    let standard = suite.variants.first().and_then(Variant::median);
    if let Some(cubes) = suite.score_runs.first().map(|run| run.cubes) {
        let _ = writeln!(
            text,
            "\n{:<44}{:>11}  of standard",
            format!("{} cubes", count(cubes)),
            "median ms"
        );
    }
    for variant in &suite.variants {
        let (Some(median), Some(standard)) = (variant.median(), standard) else { continue };
        let name = variant.name();
        let _ = writeln!(text, "{name:<44}{:>11}{:>11.2} x", bare_ms(median), median / standard);
    }
    text + &summary::warnings(&suite.growth.warnings)
}
