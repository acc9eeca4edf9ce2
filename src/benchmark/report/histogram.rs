//! Histogram of all frame times, and the cumulative distribution of each run.

use maud::{Markup, html};

use super::chart::{Axis, Chart, PLOT_WIDTH, PathData, px, round_up};
use super::elements::legend;
use super::run_subset::RunSubset;
use crate::benchmark::{RunResult, SortedTimes};
use crate::units::{MILLISECOND, count};

const MAX_BINS: u64 = 96;

const HEIGHT: f64 = 170.0;

/// Points of a cumulative distribution.
const POINTS: usize = 200;

/// Frames slower than this multiple of p99 do not widen the chart.
const MAX_P99: f64 = 1.5;

/// Charts both over the same range of times.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let pooled: Vec<_> = runs.iter().flat_map(RunResult::frame_times).collect();
    let Some(histogram) = Histogram::of(&SortedTimes::of(&pooled)) else { return html! {} };
    let ends = [0, histogram.counts.len()].map(|bin| histogram.start(bin));
    let x = Axis::horizontal(ends, PLOT_WIDTH, "frame time, ms").in_units_of(MILLISECOND);
    let subset = RunSubset::of(runs);
    let limit = ends[1] / MILLISECOND;
    let beyond = match histogram.beyond {
        0 => String::new(),
        1 => format!(" One frame is longer than {limit:.3} ms."),
        frames => format!(" {} frames are longer than {limit:.3} ms.", count(frames)),
    };
    let runs: Vec<_> = (0..).map(|i| format!("run{i}")).zip(&subset.runs).collect();
    let labels: Vec<_> =
        runs.iter().map(|(class, (number, _))| (class.clone(), format!("run {number}"))).collect();
    html! {
        section {
            h2 { "Distribution of frame times" }
            p {
                "All frames of all runs. Only the shape counts: frames of one run are correlated, so their
                number is no measure of certainty." (beyond)
            }
            (histogram.draw(&x, &beyond))
            p { "Cumulative distribution: the share of the frames of each run up to a frame time." (subset.note()) }
            (cumulative_chart(&runs, &x))
            @if labels.len() > 1 { (legend(&labels)) }
        }
    }
}

/// Frame counts by bins of equal width. Times are in ns.
struct Histogram {
    /// Start of the first bin.
    start: u64,
    /// Width of a bin.
    width: u64,
    counts: Vec<usize>,
    /// Number of frames after the last bin.
    beyond: usize,
}

impl Histogram {
    fn of(sorted: &SortedTimes) -> Option<Self> {
        let times = sorted.times();
        let &min = times.first()?;
        let limit = sorted.quantile(990)? * MAX_P99;
        let shown = times.partition_point(|&time| time as f64 <= limit).max(1);
        // One bin is for the times before the first round number.
        let least = (times[shown - 1] - min) as f64 / (MAX_BINS - 1) as f64;
        let (digit, exponent) = round_up(least.max(1.0));
        let width = (digit * 10_f64.powi(exponent)) as u64;
        let start = min / width * width;
        let mut counts = Vec::new();
        let mut counted = 0;
        while counted < shown {
            let end = start.saturating_add(width.saturating_mul(counts.len() as u64 + 1));
            // The last bin of all includes the largest time there is.
            let upto = times.partition_point(|&time| time < end || end == u64::MAX);
            counts.push(upto - counted);
            counted = upto;
        }
        Some(Self { start, width, counts, beyond: times.len() - counted })
    }

    /// Returns where a bin starts.
    fn start(&self, bin: usize) -> f64 {
        self.start as f64 + self.width as f64 * bin as f64
    }

    fn draw(&self, x: &Axis, beyond: &str) -> Markup {
        let bins = || self.counts.iter().copied().enumerate();
        let (fullest, max) = bins().rev().max_by_key(|(_, frames)| *frames).unwrap_or_default();
        let y = Axis::vertical([0.0, max as f64 * 1.05], HEIGHT, "frames");
        let description =
            format!("Histogram of frame times, highest at {}.{beyond}", self.range(fullest));
        Chart { x, y: &y, description: &description }.draw(&html! {
            @for (bin, frames) in bins().filter(|(_, frames)| *frames > 0) {
                @let [left, right] = [bin, bin + 1].map(|edge| x.position(self.start(edge)));
                @let top = y.position(frames as f64);
                rect.bar x=(px(left)) width=(px((right - left - 0.6).max(0.6)))
                    y=(px(top)) height=(px(HEIGHT - top)) {
                    title { (self.range(bin)) ": " (count(frames)) " frames" }
                }
            }
        })
    }

    fn range(&self, bin: usize) -> String {
        let [from, to] = [bin, bin + 1].map(|edge| self.start(edge) / MILLISECOND);
        // As many decimals as the width needs.
        let decimals = 6_usize.saturating_sub(self.width.ilog10() as usize).max(1);
        format!("{from:.decimals$} to {to:.decimals$} ms")
    }
}

/// Draws a line for each run, which has a class for its colour.
fn cumulative_chart(runs: &[(String, &(usize, &RunResult))], x: &Axis) -> Markup {
    let y = Axis::vertical([0.0, 1000.0], HEIGHT, "share of frames, %").in_units_of(10.0);
    let line = |run: &RunResult| {
        let sorted = SortedTimes::of(&run.frame_times());
        let mut path = PathData::default();
        for per_mille in (0..=1000).step_by(1000 / POINTS) {
            let Some(time) = sorted.quantile(per_mille) else { continue };
            let draw = if per_mille == 0 { PathData::move_to } else { PathData::line_to };
            draw(&mut path, x.position(time), y.position(per_mille as f64));
        }
        path
    };
    let description = "Cumulative distribution of the frame times of each run.";
    Chart { x, y: &y, description }.draw(&html! {
        @for (class, (number, run)) in runs {
            path class={ "line " (class) } d=(line(run).as_str()) { title { "run " (number) } }
        }
    })
}
