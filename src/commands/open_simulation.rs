//! Opens the simulation that the flags describe.

use glam::Vec3;

use super::CommandError;
use crate::cli::SimulationArgs;
use crate::components::Motion;
use crate::error_text;
use crate::memory::{self, CubeMemory};
use crate::sim::{BYTES_PER_CUBE, Simulation, SnapshotFile};

/// Memory for cubes that are simulated only.
pub(super) const SIMULATED: CubeMemory = CubeMemory::new(BYTES_PER_CUBE);

/// Loads a saved simulation or creates a scene.
///
/// Before cubes are created, checks that `memory` suffices, which is not less than [`SIMULATED`], and
/// calls `check` with their number and motion.
pub(super) fn open_simulation(
    args: &SimulationArgs,
    memory: CubeMemory,
    check: impl FnOnce(usize, Motion) -> Result<(), CommandError>,
) -> Result<Simulation, CommandError> {
    let mut simulation = load_or_create(args, memory, check)?;
    args.scene.apply_to(&mut simulation)?;
    if let Some(coloring) = args.coloring(&simulation) {
        simulation.set_coloring(Some(coloring))?;
    }
    Ok(simulation)
}

fn load_or_create(
    args: &SimulationArgs,
    memory: CubeMemory,
    check: impl FnOnce(usize, Motion) -> Result<(), CommandError>,
) -> Result<Simulation, CommandError> {
    if let Some(path) = &args.load {
        let file = SnapshotFile::open(path)?;
        memory::check(&error_text::path(path), file.memory_need())?;
        let mut simulation = file.load()?;
        // A state saved during a pause or a flight: these commands have no keys.
        simulation.set_paused(false);
        simulation.camera_mut().controls().motion = Vec3::ZERO;
        let (cubes, rest) = (simulation.cubes().count(), memory.per_cube - BYTES_PER_CUBE);
        CubeMemory { per_cube: rest, ..memory }.check(cubes)?;
        check(cubes, args.scene.chosen_motion().unwrap_or(simulation.motion()))?;
        return with_camera(simulation, args);
    }
    let source = args.scene.source();
    memory.check(source.cubes())?;
    let motion = args.scene.chosen_motion().unwrap_or(source.motion());
    check(source.cubes(), motion)?;
    with_camera(args.scene.create(source, args.scene.mode())?, args)
}

fn with_camera(
    mut simulation: Simulation,
    args: &SimulationArgs,
) -> Result<Simulation, CommandError> {
    simulation.camera_mut().set_up(&args.scene.camera())?;
    Ok(simulation)
}
