//! Settings: how the picture is drawn.

use std::fmt;

/// A choice of effects by how much they ask of the adapter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quality {
    /// Cubes, ground and sky; for software adapters.
    Low,
    /// Also fog and smooth edges.
    Medium,
    /// Also shadows.
    High,
}

impl Quality {
    /// All of them, by what they ask.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The effects it stands for.
    #[must_use]
    pub const fn effects(self) -> Effects {
        Effects {
            ground: true,
            fog: !matches!(self, Self::Low),
            msaa: !matches!(self, Self::Low),
            shadows: matches!(self, Self::High),
        }
    }
}

/// Prints the word.
impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is drawn beside the bare cubes and the sky.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is on or off whatever the others are")]
pub struct Effects {
    /// The plane the cubes vanish in.
    pub ground: bool,
    /// Distance fades into the sky.
    pub fog: bool,
    /// Edges are smooth: four samples to a pixel.
    pub msaa: bool,
    /// Cubes throw shadows.
    pub shadows: bool,
}

/// How cubes become triangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Geometry {
    /// The vertex shader pulls each cube from storage buffers and makes the three faces that are
    /// turned to the camera: 7 vertices and 6 triangles to a cube. Needs storage buffers in vertex
    /// shaders, and that the first vertex of a triangle is the one a flat value comes from, which
    /// OpenGL does not promise.
    Pulled,
    /// One instance of a mesh of 24 vertices and 12 triangles to a cube; works everywhere.
    Instanced,
}

impl Geometry {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Pulled, Self::Instanced];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pulled => "pulled",
            Self::Instanced => "instanced",
        }
    }
}

/// What is left out or drawn cheaper because nobody can see the difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Selection {
    /// Cubes outside of the picture are not drawn.
    pub culling: bool,
    /// Cubes whose edge is shorter than this in the picture, in pixels, are drawn as one triangle of
    /// the same area and mean colour; 0 for none.
    pub small_below: f32,
}

impl Selection {
    /// Everything is drawn in full.
    pub const EXACT: Self = Self { culling: false, small_below: 0.0 };
    /// What cannot be seen is left out; what is about as small as a pixel is drawn cheaper.
    pub const VISIBLE: Self = Self { culling: true, small_below: 3.0 };

    pub(super) fn is_exact(self) -> bool {
        !self.culling && self.small_below <= 0.0
    }
}

/// How a [`Renderer`](super::Renderer) draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RenderSettings {
    /// What is drawn.
    pub effects: Effects,
    /// How cubes become triangles. `Pulled` falls back to `Instanced` where the adapter cannot do it
    /// or its storage buffers are too small for the cubes.
    pub geometry: Geometry,
    /// What is left out; applies to `Pulled` alone.
    pub selection: Selection,
}
