//! Factors of all motion of a scene at the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{GravityFactor, Quantity, SpinFactor, TimeFactor};

/// Factors of all motion at the start.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TuningSpec {
    /// Factor of every gravity.
    pub(crate) gravity: GravityFactor,
    /// Simulated seconds per second.
    pub(crate) time: TimeFactor,
    /// Factor of the spin of falling cubes, each about its own axis; 0 is no spin.
    pub(crate) spin: SpinFactor,
}

impl Default for TuningSpec {
    fn default() -> Self {
        Self {
            gravity: GravityFactor::clamped(1.0),
            time: TimeFactor::clamped(1.0),
            spin: SpinFactor::clamped(1.0),
        }
    }
}
