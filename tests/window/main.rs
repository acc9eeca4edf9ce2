//! A real window on a virtual display, driven by keys and mouse.

#![cfg(all(target_os = "linux", feature = "app"))]

mod choices;
mod demo;
mod desktop;
mod drag_source;
mod driver;
mod faults;
mod files;
mod flags;
mod hud;
mod input;
mod keys;
mod managed;
mod motion;
#[path = "../support/png.rs"]
mod png;
mod preferences;
mod scale;
mod screenshot;
mod soak;
mod sudden_end;
mod windowed_run;
