//! Heads-up display (HUD): statistics, controls and the ECS inspector, drawn over the scene with egui.
//!
//! The app lends a [`Model`] to the [`Hud`]. [`Hud::show`] returns triangles for [`HudRenderer`], and
//! [`Hud::take_actions`] the same [`Action`](crate::input::Action)s that keys and gamepads produce. The
//! HUD never changes the simulation itself.
//!
//! Start reading at `overlay`, which lays out the panels; `panel` and `theme` are their building blocks.

mod arrangement;
mod array_bars;
mod controls;
mod cube;
mod dock;
mod frame_slice;
mod graph;
mod help;
mod history;
mod inspector;
mod layout;
#[cfg(test)]
mod layout_tests;
mod model;
mod overlay;
mod panel;
mod progress;
mod renderer;
mod statistics;
#[cfg(test)]
mod tests;
mod theme;
mod toasts;

pub use frame_slice::LiveFrame;
pub use history::History;
pub use model::{GraphicsInfo, Model, Progress, SaveSlots};
pub use overlay::{Hud, HudOutput, MIN_WINDOW, Panels};
pub use renderer::HudRenderer;
pub use toasts::Tone;
