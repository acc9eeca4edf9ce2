//! Opens the simulation that the flags describe.

use super::CommandError;
use crate::cli::SimulationArgs;
use crate::memory::{self, CubeMemory};
use crate::sim::{BYTES_PER_CUBE, Simulation, SnapshotFile};

/// Memory for cubes that are simulated only.
pub(super) const SIMULATED: CubeMemory = CubeMemory::new(BYTES_PER_CUBE);

/// Loads a saved simulation or creates a scene.
///
/// Before cubes are created, checks that `memory` suffices, which is not less than [`SIMULATED`], and
/// calls `check` with their number.
pub(super) fn open_simulation(
    args: &SimulationArgs,
    memory: CubeMemory,
    check: impl FnOnce(usize) -> Result<(), CommandError>,
) -> Result<Simulation, CommandError> {
    let mut simulation = load_or_create(args, memory, check)?;
    if let Some(motion) = args.scene.chosen_motion() {
        simulation.set_motion(motion)?;
    }
    if let Some(coloring) = args.coloring(simulation.coloring()) {
        simulation.set_coloring(Some(coloring))?;
    }
    Ok(simulation)
}

fn load_or_create(
    args: &SimulationArgs,
    memory: CubeMemory,
    check: impl FnOnce(usize) -> Result<(), CommandError>,
) -> Result<Simulation, CommandError> {
    if let Some(path) = &args.load {
        let file = SnapshotFile::open(path)?;
        memory::check(&path.display().to_string(), file.memory_need())?;
        let mut simulation = file.load()?;
        // Resumes a state saved during a pause, since these commands have no key for it.
        simulation.set_paused(false);
        let (cubes, rest) = (simulation.cubes().count(), memory.per_cube - BYTES_PER_CUBE);
        CubeMemory { per_cube: rest, ..memory }.check(cubes)?;
        check(cubes)?;
        return Ok(with_camera(simulation, args));
    }
    let source = args.scene.source();
    memory.check(source.cubes())?;
    check(source.cubes())?;
    Ok(with_camera(
        Simulation::with_motion(source, args.scene.mode(), args.scene.chosen_motion())?,
        args,
    ))
}

fn with_camera(mut simulation: Simulation, args: &SimulationArgs) -> Simulation {
    simulation.camera_mut().set_up(&args.scene.camera());
    simulation
}
