//! Budgets: the lines of what a display leaves for a frame.

use maud::{Markup, html};

use super::axis::Axis;
use super::svg::px;

/// Usual displays, in Hz.
pub(super) const DISPLAYS: [f64; 2] = [60.0, 120.0];

/// Names of lines that are closer than this would lie on each other.
const APART: f64 = 13.0;

/// The budgets at so many frames per second, as far as they are in the picture, whose y axis is of ms;
/// named on the right, outside of the plot.
pub(super) fn budgets(x: &Axis, y: &Axis, rates: &[f64]) -> Markup {
    let mut named: Vec<f64> = Vec::new();
    let mut has_room = |at: f64| {
        let has_room = named.iter().all(|other| (other - at).abs() >= APART);
        named.push(at);
        has_room
    };
    html! {
        @for &rate in rates.iter().filter(|rate| y.holds(1e3 / **rate)) {
            @let at = y.at(1e3 / rate);
            line.budget x2=(px(x.length)) y1=(px(at)) y2=(px(at)) {
                title { (format!("{:.2} ms, {rate} Hz", 1e3 / rate)) }
            }
            @if has_room(at) {
                text.budget x=(px(x.length + 6.0)) y=(px(at)) dy="0.35em" { (rate) " Hz" }
            }
        }
    }
}
