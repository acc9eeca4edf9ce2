//! Velocity: how an entity moves.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Velocity of an entity; the default is at rest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Velocity(
    /// In m/s.
    pub Vec3,
);

const _: () = assert!(size_of::<Velocity>() == 12);
