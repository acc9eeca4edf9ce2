//! Block: a ray against the faces of one turned cube.

use super::Ray;
use crate::components::{Position, Rotation, Scale};

/// How far along the ray it enters the cube, in m. None if it misses the cube, or starts inside: no
/// face is seen from within, so what lies behind is what is meant.
///
/// The part of the ray within each of the three pairs of faces is an interval (Kay and Kajiya, "Ray
/// Tracing Complex Scenes", 1986); what they share is inside of the cube. In `f64`: few cubes come
/// this far, and at their edges it shows.
pub(super) fn entry(
    ray: &Ray,
    Position(position): Position,
    Rotation(rotation): Rotation,
    Scale(edge): Scale,
) -> Option<f64> {
    let half = 0.5 * f64::from(edge);
    let back = rotation.as_dquat().normalize().inverse();
    let origin = back * (ray.origin().as_dvec3() - position.as_dvec3());
    let direction = back * ray.direction().as_dvec3();
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let (from, along) = (origin[axis], direction[axis]);
        if along == 0.0 {
            // Along the faces: between them all the way, or never.
            if from.abs() > half {
                return None;
            }
            continue;
        }
        let (a, b) = ((-half - from) / along, (half - from) / along);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    // A cube without size has no surface to be met.
    (half > 0.0 && enter >= 0.0 && enter <= leave).then_some(enter)
}
