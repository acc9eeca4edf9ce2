//! Charts as inline SVG: axes, grid, paths and the reduction of long runs to a fixed number of bins.
//!
//! Each [`chart`] has two [`Axis`]; the timeline has [several](stacked) plot areas over one horizontal axis.
//! Colors and line styles are in `style.css`.

mod axis;
mod dots;
mod path;
mod plot;
mod time_bins;

pub(super) use axis::{Axis, px, round_up};
pub(super) use dots::{Dot, evenly_spaced, medians_chart};
pub(super) use path::{area_path, line_path, step_path};
pub(super) use plot::{Plot, REFERENCE_RATES, bar, chart, refresh_lines, stacked};
pub(super) use time_bins::time_bins;
