//! Scale: how large an entity is.

use bytemuck::{Pod, Zeroable};

/// Size of an entity; 4 bytes, sent to the GPU as they lie.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Scale(
    /// Edge length of a cube, in m.
    pub f32,
);

const _: () = assert!(size_of::<Scale>() == 4);

impl Default for Scale {
    /// The unit cube.
    fn default() -> Self {
        Self(1.0)
    }
}
