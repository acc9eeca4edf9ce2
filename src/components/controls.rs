//! Controls: where the person at the keyboard wants an entity to go and look.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// What steers the camera.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Controls {
    /// Wanted direction of flight in local axes, each from -1 to 1; zero to stay.
    pub motion: Vec3,
    /// Speed of flight, in m/s.
    pub speed: f32,
    /// Turn about world +Y, in rad; 0 looks along -Z, positive to the left.
    pub yaw: f32,
    /// Tilt about local +X, in rad; positive looks up.
    pub pitch: f32,
}

impl Default for Controls {
    /// At rest, level, 40 m/s when it moves.
    fn default() -> Self {
        Self { motion: Vec3::ZERO, speed: 40.0, yaw: 0.0, pitch: 0.0 }
    }
}
