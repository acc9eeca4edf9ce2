//! How the motion of cubes is computed, and the component that evaluated motion needs.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use crate::names::names;

/// How the motion of falling cubes is computed. The paths are the same up to rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
pub enum Motion {
    /// Each step moves every cube, and the moved values are uploaded.
    #[default]
    #[serde(rename = "integrated")]
    #[cfg_attr(feature = "cli", value(name = "integrated"))]
    Integrated,
    /// A cube keeps the values with which it spawned, and its present place is computed where it is drawn. A
    /// step touches only cubes that spawn or land.
    #[serde(rename = "evaluated")]
    #[cfg_attr(feature = "cli", value(name = "evaluated"))]
    Evaluated,
}

names!(Motion { Integrated => "integrated", Evaluated => "evaluated" });

/// Time at which position, velocity and rotation of a cube are stated, in ticks of 2^-16 s of simulated
/// time; wraps around after 18 hours. Only cubes with evaluated motion have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Epoch(pub u32);

const _: () = assert!(size_of::<Epoch>() == 4);
