//! Tests of several statistics together.

mod baselines;
pub(crate) mod fixtures;
mod golden;
mod properties;
mod sessions;
