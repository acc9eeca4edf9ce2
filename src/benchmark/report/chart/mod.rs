//! Charts as inline SVG: axes, grid, paths and the reduction of long runs to a fixed number of bins.
//!
//! Each [`chart`] has two [`Axis`]; the timeline stacks several plot areas over one axis and
//! uses the parts of [`plot`](svg) directly. Colors and line styles are in `style.css`.

mod axis;
mod dots;
mod path;
mod plot;
mod time_bins;

pub(super) use axis::{Axis, round_up};
pub(super) use dots::{Dot, evenly_spaced, medians_chart};
pub(super) use path::{area_path, line_path, px, step_path};
pub(super) use plot::{
    BELOW_PLOT, PLOT_LEFT, PLOT_WIDTH, REFERENCE_RATES, bar, bottom_axis, chart, clipped,
    left_axis, refresh_lines, svg, translate,
};
pub(super) use time_bins::time_bins;
