//! Histogram: how many frames take how long, and the share that takes no longer.

use maud::{Markup, html};

use super::axis::{Axis, round_width};
use super::choice::Choice;
use super::plot::{INNER, Plot};
use super::svg::{Path, px};
use crate::benchmark::{RunResult, SortedTimes};
use crate::units::{MILLISECOND, count};

const BARS: u64 = 96;

const HEIGHT: f64 = 170.0;

/// Points of a line of the distribution.
const POINTS: usize = 200;

/// What is slower than so many times p99 does not decide how wide the picture is.
const MOST_P99: f64 = 1.5;

/// Both, one above the other, over the same times.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let pooled: Vec<_> = runs.iter().flat_map(RunResult::frame_times).collect();
    let Some(bars) = Bars::of(&SortedTimes::of(&pooled)) else { return html! {} };
    let (from, to) = bars.range();
    let x = Axis::across(from / MILLISECOND, to / MILLISECOND, INNER, "frame time, ms");
    let chosen = Choice::of(runs);
    let beyond = match bars.beyond {
        0 => String::new(),
        1 => format!(" One frame takes longer than {:.3} ms.", to / MILLISECOND),
        many => format!(" {} frames take longer than {:.3} ms.", count(many), to / MILLISECOND),
    };
    html! {
        section {
            h2 { "How long frames take" }
            p {
                "All frames of all runs, for their shape only: frames of one run resemble each other, so
                their number proves nothing." (beyond)
            }
            (bars.draw(&x, &beyond))
            p { "The share of the frames of each run that take no longer." (chosen.words()) }
            (lines(&chosen, &x))
            @if chosen.runs.len() > 1 {
                ul.legend {
                    @for (i, (number, _)) in chosen.runs.iter().enumerate() {
                        li { span class=(format!("swatch run{i}")) {} "run " (number) }
                    }
                }
            }
        }
    }
}

/// Frames by their times.
struct Bars {
    /// Where the first begins, in ns.
    from: u64,
    /// How wide each is, in ns.
    width: u64,
    counts: Vec<usize>,
    /// How many frames are longer than the last.
    beyond: usize,
}

impl Bars {
    fn of(sorted: &SortedTimes) -> Option<Self> {
        let times = sorted.times();
        let &min = times.first()?;
        let usual = sorted.quantile(990)? * MOST_P99;
        // Those that decide how wide the picture is.
        let shown = times.partition_point(|&time| time as f64 <= usual).max(1);
        let end = times[shown - 1];
        // One more for what lies before the first round number.
        let width = round_width(end - min, BARS - 1);
        let from = min / width * width;
        let mut counts = Vec::new();
        let mut counted = 0;
        while counted < shown {
            let next = from.saturating_add(width.saturating_mul(counts.len() as u64 + 1));
            let upto = if next == u64::MAX {
                times.len()
            } else {
                times.partition_point(|&time| time < next)
            };
            counts.push(upto - counted);
            counted = upto;
        }
        Some(Self { from, width, counts, beyond: times.len() - counted })
    }

    /// Where bar `number` begins, in ns.
    fn begin(&self, number: usize) -> f64 {
        self.from as f64 + self.width as f64 * number as f64
    }

    fn range(&self) -> (f64, f64) {
        (self.begin(0), self.begin(self.counts.len()))
    }

    fn draw(&self, x: &Axis, beyond: &str) -> Markup {
        let most = self.counts.iter().max().map_or(0, |&most| most);
        let y = Axis::upward(0.0, most as f64 * 1.05, HEIGHT, "frames");
        let (fullest, _) = self
            .counts
            .iter()
            .enumerate()
            .rev()
            .max_by_key(|(_, count)| **count)
            .unwrap_or((0, &0));
        let description =
            format!("Histogram of frame times: most frames take {}.{beyond}", self.words(fullest));
        Plot { x, y: &y, description: &description }.draw(&html! {
            @for (number, &frames) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                @let [left, right] = [number, number + 1].map(|edge| x.at(self.begin(edge) / MILLISECOND));
                @let top = y.at(frames as f64);
                rect.bar x=(px(left)) width=(px((right - left - 0.6).max(0.6)))
                    y=(px(top)) height=(px(HEIGHT - top)) {
                    title { (self.words(number)) ": " (count(frames)) " frames" }
                }
            }
        })
    }

    fn words(&self, number: usize) -> String {
        let [from, to] = [number, number + 1].map(|edge| self.begin(edge) / MILLISECOND);
        // As many decimals as the width of a bar needs.
        let decimals = 6_usize.saturating_sub(self.width.ilog10() as usize).max(1);
        format!("{from:.decimals$} to {to:.decimals$} ms")
    }
}

/// A line for each run.
fn lines(chosen: &Choice, x: &Axis) -> Markup {
    let y = Axis::upward(0.0, 100.0, HEIGHT, "share of frames, %");
    let line = |sorted: &SortedTimes| {
        let mut path = Path::default();
        for point in 0..=POINTS {
            let share = 1000 * point / POINTS;
            let Some(time) = sorted.quantile(share) else { continue };
            let at = (x.at(time / MILLISECOND), y.at(share as f64 / 10.0));
            if point == 0 {
                path.begin(at.0, at.1);
            } else {
                path.line(at.0, at.1);
            }
        }
        path
    };
    let runs: Vec<_> = chosen
        .runs
        .iter()
        .map(|(number, run)| (number, SortedTimes::of(&run.frame_times())))
        .collect();
    let description = "Cumulative distribution of the frame times of each run.";
    Plot { x, y: &y, description }.draw(&html! {
        @for (i, (number, sorted)) in runs.iter().enumerate() {
            path class=(format!("line run{i}")) d=(line(sorted).data()) { title { "run " (number) } }
        }
    })
}
