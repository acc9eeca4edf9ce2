//! Bencher Metric Format, for Bencher and other tools that track results over time.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::benchmark::{BenchResult, Summary};

/// A value and its range.
#[derive(Serialize)]
struct Metric {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_value: Option<f64>,
}

/// Writes a result: the frame under the name of the result, its phases under `NAME/PHASE`.
///
/// `latency` is the median of the runs in ns, with the lowest and the highest run as its range. `throughput`
/// is frames per second. Both are built-in measures of Bencher.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let summary = Summary::of(&result.runs);
    let mut benchmarks = BTreeMap::<_, BTreeMap<_, _>>::new();
    for row in &summary.rows {
        let name = match row.name {
            "frame" => result.name.clone(),
            phase => format!("{}/{phase}", result.name),
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
