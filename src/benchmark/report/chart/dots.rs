//! Dots: medians of runs or results with their ranges.

use maud::{Markup, html};

use super::{Axis, chart, line_path};
use crate::benchmark::quantile;
use crate::units::MILLISECOND;

const HEIGHT: f64 = 190.0;

/// A median with a range around it, in ns.
pub(crate) struct Dot {
    pub(crate) at: f64,
    pub(crate) time: f64,
    pub(crate) range: [f64; 2],
    pub(crate) title: String,
}

impl Dot {
    /// Draws the dot over a bar from the one end of its range to the other.
    pub(crate) fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let at = x.position(self.at);
        let [low, high] = self.range.map(|time| y.position(time));
        html! {
            g {
                title { (self.title) }
                line.range x1=(at) x2=(at) y1=(low) y2=(high) {}
                circle.dot cx=(at) cy=(y.position(self.time)) r="5" {}
            }
        }
    }
}

/// Charts dots at numbers from 1 to the last label, and a line of overall medians; nothing without dots.
pub(crate) fn medians_chart(
    label: &'static str,
    labels: Vec<(f64, String)>,
    dots: &[Dot],
    line: &[(f64, f64)],
    description: &str,
) -> Markup {
    let times: Vec<_> = dots.iter().flat_map(|dot| dot.range).collect();
    let range = quantile::range(&times).zip(labels.last());
    let Some(([min, max], &(last, _))) = range else { return html! {} };
    let margin = (max - min).max(max * 0.002) * 0.08;
    let y = Axis::vertical([min - margin, max + margin], HEIGHT, MILLISECOND, "frame time, ms");
    let x = Axis { ticks: labels, ..Axis::horizontal([0.4, last + 0.6], 1.0, label) };
    let marks = html! {
        path.overall d=(line_path([&x, &y], line)) {}
        @for dot in dots { (dot.draw(&x, &y)) }
    };
    chart([&x, &y], description, marks, html! {})
}

/// Returns up to `max` of the numbers from 1 to `total`, with both ends.
pub(crate) fn evenly_spaced(total: usize, max: usize) -> Vec<usize> {
    let count = total.min(max);
    let last = total.saturating_sub(1);
    let number = |i: usize| (2 * i * last + (count - 1)) / (2 * (count - 1)).max(1) + 1;
    (0..count).map(number).collect()
}
