//! How the motion of cubes is computed, shared by scene files, flags and the simulation.

use serde::{Deserialize, Serialize};

use crate::names::names;

/// How the motion of falling cubes is computed. The paths are the same up to rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// Each step moves every cube, and the moved values are uploaded.
    #[default]
    Integrated,
    /// A cube keeps the values with which it spawned, and its current position is computed when it is drawn. A
    /// step touches only cubes that spawn, land, or have values more than a minute old; and all falling cubes if colors
    /// follow height, speed or age.
    Evaluated,
}

names!(Motion { Integrated => "integrated", Evaluated => "evaluated" });
