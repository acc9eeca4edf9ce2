//! Timeline: the frame times of each run in order, one plot area above the other. Runs of two results with
//! the same number share one.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::{
    Axis, Plot, REFERENCE_RATES, area_path, evenly_spaced, refresh_lines, stacked, step_path,
    time_bins,
};
use super::sides::{Side, legend_of};
use crate::benchmark::quantile::total;
use crate::benchmark::{FrameSample, FrameStatus, RunResult, SortedTimes, hitches};
use crate::units::{MILLISECOND, ms};

/// Time bins of a run.
const BINS: usize = 500;

/// Height of the plot area of a run.
const HEIGHT: f64 = 104.0;

/// Height of the line of text above each plot area.
const HEADER: f64 = 26.0;

/// Limits the y axis to this many medians.
const MAX_MEDIANS: f64 = 4.0;

/// Plot areas, so that a page does not grow with the number of runs.
const MAX_RUNS: usize = 8;

/// Charts some runs of each result.
pub(super) fn section(sides: &[Side]) -> Markup {
    let total = sides.iter().map(|side| side.result.runs.len()).max().unwrap_or(0);
    let plots: Vec<_> = evenly_spaced(total, MAX_RUNS)
        .into_iter()
        .map(|number| {
            let run = |side: &Side| Some(RunTimeline::of(side, side.result.runs.get(number - 1)?));
            (number, sides.iter().filter_map(run).collect::<Vec<_>>())
        })
        .collect();
    let timelines = || plots.iter().flat_map(|(_, timelines)| timelines);
    // A single long frame would flatten all others.
    let visible_max = |run: &RunTimeline| run.max.min(run.median * MAX_MEDIANS);
    let max = timelines().map(visible_max).fold(0.0, f64::max);
    let duration = timelines().map(|timeline| timeline.duration).fold(0.0, f64::max);
    if max <= 0.0 {
        return html! {};
    }
    let x = Axis::horizontal([0.0, duration], 1e9, "time of frames that count, s");
    let y = Axis::vertical([0.0, max * 1.08], HEIGHT, MILLISECOND, "ms");
    let y = Axis { max_ticks: 4, ..y };
    let summary = |runs: &[RunTimeline]| {
        runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join("; ")
    };
    let summaries: Vec<_> =
        plots.iter().map(|(number, runs)| format!("run {number}: {}", summary(runs))).collect();
    let areas = plots.iter().map(|(number, runs)| Plot {
        marks: html! {
            @for run in runs { g class=(run.side) { (run.draw(&x, &y)) } }
            @for (row, run) in runs.iter().enumerate() {
                g class=(run.side) { (run.marks(&x, &y, row * 8)) }
            }
        },
        annotations: html! {
            text.name x="0" y="-7" { "run " (number) }
            text.note x="56" y="-7" { (summary(runs)) }
            (refresh_lines(&x, &y, &REFERENCE_RATES))
        },
    });
    let seconds = duration / 1e9;
    let description = format!("Frame times over {seconds:.1} s. {}", summaries.join("; "));
    html! {
        section {
            h2 { "Timeline" }
            p {
                "The band spans the fastest to the slowest frame of each column, the line is their median.
                Dashed lines are the frame budgets of 60 and 120 Hz, where the chart reaches them. "
                span.mark { "▼" } " marks hitches and frames beyond the top of the chart."
                @if plots.len() < total {
                    " The chart shows " (plots.len()) " of " (total) " runs, evenly spaced."
                }
            }
            (legend_of(sides))
            (stacked([&x, &y], HEADER, &description, &areas.collect::<Vec<_>>()))
        }
    }
}

/// One run. Times are in ns.
struct RunTimeline {
    side: &'static str,
    frames: Vec<u64>,
    /// Number of each frame, as in other files.
    numbers: Vec<usize>,
    median: f64,
    max: f64,
    duration: f64,
    text: String,
}

impl RunTimeline {
    fn of(side: &Side, run: &RunResult) -> Self {
        let (frames, side) = (run.frame_times(), side.name);
        let sorted = SortedTimes::of(&frames);
        let [median, max] = [500, 1000].map(|share| sorted.quantile(share).unwrap_or(0.0));
        let duration = total(&frames) as f64;
        let text = format!("{side} median {}, slowest {}", ms(median), ms(max));
        let valid = |(number, sample): (usize, &FrameSample)| {
            (sample.status == FrameStatus::Valid).then_some(number)
        };
        let numbers = run.samples.iter().enumerate().filter_map(valid).collect();
        Self { side, frames, numbers, median, max, duration, text: text.trim_start().to_owned() }
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let bins = time_bins(&self.frames, BINS).into_iter();
        let bins: Vec<_> = bins.map(|bin| SortedTimes::of(&self.frames[bin])).collect();
        let edge = |i: usize| self.duration * i as f64 / bins.len() as f64;
        let edges: Vec<_> = (0..=bins.len()).map(edge).collect();
        let times = |per_mille: usize| -> Vec<_> {
            let times = bins.iter().filter_map(|bin| bin.quantile(per_mille));
            times.map(|time| time.min(2.0 * y.max)).collect()
        };
        html! {
            path.band d=(area_path([x, y], &edges, &times(1000), &times(0))) {}
            path.median d=(step_path([x, y], &edges, &times(500))) {}
        }
    }

    /// Marks the bins of hitches and of frames beyond the top, at the slowest frame of each bin; `top` is the
    /// height of the row of marks.
    fn marks(&self, x: &Axis, y: &Axis, top: usize) -> Markup {
        let hitches = hitches(&self.frames).unwrap_or_default();
        let mut marks = BTreeMap::new();
        let mut start = 0.0;
        for (number, &frame) in self.frames.iter().enumerate() {
            let time = frame as f64;
            if time > y.max || hitches.binary_search(&number).is_ok() {
                // The bin in which half of the frame has passed.
                let share = (start + time / 2.0) / self.duration;
                let slowest = marks.entry((share * BINS as f64) as usize).or_insert(number);
                if self.frames[*slowest] < frame {
                    *slowest = number;
                }
            }
            start += time;
        }
        html! {
            @for (bin, frame) in marks {
                @let at = x.position(self.duration * (bin as f64 + 0.5) / BINS as f64);
                path.mark d=(format!("M{at} {top}l-4 0l4 7l4 -7Z")) {
                    title { "frame " (self.numbers[frame]) ": " (ms(self.frames[frame] as f64)) }
                }
            }
        }
    }
}
