//! The ground, below which a flying camera does not go.

use glam::Vec3;

use super::exact::yaw_and_pitch;
use crate::components::{Gravity, Position};
use crate::ecs::{Entity, World};
use crate::sim::cube_generator::HALF_EXTENT;

/// Lowest height above the ground of a camera that flies or orbits, in m.
pub(super) const MIN_HEIGHT: f32 = 1.0;

/// Resource of worlds whose ground is not drawn.
pub(in crate::sim) struct NoGround;

/// Returns `true` if the ground of a world is drawn.
pub(in crate::sim) fn has_ground(world: &World) -> bool {
    world.resources().get::<NoGround>().is_none()
}

/// Returns the largest pitch, in rad, that keeps an orbit of radius `distance` so many meters above the ground. A larger
/// pitch puts the camera farther below its target. The result is negative for a target below that height.
pub(super) fn max_pitch(target: Vec3, distance: f32, above: f32) -> f32 {
    // Rounding may make a distance of 0 slightly negative.
    let distance = distance.max(0.0);
    let drop = (target.y + HALF_EXTENT - above).clamp(-distance, distance);
    let level = (distance * distance - drop * drop).sqrt();
    yaw_and_pitch(Vec3::new(0.0, drop, -level)).1
}

/// Moves a flying camera, but not down through the ground. A camera that is below already goes no farther down. One that
/// falls, or whose scene has no ground, goes anywhere.
pub(super) fn fly_to(world: &mut World, camera: Entity, to: Position) {
    let Ok(&Position(from)) = world.get::<&Position>(camera) else { return };
    let falls = world.has::<Gravity>(camera);
    let mut to = to.clamped();
    if !falls && has_ground(world) {
        to.0.y = to.0.y.max((MIN_HEIGHT - HALF_EXTENT).min(from.y));
    }
    if let Ok(position) = world.get_mut(camera) {
        *position = to;
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_6};

    use super::*;

    #[test]
    fn an_orbit_becomes_level_near_the_ground() {
        let above = |height: f32| Vec3::new(0.0, 10.0 - HALF_EXTENT + height, 0.0);
        let max_pitch = |target, distance| max_pitch(target, distance, 10.0);
        assert!((max_pitch(above(50.0), 100.0) - FRAC_PI_6).abs() < 1e-6, "asin(50 / 100)");
        assert_eq!(max_pitch(above(50.0), 20.0), FRAC_PI_2, "high enough for any view");
        assert!((max_pitch(above(-50.0), 100.0) + FRAC_PI_6).abs() < 1e-6, "above its target");
        assert!(max_pitch(above(50.0), -1e-7).is_finite());
    }
}
