//! What a simulation is made from.

use std::sync::Arc;

use super::{FallMode, SceneSettings, Tuning};
use crate::components::{ColorBy, Coloring, Motion};
use crate::scenes::{Bundled, Scene, SceneError};

/// Name of the scene without a file, and of the bundled file that describes it with the default settings.
pub(crate) const CLASSIC: &str = "classic";

/// What a simulation is made from: the settings of the classic scene, or a scene file.
#[derive(Clone, PartialEq, Debug)]
pub enum SceneSource {
    /// The classic scene: random cubes in a box.
    Classic(SceneSettings),
    /// A scene file.
    File(Arc<Scene>),
}

impl SceneSource {
    /// The scene of a bundled file; `classic` is the scene without one, with the default number of cubes.
    ///
    /// # Errors
    /// The file is invalid.
    pub fn of_bundled(bundled: Bundled) -> Result<Self, SceneError> {
        if bundled.name == CLASSIC {
            return Ok(Self::Classic(SceneSettings::default()));
        }
        Ok(Self::File(Arc::new(bundled.scene()?)))
    }

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

    /// Returns `true` if the scene switches the fall mode by itself.
    pub fn switches_mode(&self) -> bool {
        matches!(self, Self::File(scene) if scene.timeline.switch_every.is_some())
    }

    /// Returns `true` if both are the scene without a file, or files of the same name.
    pub fn is_version_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Classic(_), Self::Classic(_)) => true,
            (Self::File(scene), Self::File(other)) => scene.name() == other.name(),
            _ => false,
        }
    }

    /// Returns `true` if both files place the camera in the same way.
    #[cfg(feature = "app")]
    pub(crate) fn has_camera_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(scene), Self::File(other)) => {
                (scene.camera, &scene.camera_path) == (other.camera, &other.camera_path)
            }
            _ => false,
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

    /// What selects the place of a cube in a palette, unless something else is chosen with it.
    pub fn color_by(&self) -> ColorBy {
        match self {
            Self::Classic(_) => ColorBy::default(),
            Self::File(scene) => scene.color_by,
        }
    }
}

impl From<SceneSettings> for SceneSource {
    fn from(settings: SceneSettings) -> Self {
        Self::Classic(settings)
    }
}

impl From<Scene> for SceneSource {
    fn from(scene: Scene) -> Self {
        Self::File(Arc::new(scene))
    }
}

impl From<Arc<Scene>> for SceneSource {
    fn from(scene: Arc<Scene>) -> Self {
        Self::File(scene)
    }
}

impl From<&Arc<Scene>> for SceneSource {
    fn from(scene: &Arc<Scene>) -> Self {
        Self::File(Arc::clone(scene))
    }
}
