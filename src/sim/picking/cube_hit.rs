//! Exact intersection of a ray with a rotated cube.

use super::Ray;
use crate::components::{Position, Rotation, Scale};

/// Returns the distance along the ray at which it enters the cube, in m. `None` if it misses the
/// cube or starts inside: faces are visible from outside only.
///
/// Intersects the intervals of the ray between the three pairs of faces (Kay and Kajiya, "Ray
/// Tracing Complex Scenes", 1986). Uses `f64`, since rounding is visible at edges and few cubes are
/// tested.
pub(super) fn entry_distance(
    ray: &Ray,
    Position(position): Position,
    Rotation(rotation): Rotation,
    Scale(edge): Scale,
) -> Option<f64> {
    let half = 0.5 * f64::from(edge);
    let to_local = rotation.as_dquat().normalize().inverse();
    let origin = to_local * (ray.origin().as_dvec3() - position.as_dvec3());
    let direction = to_local * ray.direction().as_dvec3();
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let (from, along) = (origin[axis], direction[axis]);
        if along == 0.0 {
            // Parallel to these faces: between them everywhere, or nowhere.
            if from.abs() > half {
                return None;
            }
            continue;
        }
        let (a, b) = ((-half - from) / along, (half - from) / along);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    // A cube without size has no surface.
    (half > 0.0 && enter >= 0.0 && enter <= leave).then_some(enter)
}
