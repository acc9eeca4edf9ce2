//! Color and name of entities, and the light of a scene.

use std::f32::consts::FRAC_1_SQRT_2;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Surface color, sRGB-encoded: red, green and blue, and emission in steps of
/// [`Color::MAX_EMISSION`] / 255. An entity with a color, position, rotation and
/// scale is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Color([u8; 4]);

const _: () = assert!(size_of::<Color>() == 4);

impl Color {
    /// Largest emission.
    pub const MAX_EMISSION: f32 = 16.0;

    /// Returns the color with these sRGB components, without emission.
    pub const fn srgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, 0])
    }

    /// Returns the same surface with another emission: the light that it emits, as a multiple of its
    /// color. It is rounded to one of 256 steps from 0 to [`MAX_EMISSION`](Self::MAX_EMISSION).
    #[must_use]
    pub fn with_emission(self, emission: f32) -> Self {
        let [red, green, blue, _] = self.0;
        Self([red, green, blue, quantize(emission / Self::MAX_EMISSION)])
    }

    /// Returns the emission.
    pub fn emission(self) -> f32 {
        f32::from(self.0[3]) * (Self::MAX_EMISSION / 255.0)
    }

    /// Returns the color of `other` with the emission of this one.
    #[must_use]
    pub const fn with_srgb_of(self, other: Self) -> Self {
        let [red, green, blue, _] = other.0;
        Self([red, green, blue, self.0[3]])
    }

    /// Converts from hue, saturation and value, each from 0 to 1 (Smith, "Color Gamut Transform
    /// Pairs", 1978). Hue 0 is red, 1/3 green, 2/3 blue. The result is the same on every platform.
    pub fn from_hsv(hue: f32, saturation: f32, value: f32) -> Self {
        let channel = |offset: f32| {
            let distance = ((hue * 6.0 + offset).rem_euclid(6.0) - 3.0).abs() - 1.0;
            let level = value * (1.0 - saturation * (1.0 - distance.clamp(0.0, 1.0)));
            quantize(level)
        };
        Self::srgb(channel(0.0), channel(4.0), channel(2.0))
    }

    /// Returns red, green and blue, sRGB-encoded.
    pub const fn to_srgb(self) -> [u8; 3] {
        let [red, green, blue, _] = self.0;
        [red, green, blue]
    }
}

/// Rounds a level from 0 to 1 to one of 256 steps.
fn quantize(level: f32) -> u8 {
    (level * 255.0 + 0.5) as u8
}

/// Name of an entity, as an index into the simulation's table of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Name(pub u32);

const _: () = assert!(size_of::<Name>() == 4);

/// Sun, ambient light and sky of a scene. Colors are linear RGB; 1 is about the brightest a
/// display shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Light {
    /// Direction to the sun, a unit vector.
    pub sun_direction: Vec3,
    /// Sunlight on a surface that faces the sun.
    pub sun: Vec3,
    /// Ambient light on a surface that faces up.
    pub sky_ambient: Vec3,
    /// Ambient light on a surface that faces down.
    pub ground_ambient: Vec3,
    /// Color of the sky straight up.
    pub zenith: Vec3,
    /// Color of the sky at the horizon.
    pub horizon: Vec3,
    /// Color of the sky straight down, visible where no ground is drawn.
    pub nadir: Vec3,
    /// Color added to the sky around the sun.
    pub glow: Vec3,
    /// Distance at which the air lets 1/e of the light through, in m.
    pub fog_distance: f32,
    /// How strongly the cubes in the box absorb light, in 1/m: exp(-`extinction` `d`) is left after `d` meters. 0
    /// without effect.
    pub extinction: f32,
}

impl Default for Light {
    /// A clear day with the sun behind the camera of the classic scene, to the right, at 45 degrees.
    fn default() -> Self {
        Self {
            sun_direction: Vec3::new(0.6 * FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.8 * FRAC_1_SQRT_2),
            sun: Vec3::new(2.9, 2.5, 2.0),
            sky_ambient: Vec3::new(0.34, 0.44, 0.62),
            ground_ambient: Vec3::new(0.13, 0.12, 0.12),
            zenith: Vec3::new(0.10, 0.28, 0.72),
            horizon: Vec3::new(0.62, 0.82, 1.05),
            nadir: Vec3::new(0.30, 0.33, 0.38),
            glow: Vec3::new(0.70, 0.44, 0.20),
            fog_distance: 600.0,
            extinction: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emission_is_rounded_to_a_step_and_kept_with_another_color() {
        let color = Color::srgb(1, 2, 3);
        assert_eq!(color.emission(), 0.0);
        for step in 0..=255_u8 {
            let emission = f32::from(step) * (Color::MAX_EMISSION / 255.0);
            let emissive = color.with_emission(emission);
            assert_eq!((emissive.emission(), emissive.to_srgb()), (emission, [1, 2, 3]));
            let other = emissive.with_srgb_of(Color::srgb(7, 8, 9));
            assert_eq!((other.emission(), other.to_srgb()), (emission, [7, 8, 9]));
        }
        assert_eq!(color.with_emission(99.0).emission(), Color::MAX_EMISSION);
    }

    #[test]
    fn hue_runs_from_red_through_green_and_blue_to_red() {
        let pure = |hue| Color::from_hsv(hue, 1.0, 1.0).to_srgb();
        assert_eq!(pure(0.0), [255, 0, 0]);
        assert_eq!(pure(1.0 / 6.0), [255, 255, 0]);
        assert_eq!(pure(2.0 / 6.0), [0, 255, 0]);
        assert_eq!(pure(0.5), [0, 255, 255]);
        assert_eq!(pure(4.0 / 6.0), [0, 0, 255]);
        assert_eq!(pure(5.0 / 6.0), [255, 0, 255]);
        assert_eq!(pure(1.0), [255, 0, 0]);
        assert_eq!(Color::from_hsv(0.3, 0.0, 0.5).to_srgb(), [128, 128, 128]);
    }
}
