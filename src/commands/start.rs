//! Start: the simulation that the flags ask for.

use super::CommandError;
use crate::cli::{LoadArgs, SceneArgs};
use crate::sim::{LoadError, Simulation};

/// A new scene, or one that was saved and is loaded.
pub(super) enum Start {
    New(SceneArgs),
    Loaded(Box<Simulation>),
}

impl Start {
    /// Loads what is to be loaded; a new scene is made later on.
    pub(super) fn of(scene: &SceneArgs, load: &LoadArgs) -> Result<Self, LoadError> {
        Ok(match &load.load {
            Some(path) => Self::Loaded(Box::new(Simulation::load(path)?)),
            None => Self::New(scene.clone()),
        })
    }

    /// How many cubes there will be.
    #[cfg(feature = "render")]
    pub(super) fn cubes(&self) -> usize {
        match self {
            Self::New(scene) => scene.start().cubes(),
            Self::Loaded(simulation) => simulation.cubes().count(),
        }
    }

    /// The simulation.
    pub(super) fn simulation(self) -> Result<Simulation, CommandError> {
        Ok(match self {
            Self::New(scene) => Simulation::new(scene.start(), scene.mode())?,
            Self::Loaded(simulation) => *simulation,
        })
    }
}
