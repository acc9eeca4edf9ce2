//! The summary of a result on a terminal with 80 columns.

use std::fmt::Write;

use crate::benchmark::{BenchResult, LowFps, REFRESH_RATES, RunResult, Summary, SummaryRow};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, percent, rate};

/// Length of the sparkline, in characters.
const SPARKLINE: usize = 48;

/// Returns the summary of a result.
pub(super) fn text(result: &BenchResult) -> String {
    let summary = Summary::of(result);
    [
        heading(result),
        table(&summary),
        rates(&summary),
        sparkline(result),
        warnings(&result.warnings),
    ]
    .concat()
}

/// Returns one line per warning, wrapped.
pub(super) fn warnings(warnings: &[String]) -> String {
    warnings.iter().map(|warning| wrapped(&format!("warning: {warning}"))).collect()
}

/// Wraps a line at 80 columns and indents continuation lines.
pub(super) fn wrapped(line: &str) -> String {
    textwrap::fill(line, textwrap::Options::new(80).subsequent_indent("  ")) + "\n"
}

fn heading(result: &BenchResult) -> String {
    let BenchResult { settings, machine, runs, .. } = result;
    let [width, height] = settings.size;
    let mut lines = vec![
        format!(
            "{}: {} cubes, {}, {width}x{height}, {}",
            result.name,
            count(settings.cubes),
            settings.mode,
            if settings.window { "in a window" } else { "headless" },
        ),
        format!("{}, {} threads, {}", machine.cpu, machine.threads, machine.os),
    ];
    if let Some(run) = runs.first() {
        let present = run.present_mode().map(|mode| format!(", present mode {mode}"));
        let (geometry, streaming) = (run.graphics.geometry.name(), run.streaming.name());
        let present = present.unwrap_or_default();
        lines.push(run.adapter.clone());
        lines.push(format!(
            "{geometry} geometry, {streaming} streaming{present}: {}",
            run.effects()
        ));
    }
    let frames: Vec<_> = runs.iter().map(|run| count(run.valid_samples().count())).collect();
    let warmups: Vec<_> = runs.iter().map(|run| format!("{:.1}", run.warmup.seconds)).collect();
    lines.push(format!(
        "{} of {} runs; frames {}; warm-up {} s",
        runs.len(),
        settings.runs,
        frames.join(" "),
        warmups.join(" "),
    ));
    lines.iter().map(|line| wrapped(line)).collect()
}

/// Times of the frame, the GPU and each phase: medians over the runs.
fn table(summary: &Summary) -> String {
    let mut text = format!(
        "\n{:<10}{:>10}{:>10}{:>10}{:>10}{:>12}\n",
        "ms", "median", "p95", "p99", "max", "run to run"
    );
    for SummaryRow { name, median, p95, p99, max, spread, .. } in &summary.rows {
        let [median, p95, p99, max] =
            [median, p95, p99, max].map(|&time| or_unknown(time, bare_ms));
        let spread = or_unknown(*spread, percent);
        let _ = writeln!(text, "{name:<10}{median:>10}{p95:>10}{p99:>10}{max:>10}{spread:>12}");
    }
    text
}

fn rates(summary: &Summary) -> String {
    let (low, formula) = (LowFps::OnePercent.name(), LowFps::OnePercent.formula());
    let low = match summary.low_fps(LowFps::OnePercent) {
        Some(fps) => format!("{low}: {} fps\n  {formula}\n", rate(fps)),
        None => format!("{low}: unknown, needs 1,000 frames\n"),
    };
    let over = REFRESH_RATES.iter().zip(summary.over_budget);
    let over: Vec<_> =
        over.map(|(hz, share)| format!("{hz} Hz {}", or_unknown(share, percent))).collect();
    let bound_by = summary.bound_by.map_or_else(String::new, |shares| {
        let [cpu, gpu, display] = shares.map(|share| share * 100.0);
        format!("time: CPU work {cpu:.0} %, GPU wait {gpu:.0} %, display wait {display:.0} %\n")
    });
    [
        format!("\naverage {} fps (frames / total time)\n", or_unknown(summary.average_fps, rate)),
        low,
        wrapped(&format!("time in frames over the refresh interval: {}", over.join(", "))),
        bound_by,
        wrapped(&format!(
            "hitches {} (over 2.5 x the rolling median and 4 ms above it); jitter {}",
            or_unknown(summary.hitches, |hitches| hitches.to_string()),
            or_unknown(summary.jitter, ms),
        )),
        wrapped(&format!(
            "{} ns per cube; upload {}/s; memory {}; effective sample size {} frames per run",
            or_unknown(summary.ns_per_cube, rate),
            or_unknown(summary.upload_bytes_per_s, bytes),
            or_unknown(summary.memory_bytes, bytes),
            or_unknown(summary.effective_frames, |frames| count(frames.round())),
        )),
    ]
    .concat()
}

/// Frame times of the last run; each character is the slowest of its frames.
fn sparkline(result: &BenchResult) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let frames = result.runs.last().map(RunResult::frame_times).unwrap_or_default();
    let Some(&max) = frames.iter().max().filter(|max| **max > 0) else { return String::new() };
    let level = |chunk: &[u64]| {
        let slowest = chunk.iter().copied().max().unwrap_or(0);
        LEVELS[((u128::from(slowest) * 14 + u128::from(max)) / (2 * u128::from(max))) as usize]
    };
    let line: String = frames.chunks(frames.len().div_ceil(SPARKLINE)).map(level).collect();
    format!("{line} last run, max {}\n", ms(max as f64))
}
