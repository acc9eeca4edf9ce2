//! Tests of several statistics together.

mod golden;
mod properties;
mod sessions;
