//! `bench single` (hidden): one run in this process, for the parent process.

use std::io::{self, Read};
use std::thread;

use super::{BenchError, Outcome};
use crate::benchmark;
use crate::cli::RunArgs;
use crate::interrupt;
use crate::output;
use crate::render::Gpu;

/// Runs the benchmark and prints a [`RunResult`](benchmark::RunResult): a line of JSON, then the file of its
/// frames.
pub(super) fn run(args: &RunArgs) -> Result<Outcome, BenchError> {
    end_with_parent();
    let result = if args.is_windowed() { windowed(args)? } else { headless(args)? };
    let mut frames = Vec::new();
    benchmark::write_samples(&mut frames, [&result.samples[..]]).map_err(serde_json::Error::io)?;
    output::print(&format!("{}\n", serde_json::to_string(&result)?))?;
    output::print_bytes(&frames)?;
    Ok(Outcome::Done)
}

/// Ends this process when the parent process ends, which closes the pipe on standard input.
pub(super) fn end_with_parent() {
    let wait = || {
        let mut stdin = io::stdin().lock();
        // The first byte tells this pipe from an empty standard input.
        if stdin.read_exact(&mut [0]).is_ok() {
            let _ = io::copy(&mut stdin, &mut io::sink());
            interrupt::exit(1);
        }
    };
    // Without this thread it measures until its end, which is no reason not to measure.
    let _ = thread::Builder::new().spawn(wait);
}

fn headless(args: &RunArgs) -> Result<benchmark::RunResult, BenchError> {
    let gpu = pollster::block_on(Gpu::headless(&args.graphics.gpu()))?;
    let graphics = args.graphics.live(&gpu, args.scene.motion());
    let run = benchmark::run_headless(&gpu, args.size, args.settings(), graphics);
    Ok(pollster::block_on(run)?)
}

#[cfg(feature = "app")]
fn windowed(args: &RunArgs) -> Result<benchmark::RunResult, BenchError> {
    Ok(crate::app::run_benchmark(args)?)
}

#[cfg(not(feature = "app"))]
use headless as windowed;
