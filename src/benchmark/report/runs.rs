//! Runs: the median of each run, which shows the noise that a difference has to exceed.

use maud::{Markup, html};

use super::chart::{Dot, evenly_spaced, medians_chart};
use super::elements::{row, table};
use crate::benchmark::{LowFps, Percentile, RunResult, SortedTimes, drift, hitches};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, rate};

/// Numbers that have space below the chart.
const MAX_NUMBERS: usize = 20;

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
    let sensors = sensors(runs);
    let names = sensors.iter().map(|(name, _)| name.as_str());
    let columns: Vec<_> = COLUMNS.into_iter().chain(names).collect();
    let cells = |i: usize| {
        let readings = sensors.iter().map(|(_, cells)| cells[i].clone());
        cells(&runs[i], &sorted[i]).into_iter().chain(readings).collect::<Vec<_>>()
    };
    let rows = html! {
        @for i in 0..runs.len() { (row(i + 1, &cells(i))) }
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
            (table(&columns, &rows))
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
        or_unknown(hitches(&frames), |hitches| count(hitches.len())),
        or_unknown(drift(&frames), |drift| format!("{drift:+.1} %")),
        format!("{:.1}{unsteady}", run.warmup.seconds),
        or_unknown(run.memory_bytes, |used| bytes(used as f64)),
        run.state_hash.clone(),
    ]
}

/// Returns the name and the cells of each sensor that any run knows.
fn sensors(runs: &[RunResult]) -> Vec<(String, Vec<String>)> {
    let texts: Vec<_> = runs.iter().map(|run| run.sensors.texts()).collect();
    let column = |(at, (name, _)): (usize, &(String, _))| {
        let column = || texts.iter().map(|run| run[at].1.clone());
        let cells = column().map(|text| or_unknown(text, |text| text)).collect();
        column().any(|text| text.is_some()).then(|| (name.clone(), cells))
    };
    texts.first().into_iter().flatten().enumerate().filter_map(column).collect()
}

/// Charts the quartiles of each run, in the order of the runs.
fn chart(runs: &[SortedTimes], overall: f64) -> Markup {
    let dot = |(number, run): (u32, &SortedTimes)| {
        let range = [run.quantile(250)?, run.quantile(750)?];
        let (time, at) = (run.median()?, f64::from(number));
        Some(Dot { at, time, range, title: format!("run {number}: median {}", ms(time)) })
    };
    let dots: Vec<_> = (1..).zip(runs).filter_map(dot).collect();
    let medians: Vec<_> = dots.iter().take(20).map(|dot| ms(dot.time)).collect();
    let description = format!(
        "Median frame time of each run: {}. Median over the runs: {}.",
        medians.join(", "),
        ms(overall)
    );
    let numbers = evenly_spaced(runs.len(), MAX_NUMBERS).into_iter();
    let labels = numbers.map(|number| (number as f64, number.to_string())).collect();
    let line = [(0.0, overall), (runs.len() as f64 + 1.0, overall)];
    medians_chart("run", labels, &dots, &line, &description)
}
