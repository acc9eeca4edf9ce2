//! The command line as its user sees it: output, exit codes and error messages.

#![cfg(feature = "cli")]

#[cfg(all(unix, feature = "benchmark"))]
mod baselines;
#[cfg(feature = "benchmark")]
mod bench;
#[cfg(all(unix, feature = "benchmark"))]
mod bench_files;
#[cfg(all(feature = "benchmark", feature = "record"))]
mod camera;
#[cfg(all(unix, feature = "benchmark"))]
mod child_process;
#[cfg(all(unix, feature = "benchmark"))]
mod conditions;
#[cfg(all(target_os = "linux", feature = "benchmark", feature = "record"))]
mod disk;
#[cfg(feature = "render")]
mod faults;
#[cfg(feature = "render")]
mod graphics;
#[cfg(unix)]
mod input;
#[cfg(all(target_os = "linux", feature = "benchmark", feature = "record"))]
mod kills;
#[cfg(all(unix, feature = "benchmark", feature = "record"))]
mod outputs;
#[cfg(feature = "render")]
#[path = "../support/png.rs"]
mod png;
mod program;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "render")]
mod render;
#[cfg(all(unix, feature = "benchmark"))]
#[path = "../exports/results.rs"]
mod results;
mod scenes;
#[cfg(all(unix, any(feature = "benchmark", feature = "record")))]
mod script;
#[cfg(all(unix, feature = "benchmark"))]
mod scripted_runs;
mod simulate;
mod snapshot;
#[cfg(all(unix, feature = "benchmark"))]
mod suite;
mod usage;
#[cfg(all(unix, feature = "benchmark"))]
mod verdicts;
#[cfg(windows)]
mod windows;
