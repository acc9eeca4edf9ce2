//! The graphics device as the library meets it: lost at any point, resized again and again, asked
//! for more than it has.
//!
//! The long runs are left out of an ordinary one:
//!
//! ```text
//! cargo test --release --test device -- --ignored --nocapture
//! ```

#![cfg(feature = "render")]

mod canvas;
mod limits;
mod losses;
mod memory;
mod sizes;
