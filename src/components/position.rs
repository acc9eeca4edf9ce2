//! Position: where an entity is.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Centre of an entity; 12 bytes, sent to the GPU as they lie.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Position(
    /// In m.
    pub Vec3,
);

const _: () = assert!(size_of::<Position>() == 12);
