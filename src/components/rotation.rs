//! Rotation: which way an entity faces.

use bytemuck::{Pod, Zeroable};
use glam::Quat;

/// Orientation of an entity; 16 bytes, sent to the GPU as they lie. The default faces -Z.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Rotation(
    /// Unit quaternion that turns local axes into world axes.
    pub Quat,
);

const _: () = assert!(size_of::<Rotation>() == 16);
