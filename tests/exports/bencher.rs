//! Bencher Metric Format, read by its schema.

use std::collections::BTreeMap;

use cubefall::benchmark::{BenchResult, ExportFormat, FrameSample};
use serde::Deserialize;

use crate::fixtures::{first, frame, plain_frame, result, run};

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Metric {
    value: f64,
    lower_value: Option<f64>,
    upper_value: Option<f64>,
}

type Benchmarks = BTreeMap<String, BTreeMap<String, Metric>>;

fn read(result: &BenchResult) -> Benchmarks {
    serde_json::from_str(&first(ExportFormat::Bencher, result)).unwrap()
}

fn named(name: &str, runs: Vec<cubefall::benchmark::RunResult>) -> BenchResult {
    BenchResult { name: name.to_owned(), ..result(runs) }
}

#[test]
fn latency_is_the_middle_run_with_the_range_of_all_runs() {
    let runs = [7, 2, 3].map(|ms| run(vec![plain_frame(ms * 1_000_000); 5]));
    let benchmarks = read(&named("tiny", runs.into()));
    assert_eq!(benchmarks.keys().collect::<Vec<_>>(), ["tiny", "tiny/sim"]);
    let frame = &benchmarks["tiny"];
    let latency = Metric { value: 3e6, lower_value: Some(2e6), upper_value: Some(7e6) };
    assert_eq!(frame["latency"], latency);
    assert_eq!(benchmarks["tiny/sim"]["latency"], latency);
    let throughput = &frame["throughput"];
    assert!((throughput.value - 1000.0 / 3.0).abs() < 1e-9, "{throughput:?}");
    assert_eq!((throughput.lower_value, frame.len()), (None, 2));
}

#[test]
fn phases_and_the_gpu_are_benchmarks_of_their_own() {
    let sample = FrameSample { gpu: Some(500), ..frame([1, 2, 3, 0, 4, 0, 5, 6]) };
    let benchmarks = read(&named("x", vec![run(vec![sample; 3])]));
    for (name, value) in [("x", 21.0), ("x/gpu", 500.0), ("x/encode", 3.0), ("x/gpu_wait", 5.0)] {
        assert_eq!(benchmarks[name]["latency"].value, value, "{name}");
    }
    assert!(!benchmarks.contains_key("x/present"), "phases of no time are left out");
}

#[test]
fn a_result_without_runs_has_no_metrics() {
    assert_eq!(read(&result(vec![])), Benchmarks::new());
}
