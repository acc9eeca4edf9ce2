//! Position, rotation and scale.

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Center of an entity in world coordinates, in m. The GPU reads these 12 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Position(#[serde(serialize_with = "Position::serialize_clamped")] pub Vec3);

/// Orientation of an entity: the unit quaternion from local to world axes. The default faces -Z.
/// The GPU reads these 16 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Rotation(pub Quat);

/// Edge length of a cube, in m; the default is 1. The GPU reads these 4 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Scale(pub f32);

const _: () = assert!(size_of::<Position>() == 12);
const _: () = assert!(size_of::<Rotation>() == 16);
const _: () = assert!(size_of::<Scale>() == 4);

impl Scale {
    /// Distance of the corners from the center of a cube with edge 1: half its diagonal, rounded up for `f32` errors.
    pub(crate) const RADIUS: f32 = 0.867;
}

impl Default for Scale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// Bundle that places an entity in the world, stored as three components.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transform {
    /// Center.
    pub position: Position,
    /// Orientation.
    pub rotation: Rotation,
    /// Size.
    pub scale: Scale,
}
