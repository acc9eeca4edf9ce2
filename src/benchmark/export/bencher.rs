//! Bencher: Bencher Metric Format, for Bencher and whoever else follows figures over time.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::benchmark::{BenchResult, Summary};

/// A figure, and the least and the greatest that it might as well have been.
#[derive(Serialize)]
struct Metric {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_value: Option<f64>,
}

/// Writes a result: the frame under the result's own name, its parts under `NAME/PART`. `latency` is
/// the middle one of the runs' medians between the lowest and the highest of them, in ns, and
/// `throughput` is frames per second; both are measures that Bencher has of its own.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let summary = Summary::of(result);
    let mut benchmarks = BTreeMap::<_, BTreeMap<_, _>>::new();
    for row in &summary.rows {
        let name = match row.name {
            "frame" => result.name.clone(),
            part => format!("{}/{part}", result.name),
        };
        if let Some(value) = row.median {
            let (lower_value, upper_value) = (row.lowest, row.highest);
            let latency = Metric { value, lower_value, upper_value };
            benchmarks.entry(name).or_default().insert("latency", latency);
        }
    }
    if let Some(value) = summary.average_fps {
        let throughput = Metric { value, lower_value: None, upper_value: None };
        benchmarks.entry(result.name.clone()).or_default().insert("throughput", throughput);
    }
    serde_json::to_writer_pretty(&mut *to, &benchmarks)?;
    writeln!(to)
}
