//! Hyperfine: the JSON of `hyperfine --export-json`, for the scripts that read it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::benchmark::{BenchResult, RunMedian, quantile};

#[derive(Serialize)]
struct Export {
    results: Vec<HyperfineResult>,
}

/// A command in hyperfine's terms: a result whose runs are its median frame times, in seconds.
#[derive(Serialize)]
struct HyperfineResult {
    command: String,
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    /// CPU time in user mode: not measured.
    user: Option<f64>,
    /// CPU time in the kernel: not measured.
    system: Option<f64>,
    min: f64,
    max: f64,
    times: Vec<f64>,
    /// Always 0: a failed run is not part of a result.
    exit_codes: Vec<i32>,
    /// Exactly one, as `plot_parametrized.py` needs it.
    parameters: BTreeMap<&'static str, String>,
}

/// Writes a result; the list is empty without a measured run.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let export = Export { results: hyperfine_result(result).into_iter().collect() };
    serde_json::to_writer_pretty(&mut *to, &export)?;
    writeln!(to)
}

fn hyperfine_result(result: &BenchResult) -> Option<HyperfineResult> {
    let times: Vec<_> =
        result.medians().into_iter().map(|median| RunMedian::nanoseconds(median) / 1e9).collect();
    let mut sorted = times.clone();
    let median = quantile::median(&mut sorted)?;
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
    let BenchResult { name, settings, .. } = result;
    let ([width, height], motion) = (settings.size, settings.mode_and_motion());
    Some(HyperfineResult {
        command: format!("{name}: {} cubes, {motion}, {width}x{height}", settings.cubes),
        mean,
        stddev: (times.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
        median,
        user: None,
        system: None,
        min: *sorted.first()?,
        max: *sorted.last()?,
        exit_codes: vec![0; times.len()],
        times,
        parameters: BTreeMap::from([("cubes", settings.cubes.to_string())]),
    })
}
