//! Device events into [`Action`]s. Nothing here knows what an action does.
//!
//! Keys go through [`key_action`], gamepad buttons through [`button_action`]. [`Pointer`], [`Touch`] and
//! [`Sticks`] keep the state that turns presses and movements into actions.

mod action;
mod bindings;
mod flight;
mod gamepad;
mod pointer;
mod press;
mod touch;

pub use action::{Action, Direction, Dock};
pub use bindings::{CONTROLS, key_action};
pub use flight::FlightInput;
pub use gamepad::{Sticks, button_action};
pub use pointer::Pointer;
pub use touch::Touch;
