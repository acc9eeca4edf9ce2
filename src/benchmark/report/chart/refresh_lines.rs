//! Refresh lines: the frame times that refresh rates allow, as horizontal lines.

use maud::{Markup, html};

use super::axis::Axis;
use super::path::px;

/// Refresh rates that every chart of frame times marks, in Hz.
pub(crate) const REFERENCE_RATES: [f64; 2] = [60.0, 120.0];

/// Least distance of two labels, in SVG units.
const LABEL_HEIGHT: f64 = 13.0;

/// Draws a line for each refresh rate that is within the y axis, which is in ns; labels are right of the plot
/// area.
pub(crate) fn refresh_lines(x: &Axis, y: &Axis, rates: &[f64]) -> Markup {
    let mut labelled: Vec<f64> = Vec::new();
    let mut has_space = |at: f64| {
        let has_space = labelled.iter().all(|other| (other - at).abs() >= LABEL_HEIGHT);
        labelled.push(at);
        has_space
    };
    html! {
        @for &rate in rates.iter().filter(|rate| y.contains(1e9 / **rate)) {
            @let at = y.position(1e9 / rate);
            line.refresh x2=(px(x.length)) y1=(px(at)) y2=(px(at)) {
                title { (format!("{:.2} ms, {rate} Hz", 1e3 / rate)) }
            }
            @if has_space(at) {
                text.refresh x=(px(x.length + 6.0)) y=(px(at)) dy="0.35em" { (rate) " Hz" }
            }
        }
    }
}
