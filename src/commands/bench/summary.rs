//! Summary: a result on a terminal of 80 columns.

use std::fmt::Write;

use crate::benchmark::{
    BenchResult, Distribution, Hitches, Jitter, Low, Part, Percentile, REFRESH_RATES, RunResult,
    Sorted, effective_sample_size, share_over_budget,
};
use crate::commands::text::grouped;

/// Columns of the spark line.
const SPARKS: usize = 48;

pub(super) fn of(result: &BenchResult) -> String {
    let mut text = String::new();
    let out = &mut text;
    heading(out, result);
    table(out, result);
    rates(out, result);
    sparks(out, result);
    for warning in &result.warnings {
        let _ = writeln!(out, "{}", textwrap::fill(&format!("warning: {warning}"), folded("  ")));
    }
    text
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
        grouped(settings.cubes as usize),
        settings.mode,
        if settings.window { "window" } else { "off screen" },
    ));
    let machine = &result.machine;
    line(format!("{}, {} threads, {}", machine.cpu, machine.threads, machine.os));
    if let Some(run) = result.runs.first() {
        line(run.adapter.clone());
        let present = run.present_mode.as_ref().map(|mode| format!(", present mode {mode}"));
        let present = present.unwrap_or_default();
        line(format!("{}, {}{present}: {}", run.geometry, run.streaming, run.picture));
    }
    let frames: Vec<_> = result.runs.iter().map(|run| grouped(run.good().count())).collect();
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

/// Median, p95, p99 and maximum of each part: the median over the runs; and how far the medians of
/// the runs are apart.
fn table(out: &mut String, result: &BenchResult) {
    let _ = writeln!(
        out,
        "\n{:<10}{:>10}{:>10}{:>10}{:>10}{:>12}",
        "ms", "median", "p95", "p99", "max", "run to run"
    );
    row(out, "frame", result, RunResult::frames);
    row(out, "gpu", result, |run| run.good().filter_map(|sample| sample.gpu).collect());
    for part in Part::ALL {
        row(out, part.name(), result, |run| run.good().map(|sample| sample.part(part)).collect());
    }
}

fn row(out: &mut String, name: &str, result: &BenchResult, times: impl Fn(&RunResult) -> Vec<u64>) {
    let runs: Vec<_> = result.runs.iter().map(|run| Sorted::of(&times(run))).collect();
    let over_runs =
        |figure: &dyn Fn(&Sorted) -> Option<f64>| middle(runs.iter().filter_map(figure));
    let median = over_runs(&|run| run.median());
    if median.is_none_or(|median| median == 0.0) && over_runs(&max).is_none_or(|max| max == 0.0) {
        return;
    }
    let medians: Vec<_> = runs.iter().filter_map(Sorted::median).collect();
    let lowest = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = medians.iter().copied().fold(0.0, f64::max);
    let spread = median.filter(|median| *median > 0.0 && medians.len() > 1);
    let spread = spread.map(|median| format!("{:.1} %", (highest - lowest) / median * 100.0));
    let p95 = Percentile::ALL.into_iter().find(|percentile| percentile.per_mille() == 950);
    let _ = writeln!(
        out,
        "{name:<10}{:>10}{:>10}{:>10}{:>10}{:>12}",
        ms(median),
        ms(over_runs(&|run| run.percentile(p95?))),
        ms(over_runs(&|run| run.percentile(Percentile::P99))),
        ms(over_runs(&max)),
        spread.unwrap_or_else(|| "-".to_owned()),
    );
}

fn max(times: &Sorted) -> Option<f64> {
    times.times().last().map(|&time| time as f64)
}

fn ms(nanoseconds: Option<f64>) -> String {
    nanoseconds.map_or_else(|| "-".to_owned(), |time| format!("{:.3}", time / 1e6))
}

/// The middle one of a figure over the runs.
fn over_runs(result: &BenchResult, figure: impl Fn(&[u64]) -> Option<f64>) -> Option<f64> {
    middle(result.runs.iter().filter_map(|run| figure(&run.frames())))
}

/// The middle one; the upper of two.
fn middle(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

/// What is said of the order and the rate of frames: the median over the runs.
fn rates(out: &mut String, result: &BenchResult) {
    let unknown = || "-".to_owned();
    let fps = over_runs(result, |frames| Distribution::of(&Sorted::of(frames))?.average_fps);
    let fps = fps.map_or_else(unknown, |fps| format!("{fps:.1}"));
    let _ = writeln!(out, "\naverage {fps} fps (frames / sum of their times)");
    let low = over_runs(result, |frames| Low::OnePercent.fps(&Sorted::of(frames)));
    let _ = match low {
        Some(low) => {
            let (name, formula) = (Low::OnePercent.name(), Low::OnePercent.formula());
            writeln!(out, "{name}: {low:.1} fps\n  {formula}")
        }
        None => writeln!(out, "{}: too few frames, it takes 1,000", Low::OnePercent.name()),
    };
    let over: Vec<_> = REFRESH_RATES
        .iter()
        .map(|&rate| {
            let share = over_runs(result, |frames| share_over_budget(frames, rate));
            let share = share.map_or_else(unknown, |share| format!("{:.1} %", share * 100.0));
            format!("{rate} Hz {share}")
        })
        .collect();
    let over = format!("time in frames too long for {}", over.join(", "));
    let _ = writeln!(out, "{}", textwrap::fill(&over, folded("  ")));
    let hitches = over_runs(result, |frames| Some(Hitches::among(frames)?.count() as f64));
    let jitter = over_runs(result, |frames| Some(Jitter::of(frames)?.mean));
    let worth = over_runs(result, effective_sample_size);
    let _ = writeln!(
        out,
        "hitches {} (2.5 x the median around, and 4 ms more); jitter {} ms",
        hitches.map_or_else(unknown, |hitches| hitches.to_string()),
        ms(jitter),
    );
    let _ = writeln!(
        out,
        "a run is worth {} independent frames",
        worth.map_or_else(unknown, |worth| format!("{worth:.0}"))
    );
}

/// The frame times of the last run, each column the slowest of its frames.
fn sparks(out: &mut String, result: &BenchResult) {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some(run) = result.runs.last() else { return };
    let frames = run.frames();
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
    let _ = writeln!(out, "{line} last run, to {} ms", ms(Some(highest as f64)));
}
