//! Heads-up display: what the program tells about itself over the picture, and what can be asked
//! for with the mouse.
//!
//! The app lends a [`Model`] to the [`Hud`] for each look at it; what comes back is triangles and
//! the same [`Action`](crate::input::Action)s that keys and gamepads give. Nothing here changes the
//! simulation, and nothing below knows of it.
//!
//! # Where things are
//!
//! | file | holds |
//! |---|---|
//! | `overlay` | [`Hud`]: all panels, and what is open |
//! | `model` | what comes in |
//! | `history`, `share` | the last seconds, taken apart |
//! | `figures`, `graph` | how fast it is, and where the time goes |
//! | `controls` | sliders and buttons |
//! | `cube` | the cube under the pointer, the one that is selected |
//! | `inspector`, `array_bars` | the packed arrays, their groups, the slots, the systems |
//! | `help`, `toasts` | the keys; what has happened |
//! | `panel`, `look` | what these are made of |
//! | `layout` | where each widget is, for whoever drives them from outside |
//! | `painter` | triangles onto the picture |

mod array_bars;
mod controls;
mod cube;
mod frame_slice;
mod graph;
mod help;
mod history;
mod inspector;
mod layout;
mod model;
mod overlay;
mod panel;
mod renderer;
mod statistics;
#[cfg(test)]
mod tests;
mod theme;
mod toasts;

pub use history::{History, LiveFrame};
pub use model::{GraphicsInfo, Model};
pub use overlay::{Hud, HudOutput, Panels};
pub use renderer::HudRenderer;
pub use toasts::Tone;
