//! Runs with known frame times, which scripts print in place of a child process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use cubefall::benchmark::{FramePhase, FrameSample, RunResult};
use serde_json::Value;

use crate::program::run;
use crate::results::run_of;
use crate::script::{write_run, write_script};

/// A frame that waits for the GPU half of its time.
pub(crate) fn frame(ms: f64) -> FrameSample {
    let frame = (ms * 1e6) as u64;
    let mut phases = [0; FramePhase::ALL.len()];
    phases[FramePhase::GpuWait as usize] = frame / 2;
    phases[FramePhase::Sim as usize] = frame - frame / 2;
    FrameSample { frame, phases, gpu: Some(frame / 2), cubes: 10_000, ..FrameSample::default() }
}

/// A run of 1,000 frames of `ms`.
pub(crate) fn steady(ms: f64) -> RunResult {
    run_of(vec![frame(ms); 1000])
}

/// Writes a program that prints the runs one after the other, and counts its starts in `NAME.count`,
/// from 0 on.
pub(crate) fn program(folder: &Path, name: &str, runs: &[RunResult]) -> PathBuf {
    let path = folder.join(name);
    for (number, run) in runs.iter().enumerate() {
        write_run(&folder.join(format!("{name}.{number}")), run);
    }
    let _ = fs::remove_file(folder.join(format!("{name}.count")));
    script(
        &path,
        "echo \"$*\" >> \"$0.flags\"; n=$(cat \"$0.count\" 2>/dev/null || echo 0)
         echo $((n + 1)) > \"$0.count\"; cat \"$0.$n\"",
    );
    path
}

pub(crate) fn script(path: &Path, commands: &str) {
    write_script(path, &format!("#!/bin/sh\n{commands}\n"));
}

/// Measures runs with `cubefall bench`.
pub(crate) fn bench(folder: &Path, runs: &[RunResult], more: &[&str]) -> Output {
    let program = program(folder, "program", runs);
    let count = runs.len().to_string();
    let words = ["bench", "run", "--runs", &count, "--program", program.to_str().unwrap()];
    run(&[&words[..], more].concat())
}

/// Compares runs of A with runs of B in pairs.
pub(crate) fn ab(folder: &Path, a: &[RunResult], b: &[RunResult], more: &[&str]) -> Output {
    let [a_path, b_path] = [program(folder, "a", a), program(folder, "b", b)];
    let count = a.len().to_string();
    let words = ["bench", "ab", "--a", a_path.to_str().unwrap(), "--b", b_path.to_str().unwrap()];
    run(&[&words[..], &["--pairs", &count], more].concat())
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Run medians around `ms` with a spread of half a percent, the same in every test.
pub(crate) fn noisy(ms: f64, number: usize) -> f64 {
    ms * (1.0 + 0.002 * [0.3, -1.1, 0.9, -0.2, 1.3, -0.8, 0.1][number % 7])
}
