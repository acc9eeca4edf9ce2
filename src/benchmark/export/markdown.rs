//! Markdown: a summary for an issue or a pull request.

use std::io::{self, Write};

use super::text::sanitize;
use crate::benchmark::facts::{Fact, OVER_RUNS, Setup, sensors, statistics};
use crate::benchmark::{BenchResult, LowFps, Summary};

/// Writes a result: the times of the frame and its phases, the other statistics, the setup and the warnings.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let summary = Summary::of(&result.runs);
    let setup = Setup::of_result(result);
    let frames = result.runs.iter().map(|run| run.valid_samples().count().to_string());
    let frames = frames.collect::<Vec<_>>().join(", ");
    writeln!(to, "### {}\n", escape(&result.name))?;
    writeln!(
        to,
        "{}; {} of {} runs ({frames} frames). Over several runs, {OVER_RUNS}.",
        escape(&setup.line()),
        result.runs.len(),
        result.settings.runs
    )?;

    writeln!(to, "\n| ms | median | p95 | p99 | max | run-to-run spread |")?;
    writeln!(to, "|---|--:|--:|--:|--:|--:|")?;
    for row in &summary.rows {
        writeln!(to, "| {} | {} |", escape(row.name), row.texts().join(" | "))?;
    }
    table(to, "statistic", &[statistics(&summary), sensors(&result.runs)].concat())?;
    writeln!(to)?;
    for low in LowFps::ALL {
        writeln!(to, "- {}: {}", low.name(), low.formula())?;
    }
    table(to, "setup", &[setup.machine(), setup.settings()].concat())?;
    if !result.warnings.is_empty() {
        writeln!(to, "\nConditions that make these results less reliable:\n")?;
        for warning in &result.warnings {
            writeln!(to, "- {}", escape(warning))?;
        }
    }
    Ok(())
}

fn table(to: &mut dyn Write, name: &str, facts: &[Fact]) -> io::Result<()> {
    writeln!(to, "\n| {name} | |\n|---|---|")?;
    for (label, value) in facts {
        writeln!(to, "| {label} | {} |", escape(value))?;
    }
    Ok(())
}

/// Escapes what Markdown would format, also within a table cell.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in sanitize(text, &[]).chars() {
        if r"\`*_[]<>|#~".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
