//! Simulation source: a scene to create or a saved simulation.

use super::CommandError;
use crate::cli::SimulationArgs;
use crate::components::FallMode;
use crate::sim::{LoadError, SceneSource, Simulation};

/// Initial state of a simulation.
pub(super) enum SimulationSource {
    New(SceneSource, FallMode),
    Saved(Box<Simulation>),
}

impl SimulationSource {
    /// Loads a saved simulation. A new scene is created later.
    pub(super) fn open(args: &SimulationArgs) -> Result<Self, LoadError> {
        Ok(match &args.load {
            Some(path) => Self::Saved(Box::new(Simulation::load(path)?)),
            None => Self::New(args.scene.start(), args.scene.mode()),
        })
    }

    /// Returns the number of cubes.
    #[cfg(feature = "render")]
    pub(super) fn cubes(&self) -> usize {
        match self {
            Self::New(scene, _) => scene.cubes(),
            Self::Saved(simulation) => simulation.cubes().count(),
        }
    }

    /// Returns the simulation, with all cubes created.
    pub(super) fn into_simulation(self) -> Result<Simulation, CommandError> {
        Ok(match self {
            Self::New(scene, mode) => Simulation::new(scene, mode)?,
            Self::Saved(simulation) => *simulation,
        })
    }
}
