//! Frame: where the simulation and the renderer meet.
//!
//! Neither knows the other. What passes between them in a frame is the packed arrays, as they lie,
//! and which parts of them have changed.

use crate::ecs::{CHANGE_CHUNK, Changes, Component};
use crate::render::{Scene, TRACKED_CHUNK, Tracked};
use crate::sim::{HALF_EXTENT, Simulation};

const _: () = assert!(CHANGE_CHUNK == TRACKED_CHUNK);

/// Height of a ground that nobody sees: so far down that there is nothing but sky in front of it.
const NOWHERE: f32 = -1e6;

/// What the camera of `simulation` sees now, borrowed from its arrays.
#[must_use]
pub fn scene(simulation: &Simulation) -> Scene<'_> {
    let camera = simulation.camera();
    Scene {
        position: camera.position,
        rotation: camera.rotation,
        lens: camera.lens,
        light: simulation.light(),
        ground: if simulation.has_ground() { -HALF_EXTENT } else { NOWHERE },
        extent: HALF_EXTENT,
        positions: tracked(simulation),
        rotations: tracked(simulation),
        scales: tracked(simulation),
        colors: tracked(simulation),
        outlined: None,
    }
}

fn tracked<T: Component>(simulation: &Simulation) -> Tracked<'_, T> {
    let (values, Changes { latest, everywhere, chunks }) = simulation.drawn();
    Tracked { values, latest, everywhere, chunks }
}
