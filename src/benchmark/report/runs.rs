//! Runs: how far apart the runs are, which is what a difference has to be larger than.

use maud::{Markup, html};

use super::axis::Axis;
use super::plot::{INNER, Plot};
use super::svg::px;
use crate::benchmark::{Hitches, LowFps, Percentile, RunResult, SortedTimes, drift};
use crate::units::{MILLISECOND, bare_ms, bytes, count, ms, or_unknown};

const HEIGHT: f64 = 190.0;

/// A dot and a line of the table for each run; `middle` is the middle one of their medians, in ns.
pub(super) fn section(runs: &[RunResult], middle: Option<f64>) -> Markup {
    let figures: Vec<_> = (1..).zip(runs).map(|(number, run)| Figures::of(number, run)).collect();
    html! {
        section {
            h2 { "The runs beside each other" }
            p {
                "Each run is a process of its own and gives one number, its median. The bar holds the
                middle half of its frames, the dashed line is the middle one of the medians. The axis of times
                does not begin at 0."
            }
            @if let Some(middle) = middle { (dots(&figures, middle)) }
            div.table { table {
                thead { tr {
                    th scope="col" { "run" }
                    @for name in ["frames", "median, ms", "p99, ms", "slowest, ms", "1 % low, fps", "hitches",
                        "drift", "warm-up, s", "memory", "state at the end"] {
                        th scope="col" { (name) }
                    }
                } }
                tbody { @for run in &figures { (run.row()) } }
            } }
        }
    }
}

struct Figures<'a> {
    number: usize,
    run: &'a RunResult,
    frames: Vec<u64>,
    sorted: SortedTimes,
}

impl<'a> Figures<'a> {
    fn of(number: usize, run: &'a RunResult) -> Self {
        let frames = run.frame_times();
        Self { number, run, sorted: SortedTimes::of(&frames), frames }
    }

    fn row(&self) -> Markup {
        let Self { number, run, frames, sorted } = self;
        let steady = run.warmup.steady == Some(false);
        html! {
            tr {
                th scope="row" { (number) }
                td { (count(frames.len())) }
                td { (or_unknown(sorted.median(), bare_ms)) }
                td { (or_unknown(sorted.percentile(Percentile::P99), bare_ms)) }
                td { (or_unknown(sorted.times().last(), |&time| bare_ms(time as f64))) }
                td { (or_unknown(LowFps::OnePercent.fps(sorted), |fps| format!("{fps:.1}"))) }
                td { (or_unknown(Hitches::among(frames), |hitches| hitches.count().to_string())) }
                td { (or_unknown(drift(frames), |drift| format!("{drift:+.1} %"))) }
                td {
                    (format!("{:.1}", run.warmup.seconds))
                    @if steady { ", not steady" }
                }
                td { (or_unknown(run.memory_bytes, |used| bytes(used as f64))) }
                td { code { (run.state_hash) } }
            }
        }
    }
}

/// The medians in the order of the runs.
fn dots(figures: &[Figures], middle: f64) -> Markup {
    let known: Vec<_> = figures
        .iter()
        .filter_map(|run| {
            let quantile = |per_mille| run.sorted.quantile(per_mille);
            Some((run.number, [quantile(250)?, quantile(500)?, quantile(750)?]))
        })
        .collect();
    let lowest = known.iter().map(|(_, [low, ..])| *low).fold(f64::INFINITY, f64::min);
    let highest = known.iter().map(|(_, [.., high])| *high).fold(0.0, f64::max);
    let medians: Vec<_> = known.iter().map(|(_, [_, median, _])| *median).collect();
    let margin = (highest - lowest).max(middle * 0.002) * 0.08;
    let [from, to] = [lowest - margin, highest + margin].map(|time| time / MILLISECOND);
    let y = Axis::upward(from, to, HEIGHT, "frame time, ms");
    let last = figures.len() as f64;
    // Whole numbers only.
    let x = Axis::across(0.4, last + 0.6, INNER, "run").with_room(figures.len().min(12) as u32 + 1);
    let description = format!(
        "Median frame time of each run: {}. The middle one: {}.",
        medians.iter().take(20).map(|&median| ms(median)).collect::<Vec<_>>().join(", "),
        ms(middle)
    );
    Plot { x: &x, y: &y, description: &description }.draw(&html! {
        @let at = px(y.at(middle / MILLISECOND));
        line.middle x2=(px(INNER)) y1=(at) y2=(at) {}
        @for (number, times) in &known {
            @let across = px(x.at(*number as f64));
            @let [low, median, high] = times.map(|time| px(y.at(time / MILLISECOND)));
            g {
                title { "run " (number) ": median " (ms(times[1])) }
                line.range x1=(across) x2=(across) y1=(low) y2=(high) {}
                circle.dot cx=(across) cy=(median) r=(if known.len() > 60 { 3 } else { 6 }) {}
            }
        }
    })
}
