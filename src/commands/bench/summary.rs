//! The summary of a result on a terminal with 80 columns.

use std::fmt::Write;

use crate::benchmark::{
    BenchResult, BoundBy, Difference, LowFps, Percentile, REFRESH_RATES, RunResult, Sensors,
    Summary, SummaryRow, in_words,
};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, percent, rate};

/// Length of the sparkline, in characters.
const SPARKLINE: usize = 48;

/// Returns the summary of a result: one sentence, the table of times and the warnings. With `verbose` also
/// the machine, the other statistics and their definitions.
pub(super) fn text(result: &BenchResult, verbose: bool) -> String {
    let summary = Summary::of(&result.runs);
    let details = |text: &dyn Fn() -> String| if verbose { text() } else { String::new() };
    [
        wrapped(&in_words(result, &summary)),
        subject(result),
        details(&|| setup(result)),
        table(&summary),
        missing_frames(result),
        details(&|| statistics(&summary)),
        details(&|| sensors(&result.runs)),
        details(&|| sparkline(result)),
        warnings(&result.warnings),
    ]
    .concat()
}

/// Returns one line per warning, wrapped.
pub(super) fn warnings(warnings: &[String]) -> String {
    warnings.iter().map(|warning| wrapped(&format!("warning: {warning}"))).collect()
}

/// Lists what differs between A and B, one line each.
pub(super) fn differences(differences: &[Difference]) -> String {
    let line = |Difference { condition, a, b }: &Difference| {
        wrapped(&format!("{condition}: A {a}, B {b}"))
    };
    differences.iter().map(line).collect()
}

/// Wraps a line at 80 columns and indents continuation lines.
pub(super) fn wrapped(line: &str) -> String {
    textwrap::fill(line, textwrap::Options::new(80).subsequent_indent("  ")) + "\n"
}

/// What was measured: `sample: 10,000 cubes, cubes, 1280x720, headless`.
fn subject(result: &BenchResult) -> String {
    let settings = &result.settings;
    let [width, height] = settings.size;
    wrapped(&format!(
        "{}: {} cubes, {}, {width}x{height}, {}",
        result.name,
        count(settings.cubes),
        settings.mode_and_motion(),
        if settings.window { "in a window" } else { "headless" },
    ))
}

fn setup(result: &BenchResult) -> String {
    let BenchResult { settings, machine, runs, .. } = result;
    let mut lines = vec![format!("{}, {} threads, {}", machine.cpu, machine.threads, machine.os)];
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

/// Names what the unknown values of the table need. Empty if all runs are long enough.
fn missing_frames(result: &BenchResult) -> String {
    let needed = Percentile::P99.frames_needed();
    let frames = result.runs.iter().map(|run| run.valid_samples().count());
    let Some(shortest) = frames.min().filter(|frames| *frames < needed) else {
        return String::new();
    };
    wrapped(&format!(
        "1 % low and p99 need {} frames per run: the slowest run had {}; use --frames {needed}",
        count(needed),
        count(shortest),
    ))
}

/// The statistics that are not in the table, with definitions.
fn statistics(summary: &Summary) -> String {
    let time = |value: fn(&SummaryRow) -> Option<f64>| {
        or_unknown(summary.row("frame").and_then(value), ms)
    };
    let percentiles = summary.row("frame").map(SummaryRow::percentiles).unwrap_or_default();
    let percentiles = Percentile::ALL.iter().zip(percentiles);
    let percentiles: Vec<_> =
        percentiles.map(|(name, time)| format!("{name} {}", or_unknown(time, bare_ms))).collect();
    let (low, formula) = (LowFps::OnePercent.name(), LowFps::OnePercent.formula());
    let over = REFRESH_RATES.iter().zip(summary.over_budget);
    let over: Vec<_> =
        over.map(|(hz, share)| format!("{hz} Hz {}", or_unknown(share, percent))).collect();
    let bound_by = summary.bound_by.map(|BoundBy { cpu, gpu, display }| {
        let [cpu, gpu, display] = [cpu, gpu, display].map(|share| share * 100.0);
        format!("CPU work {cpu:.0} %, GPU wait {gpu:.0} %, display wait {display:.0} %")
    });
    let lines = [
        format!("\naverage {} fps (frames / total time)", or_unknown(summary.average_fps, rate)),
        format!("{low}: {} fps ({formula})", or_unknown(summary.low_fps(LowFps::OnePercent), rate)),
        format!("frame times in ms: {}", percentiles.join(", ")),
        format!(
            "min {}, mean {}, standard deviation {}, median absolute deviation {}",
            time(|frame| frame.min),
            time(|frame| frame.mean),
            time(|frame| frame.standard_deviation),
            time(|frame| frame.mad),
        ),
        format!("time in frames over the refresh interval: {}", over.join(", ")),
        format!("time: {}", or_unknown(bound_by, |shares| shares)),
        format!(
            "hitches {} (over 2.5 x the rolling median and 4 ms above it); jitter {}, p99 {}",
            or_unknown(summary.hitches, |hitches| hitches.to_string()),
            or_unknown(summary.jitter_mean_ns, ms),
            or_unknown(summary.jitter_p99_ns, ms),
        ),
        format!(
            "drift over a run {}; bimodal: {}; effective sample size {} frames per run",
            or_unknown(summary.drift_percent, |drift| format!("{drift:+.1} %")),
            or_unknown(summary.bimodal, |is| if is { "yes" } else { "no" }.to_owned()),
            or_unknown(summary.effective_sample_size, |frames| count(frames.round())),
        ),
        format!(
            "{} ns per cube; upload {}/s; memory {}; final state {}",
            or_unknown(summary.ns_per_cube, rate),
            or_unknown(summary.upload_bytes_per_s, bytes),
            or_unknown(summary.peak_memory_bytes, |peak| bytes(peak as f64)),
            or_unknown(summary.state_hash.as_deref(), str::to_owned),
        ),
    ];
    lines.iter().map(|line| wrapped(line)).collect()
}

/// The sensors over all runs: `CPU: clock 3.40 GHz, power 35.0 W; GPU: clock 1.80 GHz`.
fn sensors(runs: &[RunResult]) -> String {
    let sensors: Vec<_> = runs.iter().map(|run| run.sensors).collect();
    let facts = Sensors::over(&sensors).facts().into_iter();
    let texts: Vec<_> = facts.map(|(name, text)| format!("{name}: {text}")).collect();
    if texts.is_empty() { String::new() } else { wrapped(&texts.join("; ")) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};

    /// Three runs of `frames` frames with long names and a long warning.
    fn of(frames: usize) -> BenchResult {
        let mut result = result(vec![run(vec![sim_frame(5_000_000_000); frames]); 3]);
        result.name = "a name of many words ".repeat(6);
        result.runs[0].adapter = "an adapter of many words ".repeat(6);
        result.warnings = vec!["a long warning ".repeat(9)];
        result
    }

    #[test]
    fn the_sentence_is_first_and_no_line_exceeds_80_columns() {
        for (frames, verbose) in [(412, false), (412, true), (1000, false), (1000, true)] {
            let result = of(frames);
            let text = text(&result, verbose);
            assert!(
                text.starts_with(&wrapped(&in_words(&result, &Summary::of(&result.runs)))),
                "{text}"
            );
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            for part in ["a name", "run to run", "frame       5000.000", "warning: a long"] {
                assert!(text.contains(part), "{part} is missing in {text}");
            }
        }
    }

    #[test]
    fn details_are_verbose_only() {
        let (short, verbose) = (text(&of(1000), false), text(&of(1000), true));
        for part in ["an adapter", "frames / total time", "jitter", "drift", "bimodal", "last run"]
        {
            assert!(!short.contains(part) && verbose.contains(part), "{part}: {short}{verbose}");
        }
        assert_eq!(short.lines().count(), 10, "{short}");
    }

    #[test]
    fn unknown_values_name_the_number_of_frames_they_need() {
        let expected = "1 % low and p99 need 1,000 frames per run: the slowest run had 412; use \
                        --frames\n  1000\n";
        assert!(text(&of(412), false).contains(expected), "{}", text(&of(412), false));
        assert!(!text(&of(1000), false).contains("need"));
    }
}
