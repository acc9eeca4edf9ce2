//! Runs: the median of each run, which shows the noise that a difference has to exceed.

use maud::{Markup, html};

use super::chart::{Axis, Chart, PLOT_WIDTH, px};
use super::elements::{row, table};
use crate::benchmark::{Hitches, LowFps, Percentile, RunResult, SortedTimes, drift};
use crate::units::{MILLISECOND, bare_ms, bytes, count, ms, or_unknown, rate};

const HEIGHT: f64 = 190.0;

const COLUMNS: [&str; 11] = [
    "run",
    "frames",
    "median, ms",
    "p99, ms",
    "slowest, ms",
    "1 % low, fps",
    "hitches",
    "drift",
    "warm-up, s",
    "memory",
    "final state",
];

/// Shows a mark and a table row for each run; `median` is the median over the runs, in ns.
pub(super) fn section(runs: &[RunResult], median: Option<f64>) -> Markup {
    let sorted: Vec<_> = runs.iter().map(|run| SortedTimes::of(&run.frame_times())).collect();
    let rows = html! {
        @for (i, run) in runs.iter().enumerate() { (row(i + 1, &cells(run, &sorted[i]))) }
    };
    html! {
        section {
            h2 { "Runs" }
            p {
                "Each run is a separate process and counts as one measurement: its median. The bar spans the
                middle half of its frames, the dashed line is the median over the runs. The time axis does not
                start at 0."
            }
            @if let Some(median) = median { (chart(&sorted, median)) }
            (table(&COLUMNS, &rows))
        }
    }
}

fn cells(run: &RunResult, sorted: &SortedTimes) -> [String; COLUMNS.len() - 1] {
    let frames = run.frame_times();
    let unsteady = if run.warmup.steady == Some(false) { ", not steady" } else { "" };
    [
        count(frames.len()),
        or_unknown(sorted.median(), bare_ms),
        or_unknown(sorted.percentile(Percentile::P99), bare_ms),
        or_unknown(sorted.times().last(), |&time| bare_ms(time as f64)),
        or_unknown(LowFps::OnePercent.fps(sorted), rate),
        or_unknown(Hitches::among(&frames), |hitches| count(hitches.count())),
        or_unknown(drift(&frames), |drift| format!("{drift:+.1} %")),
        format!("{:.1}{unsteady}", run.warmup.seconds),
        or_unknown(run.memory_bytes, |used| bytes(used as f64)),
        run.state_hash.clone(),
    ]
}

/// Charts the quartiles of each run, in the order of the runs.
fn chart(runs: &[SortedTimes], overall: f64) -> Markup {
    let quartiles = |run: &SortedTimes| {
        let quantile = |per_mille| run.quantile(per_mille);
        Some([quantile(250)?, quantile(500)?, quantile(750)?])
    };
    let known: Vec<_> =
        (1..).zip(runs).filter_map(|(number, run)| Some((number, quartiles(run)?))).collect();
    let min = known.iter().map(|(_, [low, ..])| *low).fold(f64::INFINITY, f64::min);
    let max = known.iter().map(|(_, [.., high])| *high).fold(0.0, f64::max);
    let margin = (max - min).max(overall * 0.002) * 0.08;
    let y = Axis::vertical([min - margin, max + margin], HEIGHT, "frame time, ms")
        .in_units_of(MILLISECOND);
    // Ticks at whole numbers only.
    let x = Axis::horizontal([0.4, runs.len() as f64 + 0.6], PLOT_WIDTH, "run")
        .with_max_ticks(runs.len().min(12) as u32 + 1);
    let medians: Vec<_> = known.iter().take(20).map(|(_, [_, median, _])| ms(*median)).collect();
    let description = format!(
        "Median frame time of each run: {}. Median over the runs: {}.",
        medians.join(", "),
        ms(overall)
    );
    let radius = if known.len() > 60 { 3 } else { 6 };
    Chart { x: &x, y: &y, description: &description }.draw(&html! {
        @let at = px(y.position(overall));
        line.overall x2=(px(PLOT_WIDTH)) y1=(at) y2=(at) {}
        @for (number, quartiles) in &known {
            @let at = px(x.position(f64::from(*number)));
            @let [low, median, high] = quartiles.map(|time| px(y.position(time)));
            g {
                title { "run " (number) ": median " (ms(quartiles[1])) }
                line.range x1=(at) x2=(at) y1=(low) y2=(high) {}
                circle.dot cx=(at) cy=(median) r=(radius) {}
            }
        }
    })
}
