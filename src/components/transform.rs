//! Transform: where an entity is, which way it faces and how large it is.

use super::{Position, Rotation, Scale};

/// What places an entity in the world. Stored field by field, each in a packed array of its own:
/// physics moves positions only, and only these go to the GPU in every frame.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Transform {
    /// Where it is.
    pub position: Position,
    /// Which way it faces.
    pub rotation: Rotation,
    /// How large it is.
    pub scale: Scale,
}
