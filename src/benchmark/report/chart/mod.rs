//! Charts as inline SVG: axes, grid, paths and the reduction of long runs to a fixed number of bins.
//!
//! Each chart is one [`Chart`] with two [`Axis`]; the timeline stacks several plot areas over one axis and
//! uses the parts of [`plot`](svg) directly. Colors and line styles are in `style.css`.

mod axis;
mod dots;
mod path;
mod plot;
mod refresh_lines;
mod time_bins;

pub(super) use axis::{Axis, round_up};
pub(super) use dots::{Dot, evenly_spaced, medians_chart};
pub(super) use path::{PathData, px};
pub(super) use plot::{BELOW_PLOT, bar, bottom_axis};
pub(super) use plot::{Chart, PLOT_LEFT, PLOT_WIDTH, clipped, left_axis, svg, translate};
pub(super) use refresh_lines::{REFERENCE_RATES, refresh_lines};
pub(super) use time_bins::time_bins;
