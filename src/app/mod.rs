//! The window of the demo, and the order of a frame.
//!
//! Keyboard, mouse, touch, gamepads and the HUD give [`Action`](crate::input::Action)s; `actions` applies
//! them. `frame_loop` steps the simulation, lays out the HUD and draws. While nothing moves, no frame is
//! drawn until the next event.
//!
//! Start reading at `run`, `events`, `actions` and `frame_loop`: an event takes this way.

mod actions;
mod benchmark_run;
mod checked_window;
mod comfortable_count;
mod count_change;
mod cube_count;
mod cube_selection;
mod devices;
mod display;
mod display_probe;
mod error;
mod events;
mod files;
mod frame_clock;
mod frame_loop;
mod frame_profiler;
mod gamepads;
mod hud_overlay;
mod icon;
mod maximum_search;
mod operation;
mod panics;
mod preferences;
mod run;
mod saved_states;
mod scene_watcher;
mod score_measurement;
mod settings;
mod state;
mod title;
mod window;
mod window_target;

pub use self::benchmark_run::run_benchmark;
pub use self::display_probe::probe_display;
pub use self::error::AppError;
pub use self::run::run;
