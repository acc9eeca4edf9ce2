//! Picking: the first cube that a ray hits.
//!
//! A sweep over the arrays of positions and scales finds the cubes whose bounding spheres the ray
//! meets, a few in a million. Only these are tested exactly.

mod cube_hit;
mod ray;
mod sweep;
#[cfg(test)]
mod tests;

pub use self::ray::Ray;
pub(super) use self::sweep::nearest;
use crate::ecs::Entity;

/// A cube that a ray hits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// The cube.
    pub entity: Entity,
    /// Distance of its surface along the ray, in m.
    pub distance: f32,
}
