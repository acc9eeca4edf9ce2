//! Angular velocity: how an entity spins.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Spin of an entity about its centre: the axis in world coordinates, its length the rate. The
/// default does not turn.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct AngularVelocity(
    /// In rad/s, right-handed about the vector.
    pub Vec3,
);

const _: () = assert!(size_of::<AngularVelocity>() == 12);
