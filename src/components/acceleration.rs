//! Acceleration: what moves an entity beside gravity.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Acceleration of an entity by anything but gravity; none by default.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Acceleration(
    /// In m/s2.
    pub Vec3,
);

const _: () = assert!(size_of::<Acceleration>() == 12);
