//! Frame: where the simulation and the renderer meet.
//!
//! Neither knows the other. What passes between them in a frame is the packed arrays, as they lie.

use crate::render::Scene;
use crate::sim::Simulation;

/// What the camera of `simulation` sees now, borrowed from its arrays.
#[must_use]
pub fn scene(simulation: &Simulation) -> Scene<'_> {
    let camera = simulation.camera();
    Scene {
        camera: camera.transform,
        lens: camera.lens,
        transforms: simulation.transforms(),
        colors: simulation.colors(),
        colors_revision: simulation.colors_revision(),
    }
}
