//! The contestants.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A program that draws the scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Contestant {
    /// Bare wgpu and plain arrays.
    Floor,
    /// This project.
    Cubefall,
    /// This project, with motion evaluated on the GPU.
    Evaluated,
    /// The game engine Bevy.
    Bevy,
    /// The game library macroquad.
    Macroquad,
}

impl Contestant {
    /// Name in `--with`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Cubefall => "cubefall",
            Self::Evaluated => "evaluated",
            Self::Bevy => "bevy",
            Self::Macroquad => "macroquad",
        }
    }

    /// The program that runs it.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Floor => "frames-floor",
            Self::Cubefall | Self::Evaluated => "frames-cubefall",
            Self::Bevy => "frames-bevy",
            Self::Macroquad => "frames-macroquad",
        }
    }

    /// Flags of the program that select it.
    #[must_use]
    pub const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Evaluated => &["--evaluated"],
            Self::Floor | Self::Cubefall | Self::Bevy | Self::Macroquad => &[],
        }
    }

    /// Returns `true` if it can draw without a window.
    #[must_use]
    pub const fn can_be_headless(self) -> bool {
        !matches!(self, Self::Macroquad)
    }

    /// Returns `true` if it can draw the cubes outside the frame as well.
    #[must_use]
    pub const fn can_draw_all(self) -> bool {
        matches!(self, Self::Floor | Self::Cubefall | Self::Evaluated)
    }

    /// Returns `true` if it can do the work of a frame without visible cubes.
    #[must_use]
    pub const fn can_cull(self) -> bool {
        !matches!(self, Self::Macroquad)
    }
}
