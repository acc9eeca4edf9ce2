//! Start: what a simulation begins with.

#[cfg(feature = "scenes")]
use std::sync::Arc;

use super::{FallMode, SceneSettings, Simulation, Tuning};
use crate::ecs::Error;
#[cfg(feature = "scenes")]
use crate::scenes::Scene;

/// What a simulation begins with, and begins again with.
#[derive(Clone, PartialEq, Debug)]
pub enum SceneSource {
    /// The classic scene.
    Classic(SceneSettings),
    /// The scene of a file.
    #[cfg(feature = "scenes")]
    File(Arc<Scene>),
}

impl SceneSource {
    /// How many entities there will be beside the camera.
    #[must_use]
    pub fn cubes(&self) -> usize {
        match self {
            Self::Classic(settings) => settings.cubes as usize,
            #[cfg(feature = "scenes")]
            Self::File(scene) => scene.len(),
        }
    }

    /// Start of the random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        match self {
            Self::Classic(settings) => settings.seed,
            #[cfg(feature = "scenes")]
            Self::File(scene) => scene.seed(),
        }
    }

    /// Who falls, if nobody says otherwise.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        match self {
            Self::Classic(_) => FallMode::default(),
            #[cfg(feature = "scenes")]
            Self::File(scene) => scene.mode(),
        }
    }

    /// How strongly and how fast everything moves at the start.
    #[must_use]
    pub fn tuning(&self) -> Tuning {
        match self {
            Self::Classic(_) => Tuning::default(),
            #[cfg(feature = "scenes")]
            Self::File(scene) => scene.tuning(),
        }
    }

    /// Makes the scene.
    ///
    /// # Errors
    /// There is not enough memory for so many entities.
    pub fn simulation(&self, mode: FallMode) -> Result<Simulation, Error> {
        match self {
            Self::Classic(settings) => Simulation::new(*settings, mode),
            #[cfg(feature = "scenes")]
            Self::File(scene) => Simulation::from_scene(scene, mode),
        }
    }
}
