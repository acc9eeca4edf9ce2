//! The fall mode of a simulation, shared by scene files, flags and the simulation.

use serde::{Deserialize, Serialize};

use crate::names::names;
/// Which entities gravity acts on: the cubes or the camera.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
pub enum FallMode {
    /// The cubes fall and the camera is free.
    #[default]
    #[serde(rename = "cubes-fall")]
    #[cfg_attr(feature = "cli", value(name = "cubes-fall"))]
    Cubes,
    /// The camera falls past the cubes, which stay in place.
    #[serde(rename = "camera-falls")]
    #[cfg_attr(feature = "cli", value(name = "camera-falls"))]
    Camera,
}

names!(FallMode { Cubes => "cubes-fall", Camera => "camera-falls" });

impl FallMode {
    /// Returns the other mode.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Cubes => Self::Camera,
            Self::Camera => Self::Cubes,
        }
    }
}
