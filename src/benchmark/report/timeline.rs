//! Timeline: the frame times of each run as it went on.

use maud::{Markup, html};

use super::axis::Axis;
use super::budgets::{DISPLAYS, budgets};
use super::choice::Choice;
use super::columns::{self, Extent};
use super::plot::{INNER, LEFT, below, clipped, left, moved, picture};
use super::svg::{Path, px};
use crate::benchmark::distribution::total;
use crate::benchmark::{Hitches, RunResult, SortedTimes};
use crate::units::{MILLISECOND, ms};

/// Columns of a run.
const COLUMNS: usize = 500;

/// Height of a run.
const HEIGHT: f64 = 104.0;

/// Room above a run, for its name.
const ABOVE: f64 = 26.0;

/// How often the median fits between the axis and the top at most: beyond, all that is usual would be
/// too flat.
const MOST_MEDIANS: f64 = 4.0;

/// A strip for each run.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let chosen = Choice::of(runs);
    let strips: Vec<_> = chosen.runs.iter().map(|&(number, run)| Strip::of(number, run)).collect();
    let top = strips.iter().map(Strip::reach).fold(0.0, f64::max);
    let seconds = strips.iter().map(|strip| strip.seconds).fold(0.0, f64::max);
    if top <= 0.0 {
        return html! {};
    }
    let x = Axis::across(0.0, seconds, INNER, "time into the run, s");
    let y = Axis::upward(0.0, top * 1.08 / MILLISECOND, HEIGHT, "ms").with_room(4);
    let bottom = strips.len() as f64 * (ABOVE + HEIGHT);
    let description = format!(
        "Frame times of {} runs over {seconds:.1} s. {}",
        strips.len(),
        strips.iter().map(Strip::words).collect::<Vec<_>>().join("; ")
    );
    html! {
        section {
            h2 { "Frame times as the runs went on" }
            p {
                "The band is from the fastest to the slowest frame in each column of the picture, the line
                the median. Dashed: what a display of 60 and of 120 Hz leaves for a frame. "
                span.mark { "▼" } " marks a hitch, or a frame that goes beyond the top."
                (chosen.words())
            }
            (picture(bottom + 46.0, &description, &html! {
                @for (i, strip) in strips.iter().enumerate() {
                    g transform=(moved(LEFT, i as f64 * (ABOVE + HEIGHT) + ABOVE)) {
                        (strip.draw(&x, &y))
                        @if i + 1 == strips.len() { (below(&x, HEIGHT)) }
                    }
                }
            }))
        }
    }
}

/// One run.
struct Strip {
    number: usize,
    frames: Vec<u64>,
    median: f64,
    max: f64,
    seconds: f64,
}

impl Strip {
    fn of(number: usize, run: &RunResult) -> Self {
        let frames = run.frame_times();
        let median = SortedTimes::of(&frames).median().unwrap_or(0.0);
        let max = frames.iter().max().map_or(0.0, |&max| max as f64);
        let seconds = total(&frames) as f64 / 1e9;
        Self { number, frames, median, max, seconds }
    }

    /// How high the picture has to be for it, in ns.
    fn reach(&self) -> f64 {
        self.max.min(self.median * MOST_MEDIANS)
    }

    fn words(&self) -> String {
        format!("run {}: median {}, slowest {}", self.number, ms(self.median), ms(self.max))
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let columns = columns::extents(&self.frames, COLUMNS);
        let right = x.at(self.seconds);
        let edge = |column: usize| right * column as f64 / columns.len() as f64;
        let edges: Vec<_> = (0..=columns.len()).map(edge).collect();
        let heights = |of: fn(&Extent) -> f64| -> Vec<_> {
            columns
                .iter()
                .map(|column| y.at((of(column) / MILLISECOND).min(2.0 * y.end())))
                .collect()
        };
        let (slowest, fastest) = (heights(|column| column.max), heights(|column| column.min));
        let band = Path::between(&edges, &slowest, &fastest);
        let median = Path::steps(&edges, &heights(|column| column.median));
        html! {
            text.name x="0" y="-7" { "run " (self.number) }
            text.note x=(px(INNER)) y="-7" text-anchor="end" {
                "median " (ms(self.median)) ", slowest " (ms(self.max))
            }
            (left(y, x.length))
            line.edge x2=(px(x.length)) y1=(px(HEIGHT)) y2=(px(HEIGHT)) {}
            (clipped(x.length, HEIGHT, &html! {
                path.band d=(band.data()) {}
                path.median d=(median.data()) {}
                (self.marks(x, y))
            }))
            (budgets(x, y, &DISPLAYS))
        }
    }

    /// Where frames are hitches or go beyond the top, one mark to a column.
    fn marks(&self, x: &Axis, y: &Axis) -> Markup {
        let hitches = Hitches::among(&self.frames).map_or_else(Vec::new, |hitches| hitches.frames);
        let mut marks: Vec<(usize, usize)> = Vec::new();
        let mut begin = 0.0;
        for (number, &frame) in self.frames.iter().enumerate() {
            let is_beyond = frame as f64 / MILLISECOND > y.end();
            if is_beyond || hitches.binary_search(&number).is_ok() {
                // At its middle, as its column is.
                let share = (begin + frame as f64 / 2.0) / (self.seconds * 1e9);
                #[expect(clippy::cast_sign_loss, reason = "a share")]
                let column = ((share * COLUMNS as f64) as usize).min(COLUMNS - 1);
                match marks.last_mut() {
                    Some((last, slowest)) if *last == column => {
                        if self.frames[*slowest] < frame {
                            *slowest = number;
                        }
                    }
                    _ => marks.push((column, number)),
                }
            }
            begin += frame as f64;
        }
        html! {
            @for (column, frame) in marks {
                @let at = x.at(self.seconds) * (column as f64 + 0.5) / COLUMNS as f64;
                path.mark d=(format!("M{} 0l-4 0l4 7l4 -7Z", px(at))) {
                    title { "frame " (frame + 1) ": " (ms(self.frames[frame] as f64)) }
                }
            }
        }
    }
}
