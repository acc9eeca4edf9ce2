//! The light of a scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::object::{is_default, present};
use super::quantity::{Extinction, FogDistance, Quantity, Radiance, from_vec3, to_vec3};
use super::rotation::Direction;
use crate::components::Light;

/// Linear red, green and blue.
type Rgb = [Radiance; 3];

/// Sun, sky and fog. Colors are linear red, green and blue, where 1 is about the brightest that a
/// display shows. Keys left out are as in the classic scene, but
/// `extinction` is 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LightSpec {
    /// Direction to the sun: a vector of any length but 0.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    sun_direction: Option<Direction>,
    /// Light of the sun on a surface that faces it.
    sun: Rgb,
    /// Light from above on a surface that faces up.
    sky_ambient: Rgb,
    /// Light from below on a surface that faces down.
    ground_ambient: Rgb,
    /// Sky straight up.
    zenith: Rgb,
    /// Sky at the horizon.
    horizon: Rgb,
    /// Sky straight down, visible where no ground is drawn.
    nadir: Rgb,
    /// Light added to the sky around the sun.
    glow: Rgb,
    /// Distance at which fog leaves 1/e of a surface visible.
    fog_distance: FogDistance,
    /// How strongly the cubes in the box absorb light, in 1/m: exp(-`extinction` `d`) is left after `d` meters; from
    /// quality `medium`.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) extinction: Extinction,
}

impl Default for LightSpec {
    fn default() -> Self {
        let light = Light::default();
        Self {
            sun_direction: None,
            sun: from_vec3(light.sun),
            sky_ambient: from_vec3(light.sky_ambient),
            ground_ambient: from_vec3(light.ground_ambient),
            zenith: from_vec3(light.zenith),
            horizon: from_vec3(light.horizon),
            nadir: from_vec3(light.nadir),
            glow: from_vec3(light.glow),
            fog_distance: FogDistance::clamped(light.fog_distance),
            extinction: Extinction::default(),
        }
    }
}

impl LightSpec {
    /// Returns the light that the renderer uses.
    pub(crate) fn light(&self) -> Light {
        let default_direction = Light::default().sun_direction;
        Light {
            sun_direction: self.sun_direction.map_or(default_direction, Direction::unit),
            sun: to_vec3(self.sun),
            sky_ambient: to_vec3(self.sky_ambient),
            ground_ambient: to_vec3(self.ground_ambient),
            zenith: to_vec3(self.zenith),
            horizon: to_vec3(self.horizon),
            nadir: to_vec3(self.nadir),
            glow: to_vec3(self.glow),
            fog_distance: self.fog_distance.get(),
            extinction: self.extinction.get(),
        }
    }
}
