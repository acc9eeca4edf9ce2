//! What the window takes from a desktop: the event loop, files and other processes. `web` has the same for a
//! page in a browser.

mod benchmark_run;
mod display;
mod display_probe;
mod icon;
mod messages;
mod output_files;
mod panics;
mod run;
mod saved_preferences;
mod saved_states;
mod score_measurement;
mod window_attributes;

pub use self::benchmark_run::run_benchmark;
pub use self::display_probe::probe_display;
pub(super) use self::messages::{
    announce, announce_failure, copy, has_fullscreen, is_ending, is_touched, link, reduces_motion,
    show_title, sleep, warn_of_software,
};
pub(super) use self::output_files::save;
pub use self::run::run;
pub(super) use self::saved_preferences::SavedPreferences;
pub(super) use self::saved_states::SavedStates;
pub(super) use self::score_measurement::ScoreMeasurement;
pub(super) use self::window_attributes::{fits_a_monitor, is_wayland, place, window_attributes};
