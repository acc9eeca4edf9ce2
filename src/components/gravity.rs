//! Gravity: the pull on an entity.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Acceleration by gravity, each entity its own.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Gravity(
    /// In m/s2.
    pub Vec3,
);

const _: () = assert!(size_of::<Gravity>() == 12);

impl Gravity {
    /// Standard gravity, along -Y: 9.80665 m/s2 (ISO 80000-3), as it pulls the camera.
    pub const STANDARD: Self = Self(Vec3::new(0.0, -9.806_65, 0.0));
}
