//! Position, rotation and scale.

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};

/// Centre of an entity in world coordinates. The GPU reads these 12 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Position(
    /// In m.
    pub Vec3,
);

/// Orientation of an entity; the default faces -Z. The GPU reads these 16 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Rotation(
    /// Unit quaternion from local to world axes.
    pub Quat,
);

/// Size of an entity; the default is 1 m. The GPU reads these 4 bytes unconverted.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Scale(
    /// Edge length of a cube, in m.
    pub f32,
);

const _: () = assert!(size_of::<Position>() == 12);
const _: () = assert!(size_of::<Rotation>() == 16);
const _: () = assert!(size_of::<Scale>() == 4);

impl Default for Scale {
    fn default() -> Self {
        Self(1.0)
    }
}

/// Bundle that places an entity in the world, stored as three components.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transform {
    /// Centre.
    pub position: Position,
    /// Orientation.
    pub rotation: Rotation,
    /// Size.
    pub scale: Scale,
}
