//! What the window takes from a page in a browser: the canvas, files, local storage, videos and the score. `desktop`
//! has the same for a desktop.

mod events;
mod notices;
mod output_files;
mod page;
mod run;
mod saved_preferences;
mod saved_states;
mod score_measurement;
mod video;
mod window_attributes;

pub(super) use self::output_files::save;
pub(super) use self::page::{
    announce, announce_failure, choose_file, copy, has_fullscreen, is_ending, is_touched, link,
    reduces_motion, show_state, show_title, sleep,
};
pub use self::run::run;
pub(super) use self::saved_preferences::SavedPreferences;
pub(super) use self::saved_states::SavedStates;
pub(super) use self::score_measurement::ScoreMeasurement;
pub use self::video::end as end_video;
pub(super) use self::video::{is_recording, toggle_video};
pub(super) use self::window_attributes::{fits_a_monitor, is_wayland, place, window_attributes};
