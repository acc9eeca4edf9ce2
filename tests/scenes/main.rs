//! Scene files: bundled scenes, format and errors, hostile input, running and saving.

#![cfg(all(feature = "sim", feature = "parallel"))]

mod bundled;
mod documentation;
mod format;
mod hostile;
mod running;
mod saving;
mod schema;
