//! The view of a camera, and rays through its pixels.

use glam::{Vec2, Vec3};

use super::exact::rotated;
use crate::components::{Lens, Position, Rotation, Velocity};
use crate::sim::Ray;

/// Position, orientation and perspective of the camera.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CameraView {
    /// Position.
    pub position: Position,
    /// Orientation; the view is along local -Z.
    pub rotation: Rotation,
    /// Perspective.
    pub lens: Lens,
}

/// Whether the view widens while the camera falls: a resource of the world.
#[derive(Clone, Copy)]
pub(in crate::sim) struct WidenedView(pub(in crate::sim) bool);

impl Lens {
    /// Largest growth of the field of view, in rad: 14 degrees.
    const WIDENING: f32 = 0.244;
    /// Speed at which half of it is reached, in m/s.
    const WIDENING_SPEED: f32 = 30.0;

    /// Returns the lens at a speed.
    pub(super) fn widened(self, Velocity(velocity): Velocity) -> Self {
        let squared = velocity.length_squared();
        let share = squared / (squared + Self::WIDENING_SPEED * Self::WIDENING_SPEED);
        Self { fov_y: (self.fov_y + Self::WIDENING * share).min(Self::FOV_Y[1]), ..self }
    }
}

/// Nearest and farthest orbit target in front of the camera, in m, where no cube is given.
const TARGET_AHEAD: [f32; 2] = [20.0, 400.0];

impl CameraView {
    /// Returns the direction of the view, and the distance along it of an orbit target where no cube is given, in m: how
    /// far ahead the scene's origin is, within [`TARGET_AHEAD`].
    pub(super) fn ahead(&self) -> (Vec3, f32) {
        let forward = rotated(self.rotation.0, Vec3::NEG_Z);
        let [nearest, farthest] = TARGET_AHEAD;
        (forward, (-self.position.0.dot(forward)).clamp(nearest, farthest))
    }

    /// Returns the ray through a point of an image whose width is `aspect` times its height. The
    /// point is in normalized device coordinates: -1 is the left or lower edge, 1 the right or upper
    /// one. `None` if a number is not finite.
    pub fn ray(&self, point: Vec2, aspect: f32) -> Option<Ray> {
        let edge = (self.lens.fov_y / 2.0).tan();
        let local = Vec3::new(point.x * edge * aspect, point.y * edge, -1.0);
        Ray::new(self.position.0, self.rotation.0 * local)
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn rays_match_the_perspective() {
        // 90 degrees high: at distance 1 the upper edge is 1 m above the center.
        let view = CameraView {
            position: Position(Vec3::new(1.0, 2.0, 3.0)),
            rotation: Rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)),
            lens: Lens { fov_y: std::f32::consts::FRAC_PI_2, near: 0.1 },
        };
        // After a turn of 90 degrees to the left, forward is -X and right is -Z.
        for (point, toward) in [
            (Vec2::ZERO, Vec3::NEG_X),
            (Vec2::Y, Vec3::new(-1.0, 1.0, 0.0)),
            (Vec2::X, Vec3::new(-1.0, 0.0, -2.0)),
            (Vec2::new(-1.0, -1.0), Vec3::new(-1.0, -1.0, 2.0)),
        ] {
            let ray = view.ray(point, 2.0).unwrap();
            assert_eq!(ray.origin(), view.position.0);
            assert!((ray.direction() - toward.normalize()).length() < 1e-6, "{point}");
        }
        assert_eq!(view.ray(Vec2::new(f32::NAN, 0.0), 2.0), None);
        assert_eq!(view.ray(Vec2::ZERO, f32::INFINITY), None);
    }
}
