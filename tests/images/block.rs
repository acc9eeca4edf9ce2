//! The block of cubes, which absorbs light.

use cubefall::render::SceneView;
use glam::DVec3;

use crate::light::to_key;

/// Fractions of ambient and key light that remain in its depth.
const AMBIENT: f64 = 0.45;
const KEY: f64 = 0.15;

/// A box around the origin.
pub(crate) struct Block {
    half: f64,
    /// Fraction of light absorbed per m.
    extinction: f64,
}

impl Block {
    pub(crate) fn new(scene: &SceneView<'_>) -> Self {
        let outside_a_field = 1.0 - scene.field.map_or(0.0, |field| f64::from(field.strength));
        Self {
            half: scene.box_half_extent.into(),
            extinction: f64::from(scene.light.extinction) * outside_a_field,
        }
    }

    /// Fraction of the ambient light at a surface.
    pub(crate) fn ambient(&self, place: DVec3, normal: DVec3) -> f64 {
        AMBIENT + (1.0 - AMBIENT) * self.transmitted(place, (normal + DVec3::Y * 0.8).normalize())
    }

    /// Fraction of the key light at a place.
    pub(crate) fn key(&self, place: DVec3) -> f64 {
        KEY + (1.0 - KEY) * self.transmitted(place, to_key())
    }

    /// Clips the ray at each pair of planes in turn.
    fn transmitted(&self, place: DVec3, direction: DVec3) -> f64 {
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let (at, slope) = (place[axis], direction[axis]);
            if slope.abs() < 1e-6 {
                if at.abs() > self.half {
                    return 1.0;
                }
                continue;
            }
            let sides = [(-self.half - at) / slope, (self.half - at) / slope];
            from = from.max(sides[0].min(sides[1]));
            to = to.min(sides[0].max(sides[1]));
        }
        (-self.extinction * (to - from).max(0.0)).exp()
    }
}
