//! Opens the simulation that the flags describe.

use super::CommandError;
use crate::cli::SimulationArgs;
use crate::sim::Simulation;

/// Loads a saved simulation or creates a scene.
///
/// Calls `check` with the number of cubes before it creates them.
pub(super) fn open_simulation(
    args: &SimulationArgs,
    check: impl FnOnce(usize) -> Result<(), CommandError>,
) -> Result<Simulation, CommandError> {
    if let Some(path) = &args.load {
        let simulation = Simulation::load(path)?;
        check(simulation.cubes().count())?;
        return Ok(simulation);
    }
    let source = args.scene.source();
    check(source.cubes())?;
    Ok(Simulation::new(source, args.scene.mode())?)
}
