//! Input: device events into actions. Pure: nothing here knows what an action does.

mod action;
mod bindings;
mod pointer;
mod steering;

pub use action::{Action, Direction};
pub use bindings::{KEYS, for_key};
pub use pointer::Pointer;
pub use steering::Steering;
