//! Tests of the figures together.

mod golden;
mod properties;
mod sessions;
