//! Plot: the SVG element of a chart, its axes, its grid and the lines of refresh rates.

use maud::{Markup, html};

use super::axis::Axis;
use super::path::px;

/// Width of every chart, in SVG units.
const WIDTH: f64 = 960.0;

/// Space left of the plot area, for tick labels.
pub(crate) const PLOT_LEFT: f64 = 68.0;

/// Width of the plot area; the space right of it holds the labels of refresh rates.
pub(crate) const PLOT_WIDTH: f64 = WIDTH - PLOT_LEFT - 52.0;

/// Space above the plot area.
const ABOVE_PLOT: f64 = 14.0;

/// Space below the plot area, for tick labels and the axis label.
pub(crate) const BELOW_PLOT: f64 = 46.0;

/// Refresh rates that every chart of frame times marks, in Hz.
pub(crate) const REFERENCE_RATES: [f64; 2] = [60.0, 120.0];

/// Least distance of two labels, in SVG units.
const LABEL_HEIGHT: f64 = 13.0;

/// Draws a chart with one plot area, whose origin is its top left corner: the axes, `marks` clipped to the area, and
/// `annotations`, which may extend beyond it. The description is for screen readers.
pub(crate) fn chart(
    [x, y]: [&Axis; 2],
    description: &str,
    marks: &Markup,
    annotations: &Markup,
) -> Markup {
    let content = html! {
        g transform=(translate(PLOT_LEFT, ABOVE_PLOT)) {
            (left_axis(y, x.length))
            (bottom_axis(x, y.length))
            (clipped(x.length, y.length, marks))
            (annotations)
        }
    };
    svg(ABOVE_PLOT + y.length + BELOW_PLOT, description, &content)
}

/// Draws a bar from 0 to a value, between two positions.
pub(crate) fn bar([left, right]: [f64; 2], y: &Axis, value: f64, title: &str) -> Markup {
    let (width, top) = ((right - left).max(0.6), y.position(value));
    html! {
        rect.bar x=(px(left)) width=(px(width)) y=(px(top)) height=(px(y.length - top)) {
            title { (title) }
        }
    }
}

/// Returns an SVG image of the common width.
pub(crate) fn svg(height: f64, description: &str, content: &Markup) -> Markup {
    html! {
        div.chart {
            svg viewBox=(format!("0 0 {WIDTH} {}", px(height))) role="img" aria-label=(description) {
                (content)
            }
        }
    }
}

/// Clips content to a rectangle at the origin.
pub(crate) fn clipped(width: f64, height: f64, content: &Markup) -> Markup {
    html! { svg width=(px(width)) height=(px(height)) { (content) } }
}

/// Returns the value of a `transform` attribute.
pub(crate) fn translate(x: f64, y: f64) -> String {
    format!("translate({},{})", px(x), px(y))
}

/// Draws the grid lines and labels of a vertical axis, across a plot area of this width.
pub(crate) fn left_axis(axis: &Axis, width: f64) -> Markup {
    html! {
        g.axis.left {
            @for tick in axis.ticks() {
                @let at = px(axis.position(tick.value));
                line.grid x2=(px(width)) y1=(at) y2=(at) {}
                @if !tick.label.is_empty() {
                    text x="-8" y=(at) dy="0.35em" text-anchor="end" { (tick.label) }
                }
            }
            text.label transform=(format!("translate(-54,{}) rotate(-90)", px(axis.length / 2.0)))
                text-anchor="middle" { (axis.label) }
        }
    }
}

/// Draws the grid lines and labels of a horizontal axis, below a plot area of this height.
pub(crate) fn bottom_axis(axis: &Axis, height: f64) -> Markup {
    html! {
        g.axis.bottom {
            @for tick in axis.ticks() {
                @let at = px(axis.position(tick.value));
                line.grid x1=(at) x2=(at) y2=(px(height)) {}
                @if !tick.label.is_empty() {
                    text x=(at) y=(px(height + 17.0)) text-anchor="middle" { (tick.label) }
                }
            }
            line.edge x2=(px(axis.length)) y1=(px(height)) y2=(px(height)) {}
            text.label x=(px(axis.length / 2.0)) y=(px(height + 38.0)) text-anchor="middle" {
                (axis.label)
            }
        }
    }
}

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
