//! Plot: the SVG element of a chart, its axes, its grid and the lines of refresh rates.

use maud::{Markup, html};

use super::axis::{Axis, PLOT_WIDTH, px};

/// Space left of the plot area, for tick labels.
const PLOT_LEFT: f64 = 68.0;

/// Width of every chart, in SVG units; the space right of the plot area holds the labels of refresh rates.
const WIDTH: f64 = PLOT_LEFT + PLOT_WIDTH + 52.0;

/// Space above a plot area without a line of text.
const ABOVE_PLOT: f64 = 14.0;

/// Space below the plot area, for tick labels and the axis label.
const BELOW_PLOT: f64 = 46.0;

/// Refresh rates that every chart of frame times marks, in Hz.
pub(crate) const REFERENCE_RATES: [f64; 2] = [60.0, 120.0];

/// Least distance of two labels, in SVG units.
const LABEL_HEIGHT: f64 = 13.0;

/// What a plot area shows besides the axes. Its origin is its top left corner.
pub(crate) struct Plot {
    /// Clipped to the area.
    pub(crate) marks: Markup,
    /// May extend beyond the area.
    pub(crate) annotations: Markup,
}

/// Draws a chart with one plot area. The description is for screen readers.
pub(crate) fn chart(
    axes: [&Axis; 2],
    description: &str,
    marks: Markup,
    annotations: Markup,
) -> Markup {
    stacked(axes, ABOVE_PLOT, description, &[Plot { marks, annotations }])
}

/// Draws plot areas with equal axes one above the other, with space `above` each.
pub(crate) fn stacked([x, y]: [&Axis; 2], above: f64, description: &str, plots: &[Plot]) -> Markup {
    let (width, height) = (x.length, y.length);
    let total = plots.len() as f64 * (above + height) + BELOW_PLOT;
    html! {
        div.chart {
            svg viewBox=(format!("0 0 {WIDTH} {total}")) role="img" aria-label=(description) {
                @for (i, Plot { marks, annotations }) in plots.iter().enumerate() {
                    @let top = i as f64 * (above + height) + above;
                    g transform=(format!("translate({PLOT_LEFT},{top})")) {
                        (left_axis(y, width))
                        @if i + 1 == plots.len() { (bottom_axis(x, height)) }
                        line.edge x2=(width) y1=(height) y2=(height) {}
                        svg width=(width) height=(height) { (marks) }
                        (annotations)
                    }
                }
            }
        }
    }
}

/// Draws a bar from 0 to a value, between two positions.
pub(crate) fn bar([left, right]: [f64; 2], y: &Axis, value: f64, title: &str) -> Markup {
    let (width, top) = ((right - left).max(0.6), y.position(value));
    html! {
        rect.bar x=(px(left)) width=(px(width)) y=(top) height=(px(y.length - top)) {
            title { (title) }
        }
    }
}

/// Draws the grid lines and labels of a vertical axis, across a plot area of this width.
fn left_axis(axis: &Axis, width: f64) -> Markup {
    html! {
        g.axis.left {
            @for (value, label) in axis.ticks() {
                @let at = axis.position(value);
                line.grid x2=(width) y1=(at) y2=(at) {}
                @if !label.is_empty() {
                    text x="-8" y=(at) dy="0.35em" text-anchor="end" { (label) }
                }
            }
            text.label transform=(format!("translate(-54,{}) rotate(-90)", axis.length / 2.0))
                text-anchor="middle" { (axis.label) }
        }
    }
}

/// Draws the grid lines and labels of a horizontal axis, below a plot area of this height.
fn bottom_axis(axis: &Axis, height: f64) -> Markup {
    html! {
        g.axis.bottom {
            @for (value, label) in axis.ticks() {
                @let at = axis.position(value);
                line.grid x1=(at) x2=(at) y2=(height) {}
                @if !label.is_empty() {
                    text x=(at) y=(height + 17.0) text-anchor="middle" { (label) }
                }
            }
            text.label x=(axis.length / 2.0) y=(height + 38.0) text-anchor="middle" {
                (axis.label)
            }
        }
    }
}

/// Draws a line for each refresh rate that is within the y axis, which is in ns; labels are right of the plot
/// area.
pub(crate) fn refresh_lines(x: &Axis, y: &Axis, rates: &[f64]) -> Markup {
    let mut labeled: Vec<f64> = Vec::new();
    let mut has_space = |at: f64| {
        let has_space = labeled.iter().all(|other| (other - at).abs() >= LABEL_HEIGHT);
        labeled.push(at);
        has_space
    };
    html! {
        @for &rate in rates.iter().filter(|rate| (y.min..=y.max).contains(&(1e9 / **rate))) {
            @let at = y.position(1e9 / rate);
            line.refresh x2=(x.length) y1=(at) y2=(at) {
                title { (format!("{:.2} ms, {rate} Hz", 1e3 / rate)) }
            }
            @if has_space(at) {
                text.refresh x=(x.length + 6.0) y=(at) dy="0.35em" { (rate) " Hz" }
            }
        }
    }
}
