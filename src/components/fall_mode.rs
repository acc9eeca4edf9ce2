//! The fall mode of a simulation, shared by scene files, flags and the simulation.

use std::fmt;

/// Which entities gravity acts on: the cubes or the camera.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "scenes", derive(schemars::JsonSchema))]
pub enum FallMode {
    /// The cubes fall and the camera is free.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "cubes-fall"))]
    #[cfg_attr(feature = "cli", value(name = "cubes-fall"))]
    Cubes,
    /// The camera falls past the cubes, which stay in place.
    #[cfg_attr(feature = "serde", serde(rename = "camera-falls"))]
    #[cfg_attr(feature = "cli", value(name = "camera-falls"))]
    Camera,
}

impl FallMode {
    /// Returns the name used in flags and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cubes => "cubes-fall",
            Self::Camera => "camera-falls",
        }
    }

    /// Returns the other mode.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Cubes => Self::Camera,
            Self::Camera => Self::Cubes,
        }
    }
}

impl fmt::Display for FallMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
