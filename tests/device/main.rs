//! The device in trouble: lost between any two calls, resized again and again, asked for more than it
//! has, and watched for leaks.
//!
//! Long versions of two tests are ignored by default. With one heap for all threads their memory stays
//! flat to within a megabyte:
//!
//! ```text
//! MALLOC_ARENA_MAX=1 cargo test --release --test device -- --ignored --nocapture
//! ```

#![cfg(feature = "render")]

mod frames;
mod harness;
mod limits;
mod memory;
mod recovery;
mod sizes;
