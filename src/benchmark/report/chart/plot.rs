//! Plot: the SVG element of a chart, its axes and its grid.

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

/// A chart with one plot area.
pub(crate) struct Chart<'a> {
    pub(crate) x: &'a Axis,
    pub(crate) y: &'a Axis,
    /// Text for screen readers.
    pub(crate) description: &'a str,
}

impl Chart<'_> {
    /// Draws the axes, then `marks` clipped to the plot area, whose origin is its top left corner.
    pub(crate) fn draw(&self, marks: &Markup) -> Markup {
        self.draw_annotated(marks, &html! {})
    }

    /// Draws `marks` as [`draw`](Self::draw) does, then `annotations`, which may extend beyond the plot area.
    pub(crate) fn draw_annotated(&self, marks: &Markup, annotations: &Markup) -> Markup {
        let Self { x, y, description } = *self;
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
