//! Summary: a result on a terminal of 80 columns.

use std::fmt::Write;

use crate::benchmark::{BenchResult, LowFps, REFRESH_RATES, Summary, SummaryRow};
use crate::units::{self, or_unknown};

/// Columns of the spark line.
const SPARKS: usize = 48;

pub(super) fn of(result: &BenchResult) -> String {
    let mut text = String::new();
    let out = &mut text;
    heading(out, result);
    let summary = Summary::of(result);
    table(out, &summary);
    rates(out, &summary);
    sparks(out, result);
    text + &warnings(&result.warnings)
}

/// What makes figures less worth.
pub(super) fn warnings(warnings: &[String]) -> String {
    let lines = warnings.iter().map(|warning| format!("warning: {warning}"));
    lines.map(|line| textwrap::fill(&line, folded("  ")) + "\n").collect()
}

fn heading(out: &mut String, result: &BenchResult) {
    let settings = &result.settings;
    let [width, height] = settings.size;
    let mut line = |text: String| {
        let _ = writeln!(out, "{}", textwrap::fill(&text, folded("  ")));
    };
    line(format!(
        "{}: {} cubes, {}, {width}x{height}, {}",
        result.name,
        units::count(settings.cubes),
        settings.mode,
        if settings.window { "window" } else { "off screen" },
    ));
    let machine = &result.machine;
    line(format!("{}, {} threads, {}", machine.cpu, machine.threads, machine.os));
    if let Some(run) = result.runs.first() {
        line(run.adapter.clone());
        let present = run.present_mode().map(|mode| format!(", present mode {mode}"));
        let present = present.unwrap_or_default();
        line(format!(
            "{}, {}{present}: {}",
            run.graphics.geometry.name(),
            run.streaming.name(),
            run.effects()
        ));
    }
    let frames: Vec<_> =
        result.runs.iter().map(|run| units::count(run.valid_samples().count())).collect();
    let warmups: Vec<_> =
        result.runs.iter().map(|run| format!("{:.1}", run.warmup.seconds)).collect();
    line(format!(
        "{} of {} runs; frames {}; warm-up {} s",
        result.runs.len(),
        settings.runs,
        frames.join(" "),
        warmups.join(" "),
    ));
}

/// Lines of a terminal, with what begins all but the first.
fn folded(indent: &str) -> textwrap::Options<'_> {
    textwrap::Options::new(80).subsequent_indent(indent)
}

/// The frame, the GPU and each part: the middle one of the runs, and how far their medians are apart.
fn table(out: &mut String, summary: &Summary) {
    let _ = writeln!(
        out,
        "\n{:<10}{:>10}{:>10}{:>10}{:>10}{:>12}",
        "ms", "median", "p95", "p99", "max", "run to run"
    );
    for SummaryRow { name, median, p95, p99, max, spread, .. } in &summary.rows {
        let [median, p95, p99, max] =
            [median, p95, p99, max].map(|&time| or_unknown(time, units::bare_ms));
        let spread = or_unknown(*spread, units::percent);
        let _ = writeln!(out, "{name:<10}{median:>10}{p95:>10}{p99:>10}{max:>10}{spread:>12}");
    }
}

/// What is said of the order and the rate of frames.
fn rates(out: &mut String, summary: &Summary) {
    let fps = or_unknown(summary.average_fps, units::rate);
    let _ = writeln!(out, "\naverage {fps} fps (frames / sum of their times)");
    let (name, formula) = (LowFps::OnePercent.name(), LowFps::OnePercent.formula());
    let _ = match summary.low_fps(LowFps::OnePercent) {
        Some(low) => writeln!(out, "{name}: {} fps\n  {formula}", units::rate(low)),
        None => writeln!(out, "{name}: too few frames, it takes 1,000"),
    };
    let over: Vec<_> = REFRESH_RATES
        .iter()
        .zip(summary.over_budget)
        .map(|(rate, share)| format!("{rate} Hz {}", or_unknown(share, units::percent)))
        .collect();
    let over = format!("time in frames too long for {}", over.join(", "));
    let _ = writeln!(out, "{}", textwrap::fill(&over, folded("  ")));
    if let Some([work, gpu, display]) = summary.bound_by.map(|shares| shares.map(|of| of * 100.0)) {
        let _ = writeln!(
            out,
            "time goes to work {work:.0} %, waiting for the GPU {gpu:.0} %, for the display {display:.0} %"
        );
    }
    let _ = writeln!(
        out,
        "hitches {} (2.5 x the median around, and 4 ms more); jitter {}",
        or_unknown(summary.hitches, units::count),
        or_unknown(summary.jitter, units::ms),
    );
    let rest = format!(
        "{} ns per cube; {}/s to the GPU; {} in use; a run is worth {} independent frames",
        or_unknown(summary.ns_per_cube, units::rate),
        or_unknown(summary.upload_bytes_per_s, units::bytes),
        or_unknown(summary.memory_bytes, units::bytes),
        or_unknown(summary.effective_frames, |frames| units::count(frames.round())),
    );
    let _ = writeln!(out, "{}", textwrap::fill(&rest, folded("  ")));
}

/// The frame times of the last run, each column the slowest of its frames.
fn sparks(out: &mut String, result: &BenchResult) {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some(run) = result.runs.last() else { return };
    let frames = run.frame_times();
    let Some(&highest) = frames.iter().max().filter(|highest| **highest > 0) else { return };
    let line: String = frames
        .chunks(frames.len().div_ceil(SPARKS))
        .map(|chunk| {
            let slowest = chunk.iter().copied().max().unwrap_or(0);
            let level =
                (u128::from(slowest) * 14 + u128::from(highest)) / (2 * u128::from(highest));
            LEVELS[level as usize]
        })
        .collect();
    let _ = writeln!(out, "{line} last run, to {}", units::ms(highest as f64));
}
