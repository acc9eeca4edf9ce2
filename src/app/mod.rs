//! The window of the demo, and the order of a frame.
//!
//! Keyboard, mouse, touch, gamepads and the HUD give [`Action`](crate::input::Action)s; `actions` applies
//! them. `frame_loop` steps the simulation, lays out the HUD and draws. While nothing moves, no frame is
//! drawn until the next event.
//!
//! The window runs on a desktop and in a browser. What differs is in `desktop` and `web`, which the rest of
//! this module calls `host`.
//!
//! Start reading at `desktop/run`, `events`, `actions` and `frame_loop`: an event takes this way.

mod actions;
mod checked_window;
mod comfortable_count;
mod count_change;
#[cfg(any(web, test))]
mod count_probe;
mod cube_count;
mod cube_selection;
#[cfg(not(web))]
mod desktop;
mod devices;
mod error;
mod events;
mod files;
mod frame_clock;
mod frame_loop;
mod frame_profiler;
mod gamepads;
mod grabs;
mod hud_overlay;
mod load;
mod maximum_search;
mod operation;
mod output;
mod preferences;
mod scene_watcher;
mod settings;
mod state;
mod title;
mod visibility;
#[cfg(web)]
mod web;
mod window;
mod window_target;

#[cfg(not(web))]
use self::desktop as host;
#[cfg(web)]
use self::web as host;

#[cfg(not(web))]
pub use self::desktop::{probe_display, run, run_benchmark};
pub use self::error::AppError;
#[cfg(web)]
pub use self::web::{end_video, run};
