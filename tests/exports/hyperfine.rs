//! The JSON of hyperfine, read like its scripts (327d5f4) read it.

use std::collections::BTreeMap;

use cubefall::benchmark::{BenchResult, ExportFormat};
use serde::Deserialize;

use crate::fixtures::{first, plain_frame, result, run};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    results: Vec<HyperfineResult>,
}

/// `BenchmarkResult` of hyperfine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HyperfineResult {
    command: String,
    mean: f64,
    stddev: Option<f64>,
    median: f64,
    user: Option<f64>,
    system: Option<f64>,
    min: f64,
    max: f64,
    times: Option<Vec<f64>>,
    exit_codes: Vec<Option<i32>>,
    #[serde(default)]
    parameters: BTreeMap<String, String>,
}

fn read(result: &BenchResult) -> Vec<HyperfineResult> {
    let summary: Summary = serde_json::from_str(&first(ExportFormat::Hyperfine, result)).unwrap();
    summary.results
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn times_are_the_medians_of_the_runs_in_seconds() {
    // The slow frame of each run does not change its median.
    let frames = |ms: u64| [vec![plain_frame(ms * 1_000_000); 5], vec![plain_frame(900_000_000)]];
    let runs = [7, 2, 3].map(|ms| run(frames(ms).concat()));
    let all = read(&result(runs.into()));
    assert_eq!(all.len(), 1);
    let one = &all[0];
    assert_eq!(one.times.as_deref(), Some(&[0.007, 0.002, 0.003][..]));
    let statistics = [(one.mean, 0.004), (one.median, 0.003), (one.min, 0.002), (one.max, 0.007)];
    assert!(statistics.iter().all(|(value, expected)| close(*value, *expected)), "{statistics:?}");
    // Squared deviations from 4 ms: 9 + 4 + 1, by n - 1.
    assert!(close(one.stddev.unwrap(), 7_f64.sqrt() / 1000.0));
    assert_eq!((one.user, one.system), (None, None));
    assert_eq!(one.exit_codes, [Some(0); 3]);
    // plot_parametrized.py needs exactly one parameter that is a number.
    assert_eq!(one.parameters.len(), 1);
    assert_eq!(one.parameters["cubes"].parse(), Ok(200.0));
    assert!(one.command.contains("200 cubes"));
}

#[test]
fn one_run_has_no_deviation_and_no_run_has_no_result() {
    let one = read(&result(vec![run(vec![plain_frame(5_000_000)])]));
    assert_eq!((one[0].stddev, one[0].mean), (None, 0.005));
    assert!(read(&result(vec![])).is_empty());
}
