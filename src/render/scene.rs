//! Scene: what one frame shows.

use super::Tracked;
use crate::components::{Color, Lens, Light, Position, Rotation, Scale, Transform};

/// What one frame shows, borrowed from packed arrays.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where the camera is.
    pub position: Position,
    /// Which way it looks.
    pub rotation: Rotation,
    /// How it sees.
    pub lens: Lens,
    /// What lights the cubes, and the sky behind them.
    pub light: Light,
    /// Height of the ground, in m.
    pub ground: f32,
    /// Half the edge of the box about the origin in which cubes throw shadows, in m.
    pub extent: f32,
    /// One to a cube.
    pub positions: Tracked<'a, Position>,
    /// One to a cube, in the order of the positions.
    pub rotations: Tracked<'a, Rotation>,
    /// One to a cube, in the order of the positions.
    pub scales: Tracked<'a, Scale>,
    /// One to a cube, in the order of the positions.
    pub colors: Tracked<'a, Color>,
    /// The cube that is outlined, if any.
    pub outlined: Option<Transform>,
}

impl Scene<'_> {
    /// The scene with an outline around a cube.
    #[must_use]
    pub fn outlining(self, outlined: Option<Transform>) -> Self {
        Self { outlined, ..self }
    }
}
