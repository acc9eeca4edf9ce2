//! Numbers of drawn cubes.

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
