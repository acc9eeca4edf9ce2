//! Timeline: the frame times of each run in order, one plot area above the other.

use maud::{Markup, html};

use super::chart::{
    Axis, BELOW_PLOT, BinStats, PLOT_LEFT, PLOT_WIDTH, PathData, REFERENCE_RATES, bin_stats,
    bottom_axis, clipped, left_axis, px, refresh_lines, svg, translate,
};
use super::run_subset::RunSubset;
use crate::benchmark::quantile::total;
use crate::benchmark::{Hitches, RunResult, SortedTimes};
use crate::units::{MILLISECOND, ms};

/// Time bins of a run.
const BINS: usize = 500;

/// Height of the plot area of a run.
const HEIGHT: f64 = 104.0;

/// Height of the line of text above each plot area.
const HEADER: f64 = 26.0;

/// Limits the y axis to this many medians; a single long frame would flatten all others.
const MAX_MEDIANS: f64 = 4.0;

/// Charts up to eight runs.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let subset = RunSubset::of(runs);
    let timelines: Vec<_> =
        subset.runs.iter().map(|&(number, run)| RunTimeline::of(number, run)).collect();
    let max = timelines.iter().map(RunTimeline::visible_max).fold(0.0, f64::max);
    let duration = timelines.iter().map(|timeline| timeline.duration).fold(0.0, f64::max);
    if max <= 0.0 {
        return html! {};
    }
    let x = Axis::horizontal([0.0, duration], PLOT_WIDTH, "time, s").in_units_of(1e9);
    let y =
        Axis::vertical([0.0, max * 1.08], HEIGHT, "ms").in_units_of(MILLISECOND).with_max_ticks(4);
    let height = timelines.len() as f64 * (HEADER + HEIGHT) + BELOW_PLOT;
    let description = format!(
        "Frame times of {} runs over {:.1} s. {}",
        timelines.len(),
        duration / 1e9,
        timelines.iter().map(RunTimeline::summary).collect::<Vec<_>>().join("; ")
    );
    html! {
        section {
            h2 { "Timeline" }
            p {
                "The band spans the fastest to the slowest frame of each column, the line is their median.
                Dashed lines are the frame budgets of 60 and 120 Hz. "
                span.mark { "▼" } " marks hitches and frames beyond the top of the chart."
                (subset.note())
            }
            (svg(height, &description, &html! {
                @for (i, timeline) in timelines.iter().enumerate() {
                    g transform=(translate(PLOT_LEFT, i as f64 * (HEADER + HEIGHT) + HEADER)) {
                        (timeline.draw(&x, &y))
                        @if i + 1 == timelines.len() { (bottom_axis(&x, HEIGHT)) }
                    }
                }
            }))
        }
    }
}

/// One run. Times are in ns.
struct RunTimeline {
    number: usize,
    frames: Vec<u64>,
    median: f64,
    max: f64,
    duration: f64,
}

impl RunTimeline {
    fn of(number: usize, run: &RunResult) -> Self {
        let frames = run.frame_times();
        let median = SortedTimes::of(&frames).median().unwrap_or(0.0);
        let max = frames.iter().max().map_or(0.0, |&max| max as f64);
        let duration = total(&frames) as f64;
        Self { number, frames, median, max, duration }
    }

    /// Returns the longest time that the y axis has to show.
    fn visible_max(&self) -> f64 {
        self.max.min(self.median * MAX_MEDIANS)
    }

    fn summary(&self) -> String {
        format!("run {}: median {}, slowest {}", self.number, ms(self.median), ms(self.max))
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let bins = bin_stats(&self.frames, BINS);
        let width = x.position(self.duration);
        let edges: Vec<_> =
            (0..=bins.len()).map(|i| width * i as f64 / bins.len() as f64).collect();
        let heights = |time: fn(&BinStats) -> f64| -> Vec<_> {
            bins.iter().map(|bin| y.position(time(bin).min(2.0 * y.max()))).collect()
        };
        let band = PathData::area(&edges, &heights(|bin| bin.max), &heights(|bin| bin.min));
        let median = PathData::steps(&edges, &heights(|bin| bin.median));
        html! {
            text.name x="0" y="-7" { "run " (self.number) }
            text.note x=(px(PLOT_WIDTH)) y="-7" text-anchor="end" {
                "median " (ms(self.median)) ", slowest " (ms(self.max))
            }
            (left_axis(y, x.length))
            line.edge x2=(px(x.length)) y1=(px(HEIGHT)) y2=(px(HEIGHT)) {}
            (clipped(x.length, HEIGHT, &html! {
                path.band d=(band.as_str()) {}
                path.median d=(median.as_str()) {}
                (self.marks(x, y))
            }))
            (refresh_lines(x, y, &REFERENCE_RATES))
        }
    }

    /// Marks the bins of hitches and of frames beyond the top, at the slowest frame of each bin.
    fn marks(&self, x: &Axis, y: &Axis) -> Markup {
        let hitches = Hitches::among(&self.frames).map_or_else(Vec::new, |hitches| hitches.frames);
        let mut marks: Vec<(usize, usize)> = Vec::new();
        let mut start = 0.0;
        for (number, &frame) in self.frames.iter().enumerate() {
            let time = frame as f64;
            if time > y.max() || hitches.binary_search(&number).is_ok() {
                // The bin in which half of the frame has passed.
                let share = (start + time / 2.0) / self.duration;
                let bin = ((share * BINS as f64) as usize).min(BINS - 1);
                match marks.last_mut() {
                    Some((last, slowest)) if *last == bin => {
                        if self.frames[*slowest] < frame {
                            *slowest = number;
                        }
                    }
                    _ => marks.push((bin, number)),
                }
            }
            start += time;
        }
        html! {
            @for (bin, frame) in marks {
                @let at = x.position(self.duration) * (bin as f64 + 0.5) / BINS as f64;
                path.mark d=(format!("M{} 0l-4 0l4 7l4 -7Z", px(at))) {
                    title { "frame " (frame + 1) ": " (ms(self.frames[frame] as f64)) }
                }
            }
        }
    }
}
