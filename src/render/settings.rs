//! Render settings: effects, geometry and culling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

use crate::names::names;

/// A preset of effects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Cubes, ground and sky; for software adapters.
    Low,
    /// Adds fog, antialiasing, dither, and ambient occlusion by the depth in the block of cubes.
    Medium,
    /// Adds shadows, ambient occlusion in screen space, and bloom.
    #[default]
    High,
}

names!(Quality { Low => "low", Medium => "medium", High => "high" });

impl Quality {
    /// The effects of this preset.
    pub const fn effects(self) -> Effects {
        Effects {
            ground: true,
            fog: !matches!(self, Self::Low),
            msaa: !matches!(self, Self::Low),
            shadows: matches!(self, Self::High),
            ao: match self {
                Self::Low => AmbientOcclusion::Off,
                Self::Medium => AmbientOcclusion::Block,
                Self::High => AmbientOcclusion::Screen,
            },
            bloom: matches!(self, Self::High),
            dither: !matches!(self, Self::Low),
        }
    }
}

/// Which surfaces get less ambient light because others are near.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum AmbientOcclusion {
    /// None.
    #[default]
    Off,
    /// Darkens faces deep in the block of cubes, by a formula. Without shadows it dims the sun, too.
    Block,
    /// Also darkens, in screen space, surfaces beside nearer ones. OpenGL uses block instead.
    Screen,
}

names!(AmbientOcclusion { Off => "off", Block => "block", Screen => "screen" });

/// What is drawn besides plain cubes and the sky.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Effects {
    /// The ground plane with its grid.
    pub ground: bool,
    /// Distant cubes fade into the sky. The ground always does.
    pub fog: bool,
    /// Multisample antialiasing with four samples per pixel.
    pub msaa: bool,
    /// Cubes cast shadows.
    pub shadows: bool,
    /// Ambient occlusion.
    #[serde(default)]
    pub ao: AmbientOcclusion,
    /// Emissive cubes glow beyond their edges. OpenGL has none.
    #[serde(default)]
    pub bloom: bool,
    /// Noise below one step of a byte, so that gradients show no bands.
    #[serde(default)]
    pub dither: bool,
}

impl Default for Effects {
    /// Those of the default [`Quality`].
    fn default() -> Self {
        Quality::default().effects()
    }
}

/// How cubes become triangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Geometry {
    /// Vertex pulling: the vertex shader fetches cubes from storage buffers.
    ///
    /// It generates the three faces toward the camera, 7 vertices and 6 triangles. Needs storage buffers
    /// in vertex shaders, and flat values from the first vertex of a triangle, which OpenGL does not
    /// guarantee.
    #[default]
    Pulled,
    /// Instances of a mesh of 24 vertices and 12 triangles. Works on every adapter.
    Instanced,
}

names!(Geometry { Pulled => "pulled", Instanced => "instanced" });

/// Which cubes are skipped or simplified.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Culling {
    /// Skips cubes outside the view frustum.
    pub frustum: bool,
    /// Draws cubes whose edge is shorter than this, in pixels, as one triangle of the same area and
    /// mean color. 0 disables it.
    pub small_below: f32,
}

impl Culling {
    /// Draws every cube in full.
    pub const OFF: Self = Self { frustum: false, small_below: 0.0 };
    /// Skips cubes outside the frustum and simplifies those below 3 pixels.
    pub const ON: Self = Self { frustum: true, small_below: 3.0 };

    pub(super) fn is_off(self) -> bool {
        !self.frustum && self.small_below <= 0.0
    }
}

impl Default for Culling {
    /// [`OFF`](Self::OFF).
    fn default() -> Self {
        Self::OFF
    }
}

/// How a renderer draws. The default is that of images and videos: the best quality, every cube.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderSettings {
    /// What is drawn besides plain cubes and the sky.
    pub effects: Effects,
    /// How cubes become triangles. `pulled` falls back to `instanced` if the adapter lacks support or
    /// its storage buffers are too small.
    pub geometry: Geometry,
    /// Which cubes are skipped or simplified; only with `pulled`.
    pub culling: Culling,
}

/// Prints the effects and the culling in use, such as `ground, fog, msaa`.
impl fmt::Display for RenderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { effects, culling, .. } = self;
        let switches = [
            ("ground", effects.ground),
            ("fog", effects.fog),
            ("msaa", effects.msaa),
            ("shadows", effects.shadows),
            ("culling", culling.frustum),
        ];
        let enabled = switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned());
        let small = (culling.small_below > 0.0)
            .then(|| format!("small cubes below {} px", culling.small_below));
        let others = [
            ("block ao", effects.ao == AmbientOcclusion::Block),
            ("screen ao", effects.ao == AmbientOcclusion::Screen),
            ("bloom", effects.bloom),
            ("dither", effects.dither),
        ];
        let others = others.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned());
        f.write_str(&enabled.chain(small).chain(others).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_quality_adds_effects() {
        let effects = |quality: Quality| {
            RenderSettings { effects: quality.effects(), ..RenderSettings::default() }.to_string()
        };
        let [low, medium, high] = [Quality::Low, Quality::Medium, Quality::High].map(effects);
        assert_eq!(low, "ground");
        assert_eq!(medium, "ground, fog, msaa, block ao, dither");
        assert_eq!(high, "ground, fog, msaa, shadows, screen ao, bloom, dither");
    }
}
