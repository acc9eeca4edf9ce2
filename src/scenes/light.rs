//! Light: how a scene is lit; what is left out is as in the classic scene.

use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{FogDistance, Quantity, Radiance};
use super::read::given;
use super::rotation::Direction;
use super::vector::constant;
use crate::components::Light;

/// Linear red, green and blue.
type Rgb = [Radiance; 3];

/// How a scene is lit. Colours are linear red, green and blue, of which about 1 is as bright as a
/// display gets.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::sim) struct Lighting {
    /// Where the sun is, seen from the scene: a vector of any length but 0.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    sun_direction: Option<Direction>,
    /// Light of the sun on a surface that faces it.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    sun: Option<Rgb>,
    /// Light from above on a surface that faces up.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    sky_ambient: Option<Rgb>,
    /// Light from below on a surface that faces down.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    ground_ambient: Option<Rgb>,
    /// The sky straight up.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    zenith: Option<Rgb>,
    /// The sky at the horizon.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    horizon: Option<Rgb>,
    /// The sky straight down, where no ground is drawn.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    nadir: Option<Rgb>,
    /// What the sky around the sun has more.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    glow: Option<Rgb>,
    /// Distance at which 1/e of a surface is seen through the air.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    fog_distance: Option<FogDistance>,
}

impl Lighting {
    pub(in crate::sim) fn light(&self) -> Light {
        let default = Light::default();
        let or = |color: Option<Rgb>, default: Vec3| color.map_or(default, constant);
        Light {
            sun_direction: self.sun_direction.map_or(default.sun_direction, Direction::unit),
            sun: or(self.sun, default.sun),
            sky_ambient: or(self.sky_ambient, default.sky_ambient),
            ground_ambient: or(self.ground_ambient, default.ground_ambient),
            zenith: or(self.zenith, default.zenith),
            horizon: or(self.horizon, default.horizon),
            nadir: or(self.nadir, default.nadir),
            glow: or(self.glow, default.glow),
            fog_distance: self.fog_distance.map_or(default.fog_distance, Quantity::get),
        }
    }
}
