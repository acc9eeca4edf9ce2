//! Histogram of all frame times of each result.

use maud::{Markup, html};

use super::chart::{Axis, bar, chart, round_up, step_path};
use super::sides::{Side, legend_of};
use crate::benchmark::{RunResult, SortedTimes};
use crate::units::{MILLISECOND, count, counted, percent};

const MAX_BINS: u64 = 96;

const HEIGHT: f64 = 190.0;

/// Frames slower than this multiple of p99 do not widen the chart.
const MAX_P99: f64 = 1.5;

/// Charts all results over the same range of times.
pub(super) fn section(sides: &[Side]) -> Markup {
    let Some(histogram) = Histogram::of(sides) else { return html! {} };
    let limit = histogram.start(histogram.bins) / MILLISECOND;
    let beyond = match histogram.beyond {
        0 => String::new(),
        1 => format!(" One frame is longer than {limit:.3} ms."),
        frames => format!(" {} frames are longer than {limit:.3} ms.", count(frames)),
    };
    html! {
        section {
            h2 { "Distribution of frame times" }
            p {
                "All frames of all runs. Only the shape counts: frames of one run are correlated, so their
                number is no measure of certainty." (beyond)
            }
            (legend_of(sides))
            (histogram.draw(&beyond))
        }
    }
}

/// Frame counts by bins of equal width. Times are in ns.
struct Histogram {
    /// Start of the first bin.
    start: u64,
    /// Width of a bin.
    width: u64,
    bins: u64,
    counts: Vec<Counts>,
    /// Number of frames after the last bin.
    beyond: usize,
}

/// Frame counts of a result that has frames.
struct Counts {
    side: &'static str,
    bins: Vec<usize>,
    /// Share of all frames in each bin.
    shares: Vec<f64>,
}

impl Histogram {
    fn of(sides: &[Side]) -> Option<Self> {
        let pooled = |side: &Side| {
            let frames = side.result.runs.iter().flat_map(RunResult::frame_times);
            (side.name, SortedTimes::of(&frames.collect::<Vec<_>>()))
        };
        let sorted: Vec<_> = sides.iter().map(pooled).collect();
        let times = || sorted.iter().flat_map(|(_, sorted)| sorted.times());
        let p99 = sorted.iter().filter_map(|(_, sorted)| sorted.quantile(990));
        let limit = p99.fold(0.0, f64::max) * MAX_P99;
        let min = times().min()?;
        let max = times().filter(|&&time| time as f64 <= limit).max().unwrap_or(min);
        // One bin is for the times before the first round number.
        let least = (max - min) as f64 / (MAX_BINS - 1) as f64;
        let (digit, exponent) = round_up(least.max(1.0));
        let width = (digit * 10_f64.powi(exponent)) as u64;
        let start = min / width * width;
        let bins = (max - start) / width + 1;
        let counts = sorted.iter().filter(|(_, sorted)| !sorted.times().is_empty());
        let mut beyond = 0;
        let counts = counts.map(|(side, sorted)| {
            let total = sorted.times().len();
            let before = |bin: u64| {
                let edge = start.saturating_add(width.saturating_mul(bin));
                // The last bin of all includes the largest time there is.
                sorted.times().partition_point(|&time| time < edge || edge == u64::MAX)
            };
            beyond += total - before(bins);
            let bins: Vec<_> = (0..bins).map(|bin| before(bin + 1) - before(bin)).collect();
            let shares = bins.iter().map(|&frames| frames as f64 / total as f64).collect();
            Counts { side, bins, shares }
        });
        let counts = counts.collect();
        Some(Self { start, width, bins, counts, beyond })
    }

    /// Returns where a bin starts.
    fn start(&self, bin: u64) -> f64 {
        self.start as f64 + self.width as f64 * bin as f64
    }

    /// Draws the last result as bars and the one before as an outline.
    fn draw(&self, beyond: &str) -> Markup {
        let ends = [0, self.bins].map(|bin| self.start(bin));
        let x = Axis::horizontal(ends, MILLISECOND, "frame time, ms");
        let shares = self.counts.iter().flat_map(|counts| &counts.shares);
        let max = shares.copied().fold(0.0, f64::max);
        let y = Axis::vertical([0.0, max * 1.05], HEIGHT, 0.01, "share of frames, %");
        let edges: Vec<_> = (0..=self.bins).map(|bin| self.start(bin)).collect();
        let ranges: Vec<_> = (0..self.bins).map(|bin| self.range(bin)).collect();
        let Some((filled, outlined)) = self.counts.split_last() else { return html! {} };
        let bins = filled.bins.iter().zip(&ranges);
        let highest = bins.clone().rev().max_by_key(|(frames, _)| **frames);
        let highest = highest.map_or("", |(_, range)| range.as_str());
        let description = format!("Histogram of frame times, highest at {highest}.{beyond}");
        let bars = bins.zip(&filled.shares).zip(edges.array_windows());
        let marks = html! {
            g class=(filled.side) {
                @for (((frames, range), share), &edges) in bars.filter(|(((frames, _), _), _)| **frames > 0) {
                    @let title = format!("{range}: {}, {}", counted(frames, "frame"), percent(*share));
                    @let [left, right] = edges.map(|edge| x.position(edge));
                    (bar([left, right - 0.6], &y, *share, &title))
                }
            }
            @for counts in outlined {
                @let outline = step_path([&x, &y], &edges, &counts.shares);
                path class={ "line " (counts.side) } d=(outline) {}
            }
        };
        chart([&x, &y], &description, marks, html! {})
    }

    fn range(&self, bin: u64) -> String {
        let [from, to] = [bin, bin + 1].map(|edge| self.start(edge) / MILLISECOND);
        // As many decimals as the width needs.
        let decimals = 6_usize.saturating_sub(self.width.ilog10() as usize).max(1);
        format!("{from:.decimals$} to {to:.decimals$} ms")
    }
}
