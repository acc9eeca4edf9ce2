//! Numbers of drawn cubes.

use super::culling::VisibleCounts;

/// How many cubes a frame draws, and how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DrawStats {
    /// Cubes in the scene.
    pub total: u32,
    /// Cubes drawn with their faces.
    pub full: u32,
    /// Cubes drawn as one triangle.
    pub small: u32,
}

impl DrawStats {
    /// Returns the numbers for a scene of `total` cubes. If `visible` is `None`, all count as drawn in full.
    pub(super) fn new(total: u32, visible: Option<VisibleCounts>) -> Self {
        match visible {
            Some(visible) => Self { total, full: visible.in_full(), small: visible.small },
            None => Self { total, full: total, small: 0 },
        }
    }
}
