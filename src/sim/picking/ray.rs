//! Rays.

use glam::Vec3;

/// A half-line from a point in one direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// Returns a ray from `origin`, in m, along `direction` of any length. `None` if a number is not
    /// finite or the direction is zero.
    pub fn new(origin: Vec3, direction: Vec3) -> Option<Self> {
        // In f64 no square overflows or underflows.
        let direction = direction.as_dvec3().try_normalize()?.as_vec3();
        (origin.is_finite() && direction.is_finite()).then_some(Self { origin, direction })
    }

    /// Start of the ray, in m.
    pub const fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Unit vector along the ray.
    pub const fn direction(&self) -> Vec3 {
        self.direction
    }

    /// Returns the point at a distance along the ray, in m.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_of_any_length_is_normalized() {
        for length in [1e-30, 1e-3, 1.0, 7.0, 1e30] {
            let ray = Ray::new(Vec3::ONE, Vec3::new(0.6, 0.0, -0.8) * length).unwrap();
            assert!((ray.direction() - Vec3::new(0.6, 0.0, -0.8)).length() < 1e-6, "{length}");
            assert!((ray.at(5.0) - Vec3::new(4.0, 1.0, -3.0)).length() < 1e-5);
        }
    }

    #[test]
    fn zero_and_non_finite_vectors_are_refused() {
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(Ray::new(Vec3::ZERO, Vec3::new(0.0, wrong, 1.0)), None);
            assert_eq!(Ray::new(Vec3::new(wrong, 0.0, 0.0), Vec3::Z), None);
        }
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::ZERO), None);
    }
}
