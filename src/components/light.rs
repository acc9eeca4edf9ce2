//! Light: what lights a scene, and the sky behind it. A scene has one.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::Vec3;

/// A sun, the light from all around, and the sky. Colours are linear: red, green and blue, of which
/// about 1 is as bright as a display gets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Light {
    /// Direction to the sun, a unit vector.
    pub sun_direction: Vec3,
    /// Light of the sun on a surface that faces it.
    pub sun: Vec3,
    /// Light from above on a surface that faces up.
    pub sky_ambient: Vec3,
    /// Light from below on a surface that faces down.
    pub ground_ambient: Vec3,
    /// The sky straight up.
    pub zenith: Vec3,
    /// The sky at the horizon.
    pub horizon: Vec3,
    /// The sky straight down, where no ground is drawn.
    pub nadir: Vec3,
    /// What the sky around the sun has more.
    pub glow: Vec3,
    /// Distance at which 1/e of a surface is seen through the air, in m.
    pub fog_distance: f32,
}

impl Default for Light {
    /// A clear day, the sun in front and to the right, at 45 degrees.
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
        }
    }
}
