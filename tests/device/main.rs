//! The graphics device as the library meets it: lost at any point, resized again and again, asked
//! for more than it has.
//!
//! The long runs are left out of an ordinary one. With one heap for all threads memory stays the same
//! to within a megabyte; several fill up for a while.
//!
//! ```text
//! MALLOC_ARENA_MAX=1 cargo test --release --test device -- --ignored --nocapture
//! ```

#![cfg(feature = "render")]

mod harness;
mod limits;
mod memory;
mod recovery;
mod sizes;
