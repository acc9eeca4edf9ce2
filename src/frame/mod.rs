//! The view of a simulation that the renderer draws.
//!
//! The simulation and the renderer do not know each other. [`scene_view`] passes the packed component
//! arrays from one to the other without a copy, together with what has changed in them.

#[cfg(feature = "cli")]
mod memory;

#[cfg(feature = "cli")]
pub use memory::{check_size, cube_memory};

use crate::components::Position;
use crate::ecs::{self, Changes, Component};
use crate::render::{CHANGE_CHUNK, ChangeTracked, SceneView};
use crate::sim::{HALF_EXTENT, Simulation};

const _: () = assert!(ecs::CHANGE_CHUNK == CHANGE_CHUNK);

/// Height of the ground in scenes without one: too far below for anything but sky to be visible.
const NO_GROUND: f32 = -1e6;

/// Returns what the camera of `simulation` sees now, borrowed from its arrays.
pub fn scene_view(simulation: &Simulation) -> SceneView<'_> {
    let camera = simulation.camera().view();
    SceneView {
        camera_position: camera.position,
        camera_rotation: camera.rotation,
        lens: camera.lens,
        light: simulation.light(),
        ground_height: if simulation.has_ground() { -HALF_EXTENT } else { NO_GROUND },
        shadow_center: Position::default(),
        shadow_extent: HALF_EXTENT,
        field: None,
        positions: change_tracked(simulation),
        rotations: change_tracked(simulation),
        scales: change_tracked(simulation),
        colors: change_tracked(simulation),
        outlined: None,
    }
}

fn change_tracked<T: Component>(simulation: &Simulation) -> ChangeTracked<'_, T> {
    let cubes = simulation.cubes();
    let Changes { latest, everywhere, chunks } = cubes.changes::<T>();
    ChangeTracked { values: cubes.slice(), latest: *latest, everywhere: *everywhere, chunks }
}
