//! Picking: which cube a ray meets first.
//!
//! A [sweep](sweep) over the packed positions and scales finds the cubes whose bounding spheres the
//! ray pierces, a handful out of a million; of these the faces are [met](block) exactly.

mod block;
mod ray;
mod sweep;
#[cfg(test)]
mod tests;

pub use self::ray::Ray;
pub(super) use self::sweep::nearest;
use crate::ecs::Entity;

/// What a ray met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hit {
    /// Which cube.
    pub entity: Entity,
    /// How far along the ray its surface is, in m.
    pub distance: f32,
}
