//! Transform: where an entity is, which way it faces and how large it is.

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};

/// Position, size and orientation; 32 bytes, read by the GPU as they lie.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Transform {
    /// Centre, in m.
    pub position: Vec3,
    /// Edge length of a cube, in m; 1 for what has no size.
    pub scale: f32,
    /// Unit quaternion that turns local axes into world axes.
    pub rotation: Quat,
}

const _: () = assert!(size_of::<Transform>() == 32);

impl Transform {
    /// At `position`, facing -Z, of unit size.
    #[must_use]
    pub const fn at(position: Vec3) -> Self {
        Self { position, scale: 1.0, rotation: Quat::IDENTITY }
    }
}
