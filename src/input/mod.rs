//! Input: device events into actions. Pure: nothing here knows what an action does.

mod action;
mod bindings;
mod pointer;
mod press;
mod steering;
mod sticks;
mod touch;

pub use action::{Action, Direction};
pub use bindings::{KEYS, for_key};
pub use pointer::Pointer;
pub use steering::Steering;
pub use sticks::{Flight, Sticks, for_button};
pub use touch::Touch;
