//! Rigid body: the motion of an entity.

use super::{Acceleration, Velocity};

/// What moves under forces; the default is at rest. Stored field by field, each in a packed array
/// of its own.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidBody {
    /// How it moves.
    pub velocity: Velocity,
    /// What moves it beside gravity.
    pub acceleration: Acceleration,
}
