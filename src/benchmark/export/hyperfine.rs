//! Hyperfine: the JSON of `hyperfine --export-json`, for the scripts that read it.

use std::io::{self, Write};

use serde_json::json;
use statrs::statistics::Statistics;

use crate::benchmark::{BenchResult, quantile};

/// Writes a result as a command in hyperfine's terms, whose runs are its median frame times, in seconds. The
/// list of commands is empty without a measured run.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let times: Vec<_> =
        result.medians().into_iter().map(|median| median.nanoseconds() / 1e9).collect();
    let BenchResult { name, settings, .. } = result;
    let measured = result.runs.first().map(|run| run.size);
    let ([width, height], motion) = (measured.unwrap_or(settings.size), settings.mode_and_motion());
    let command = quantile::range(&times).map(|[min, max]| {
        json!({
            "command": format!("{name}: {} cubes, {motion}, {width}x{height}", settings.cubes),
            "mean": times.iter().mean(),
            // Null for a single run.
            "stddev": times.iter().std_dev(),
            "median": quantile::median(&mut times.clone()),
            // Times of the CPU in user mode and in the kernel: not measured.
            "user": null,
            "system": null,
            "min": min,
            "max": max,
            "times": times,
            // A failed run is not part of a result.
            "exit_codes": vec![0; times.len()],
            // Exactly one, as `plot_parametrized.py` needs it.
            "parameters": { "cubes": settings.cubes.to_string() },
        })
    });
    serde_json::to_writer_pretty(&mut *to, &json!({ "results": Vec::from_iter(command) }))?;
    writeln!(to)
}
