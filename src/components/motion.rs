//! Velocity, acceleration, gravity and spin.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Velocity of an entity, in m/s; the default is at rest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Velocity(#[serde(serialize_with = "Velocity::serialize_clamped")] pub Vec3);

/// Acceleration of an entity by anything but gravity, in m/s²; the default is none.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Acceleration(#[serde(serialize_with = "Acceleration::serialize_clamped")] pub Vec3);

/// Acceleration of an entity by gravity, in m/s². Each entity has its own.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Gravity(#[serde(serialize_with = "Gravity::serialize_clamped")] pub Vec3);

/// Linear drag of an entity: the rate at which its velocity approaches the terminal velocity, in 1/s. The
/// terminal velocity is acceleration over rate.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Drag(pub f32);

/// Spin of an entity about its center, in rad/s: a right-handed axis in world coordinates, with the
/// rate as its length. The default does not turn.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct AngularVelocity(
    #[serde(serialize_with = "AngularVelocity::serialize_clamped")] pub Vec3,
);

const _: () = assert!(size_of::<Velocity>() == 12);
const _: () = assert!(size_of::<Acceleration>() == 12);
const _: () = assert!(size_of::<Gravity>() == 12);
const _: () = assert!(size_of::<AngularVelocity>() == 12);
const _: () = assert!(size_of::<Drag>() == 4);

impl Acceleration {
    /// Returns the total acceleration with a gravity times a factor, in m/s². [`integrate`](crate::sim::integrate) computes
    /// the same on flat slices of numbers.
    #[inline]
    pub fn with_gravity(self, gravity: Gravity, factor: f32) -> Vec3 {
        self.0 + gravity.0 * factor
    }
}

impl Gravity {
    /// Standard gravity along -Y: 9.80665 m/s² (ISO 80000-3).
    pub const STANDARD: Self = Self(Vec3::new(0.0, -9.806_65, 0.0));
}

/// Bundle of a moving entity's velocity and acceleration; the default is at rest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RigidBody {
    /// Velocity.
    pub velocity: Velocity,
    /// Acceleration by anything but gravity.
    pub acceleration: Acceleration,
}
