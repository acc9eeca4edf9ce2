//! Bencher Metric Format, for Bencher and other tools that track results over time.

use std::io::{self, Write};

use serde_json::{Map, json};

use crate::benchmark::{BenchResult, Summary};

/// Writes a result: the frame under the name of the result, its phases under `NAME/PHASE`.
///
/// `latency` is the median of the runs in ns, with the lowest and the highest run as its range. `throughput`
/// is frames per second. Both are built-in measures of Bencher.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let summary = Summary::of(&result.runs);
    let mut benchmarks = Map::new();
    for row in summary.rows.iter().filter(|row| row.median_ns.is_some()) {
        let latency = json!({
            "value": row.median_ns,
            "lower_value": row.lowest_median_ns,
            "upper_value": row.highest_median_ns,
        });
        let (name, throughput) = match row.name {
            "frame" => (result.name.clone(), summary.average_fps),
            phase => (format!("{}/{phase}", result.name), None),
        };
        let mut measures = json!({ "latency": latency });
        if let Some(fps) = throughput {
            measures["throughput"] = json!({ "value": fps });
        }
        benchmarks.insert(name, measures);
    }
    serde_json::to_writer_pretty(&mut *to, &benchmarks)?;
    writeln!(to)
}
