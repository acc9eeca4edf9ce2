//! Scene files: what comes with the program, what is refused and how, and what is written.

#![cfg(all(feature = "scenes", feature = "parallel"))]

mod bundled;
mod format;
mod hostile;
mod running;
mod saving;
mod schema;
