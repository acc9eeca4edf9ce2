//! What a simulation is made from.

use std::sync::Arc;

use super::{FallMode, SceneSettings, Tuning};
use crate::components::{Coloring, Motion};
use crate::scenes::Scene;

/// What a simulation is made from: the settings of the classic scene, or a scene file.
#[derive(Clone, PartialEq, Debug)]
pub enum SceneSource {
    /// The classic scene: random cubes in a box.
    Classic(SceneSettings),
    /// A scene file.
    File(Arc<Scene>),
}

impl SceneSource {
    /// Number of entities, without the camera.
    pub fn cubes(&self) -> usize {
        match self {
            Self::Classic(settings) => settings.cubes as usize,
            Self::File(scene) => scene.len(),
        }
    }

    /// Random seed.
    pub fn seed(&self) -> u64 {
        match self {
            Self::Classic(settings) => settings.seed,
            Self::File(scene) => scene.seed,
        }
    }

    /// Fall mode of the scene, unless another one is asked for.
    pub fn mode(&self) -> FallMode {
        match self {
            Self::Classic(_) => FallMode::default(),
            Self::File(scene) => scene.mode,
        }
    }

    /// How the motion of cubes is computed, unless another one is asked for.
    pub fn motion(&self) -> Motion {
        match self {
            Self::Classic(_) => Motion::default(),
            Self::File(scene) => scene.motion,
        }
    }

    /// Factors at the start.
    pub fn tuning(&self) -> Tuning {
        match self {
            Self::Classic(_) => Tuning::default(),
            Self::File(scene) => scene.tuning.into(),
        }
    }

    /// Palette at the start; `None` if each cube has a color of its own.
    pub fn coloring(&self) -> Option<Coloring> {
        match self {
            Self::Classic(_) => Some(Coloring::default()),
            Self::File(scene) => {
                scene.palette.map(|palette| Coloring { palette, by: scene.color_by })
            }
        }
    }
}

impl From<SceneSettings> for SceneSource {
    fn from(settings: SceneSettings) -> Self {
        Self::Classic(settings)
    }
}

impl From<&Arc<Scene>> for SceneSource {
    fn from(scene: &Arc<Scene>) -> Self {
        Self::File(Arc::clone(scene))
    }
}
