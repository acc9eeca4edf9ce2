//! Markdown: a summary to be pasted into an issue or a pull request.

use std::io::{self, Write};

use super::date;
use super::plain::plain;
use crate::benchmark::{BenchResult, LowFps, REFRESH_RATES, Summary, SummaryRow};
use crate::units::{bare_ms, count, main_memory, ms, or_unknown, percent, rate};

/// Writes a result: the table of times, figures about the frames' order, where it was measured, and
/// what makes it less worth.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let summary = Summary::of(result);
    heading(to, result)?;
    writeln!(to, "\n| ms | median | p95 | p99 | max | run to run |")?;
    writeln!(to, "|---|--:|--:|--:|--:|--:|")?;
    for SummaryRow { name, median, p95, p99, max, spread, .. } in &summary.rows {
        let [median, p95, p99, max] =
            [median, p95, p99, max].map(|&time| or_unknown(time, bare_ms));
        let spread = or_unknown(*spread, percent);
        writeln!(to, "| {} | {median} | {p95} | {p99} | {max} | {spread} |", escaped(name))?;
    }
    figures(to, &summary)?;
    about(to, result)?;
    if !result.warnings.is_empty() {
        writeln!(to, "\nWhat makes these figures less worth:\n")?;
        for warning in &result.warnings {
            writeln!(to, "- {}", escaped(warning))?;
        }
    }
    Ok(())
}

fn heading(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let BenchResult { name, settings, runs, .. } = result;
    let [width, height] = settings.size;
    let place = if settings.window { "in a window" } else { "off screen" };
    let frames: Vec<_> = runs.iter().map(|run| run.valid_samples().count().to_string()).collect();
    writeln!(to, "### {}\n", escaped(name))?;
    writeln!(
        to,
        "{} cubes, {}, {width}x{height}, {place}; {} of {} runs, frames: {}. Times are the middle one \
         of the runs.",
        settings.cubes,
        escaped(settings.mode.name()),
        runs.len(),
        settings.runs,
        if frames.is_empty() { "none".to_owned() } else { frames.join(", ") },
    )
}

fn figures(to: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    writeln!(to, "\n| frames | |\n|---|--:|")?;
    let fps = |value: Option<f64>| or_unknown(value, |fps| rate(fps) + " fps");
    writeln!(to, "| average, frames / sum of their times | {} |", fps(summary.average_fps))?;
    for (low, value) in LowFps::ALL.into_iter().zip(summary.low_fps) {
        writeln!(to, "| {}, {} | {} |", low.name(), low.formula(), fps(value))?;
    }
    for (display, share) in REFRESH_RATES.into_iter().zip(summary.over_budget) {
        let share = or_unknown(share, percent);
        writeln!(to, "| time in frames too long for {display} Hz | {share} |")?;
    }
    let hitches = or_unknown(summary.hitches, count);
    writeln!(to, "| hitches | {hitches} |")?;
    writeln!(
        to,
        "| jitter, mean difference from the frame before | {} |",
        or_unknown(summary.jitter, ms)
    )
}

fn about(to: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let machine = &result.machine;
    let memory = (machine.memory_bytes > 0).then_some(machine.memory_bytes);
    let memory = or_unknown(memory, main_memory);
    let profile = if result.debug_build { ", debug build" } else { "" };
    let mut lines = vec![
        ("processor", format!("{}, {} threads", machine.cpu, machine.threads)),
        ("memory", memory),
        ("system", format!("{}, kernel {}", machine.os, machine.kernel)),
    ];
    if let Some(run) = result.runs.first() {
        let present = run.present_mode().map(|mode| format!(", present mode {mode}"));
        let present = present.unwrap_or_default();
        lines.push(("adapter", run.adapter.clone()));
        let drawn = format!(
            "{}, {}{present}; {}",
            run.graphics.geometry.name(),
            run.streaming.name(),
            run.effects()
        );
        lines.push(("drawn", drawn));
    }
    lines.push((
        "measured",
        format!("{} by cubefall {}{profile}", date::utc(result.started_unix_s), result.version),
    ));
    writeln!(to, "\n| machine | |\n|---|---|")?;
    for (what, text) in lines {
        writeln!(to, "| {what} | {} |", escaped(&text))?;
    }
    Ok(())
}

/// Text that stays text, in a cell of a table, too.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in plain(text, &[]).chars() {
        if r"\`*_[]<>|#~".contains(c) {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
