//! Plot: axes, grid and what is drawn between them.

use maud::{Markup, html};

use super::axis::Axis;
use super::svg::px;

/// Width of every picture.
pub(super) const WIDTH: f64 = 960.0;

/// Room for the names on the left.
pub(super) const LEFT: f64 = 68.0;

/// Room for what is named on the right.
const RIGHT: f64 = 52.0;

/// How wide the area between the axes is.
pub(super) const INNER: f64 = WIDTH - LEFT - RIGHT;

/// Room above it.
const TOP: f64 = 14.0;

/// Room for the names below it.
const BOTTOM: f64 = 46.0;

/// Two axes, and what is between them.
pub(super) struct Plot<'a> {
    pub(super) x: &'a Axis,
    pub(super) y: &'a Axis,
    /// What there is to see, for who cannot.
    pub(super) description: &'a str,
}

impl Plot<'_> {
    /// With its axes, and with `content` between them; there, x is 0 on the left and y is 0 at the top.
    pub(super) fn draw(&self, content: &Markup) -> Markup {
        self.draw_with(content, &html! {})
    }

    /// With `notes`, too, which may stand out beyond the axes.
    pub(super) fn draw_with(&self, content: &Markup, notes: &Markup) -> Markup {
        let Self { x, y, description } = *self;
        picture(
            TOP + y.length + BOTTOM,
            description,
            &html! {
                g transform=(moved(LEFT, TOP)) {
                    (left(y, x.length))
                    (below(x, y.length))
                    (clipped(x.length, y.length, content))
                    (notes)
                }
            },
        )
    }
}

/// A picture of the usual width.
pub(super) fn picture(height: f64, description: &str, content: &Markup) -> Markup {
    html! {
        div.plot {
            svg viewBox=(format!("0 0 {WIDTH} {}", px(height))) role="img" aria-label=(description) {
                (content)
            }
        }
    }
}

/// What lies outside is cut off.
pub(super) fn clipped(width: f64, height: f64, content: &Markup) -> Markup {
    html! { svg width=(px(width)) height=(px(height)) { (content) } }
}

/// Moves what is within.
pub(super) fn moved(x: f64, y: f64) -> String {
    format!("translate({},{})", px(x), px(y))
}

/// Lines and names of an axis on the left, across the width of the plot.
pub(super) fn left(axis: &Axis, width: f64) -> Markup {
    html! {
        g.axis.left {
            @for tick in axis.ticks() {
                @let at = px(axis.at(tick.value));
                line.grid x2=(px(width)) y1=(at) y2=(at) {}
                @if !tick.name.is_empty() {
                    text x="-8" y=(at) dy="0.35em" text-anchor="end" { (tick.name) }
                }
            }
            text.label transform=(format!("translate(-54,{}) rotate(-90)", px(axis.length / 2.0)))
                text-anchor="middle" { (axis.label) }
        }
    }
}

/// Lines and names of an axis below a plot of this height.
pub(super) fn below(axis: &Axis, height: f64) -> Markup {
    html! {
        g.axis.below {
            @for tick in axis.ticks() {
                @let at = px(axis.at(tick.value));
                line.grid x1=(at) x2=(at) y2=(px(height)) {}
                @if !tick.name.is_empty() {
                    text x=(at) y=(px(height + 17.0)) text-anchor="middle" { (tick.name) }
                }
            }
            line.edge x2=(px(axis.length)) y1=(px(height)) y2=(px(height)) {}
            text.label x=(px(axis.length / 2.0)) y=(px(height + 38.0)) text-anchor="middle" {
                (axis.label)
            }
        }
    }
}
