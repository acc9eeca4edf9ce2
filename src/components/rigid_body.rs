//! Rigid body: the motion of an entity.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Motion of what moves under forces; the default is at rest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct RigidBody {
    /// In m/s.
    pub velocity: Vec3,
    /// Acceleration by anything but gravity, in m/s2.
    pub acceleration: Vec3,
}

const _: () = assert!(size_of::<RigidBody>() == 24);
