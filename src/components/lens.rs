//! Lens: how a camera sees. An entity with a lens is the camera.

use bytemuck::{Pod, Zeroable};

/// Perspective of a camera; it sees to infinity.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Lens {
    /// Vertical field of view, in rad.
    pub fov_y: f32,
    /// Distance of the near plane, in m.
    pub near: f32,
}

impl Default for Lens {
    /// 50 degrees, near plane at 0.1 m.
    fn default() -> Self {
        Self { fov_y: 50_f32.to_radians(), near: 0.1 }
    }
}
