//! Runs: the median of each run, which shows the noise that a difference has to exceed.

use maud::{Markup, html};

use super::chart::{Dot, evenly_spaced, medians_chart};
use super::elements::table;
use crate::benchmark::facts::Fact;
use crate::benchmark::{LowFps, Percentile, RunResult, SortedTimes, drift, hitches};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, percent, rate, signed_percent};

/// Numbers that have space below the chart.
const MAX_NUMBERS: usize = 20;

/// Shows a mark and a table row for each run; `median` is the median over the runs, in ns.
pub(super) fn section(runs: &[RunResult], median: Option<f64>) -> Markup {
    let sorted: Vec<_> = runs.iter().map(|run| SortedTimes::of(&run.frame_times())).collect();
    let readings = runs.iter().map(|run| {
        let cpu_wait = ("waited for a CPU", run.cpu_wait().map(percent));
        [run.sensors.texts(), vec![cpu_wait]].concat()
    });
    let readings: Vec<_> = readings.collect();
    let is_known = |at: usize| readings.iter().any(|texts| texts[at].1.is_some());
    let rows = runs.iter().enumerate().map(|(i, run)| {
        let known = readings[i].iter().enumerate().filter(|(at, _)| is_known(*at));
        let known = known.map(|(_, (name, text))| (*name, or_unknown(text.clone(), |text| text)));
        ((i + 1).to_string(), cells(run, &sorted[i]).into_iter().chain(known).collect())
    });
    html! {
        section {
            h2 { "Runs" }
            p {
                "Each run is a separate process and counts as one measurement: its median. The bar spans the
                middle half of its frames, the dashed line is the median over the runs. The time axis does not
                start at 0."
            }
            @if let Some(median) = median { (chart(&sorted, median)) }
            (table("run", &rows.collect::<Vec<_>>()))
        }
    }
}

fn cells(run: &RunResult, sorted: &SortedTimes) -> [Fact; 10] {
    let frames = run.frame_times();
    let unsteady = if run.warmup.steady == Some(false) { ", not steady" } else { "" };
    [
        ("frames", count(frames.len())),
        ("median, ms", or_unknown(sorted.median(), bare_ms)),
        ("p99, ms", or_unknown(sorted.percentile(Percentile::P99), bare_ms)),
        ("slowest, ms", or_unknown(sorted.times().last(), |&time| bare_ms(time as f64))),
        ("1 % low, fps", or_unknown(LowFps::OnePercent.fps(sorted), rate)),
        ("hitches", or_unknown(hitches(&frames), |hitches| count(hitches.len()))),
        ("drift", or_unknown(drift(&frames), |drift| signed_percent(drift, 1))),
        ("warm-up, s", format!("{:.1}{unsteady}", run.warmup.seconds)),
        ("memory", or_unknown(run.memory_bytes, |used| bytes(used as f64))),
        ("state hash", run.state_hash.clone()),
    ]
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
