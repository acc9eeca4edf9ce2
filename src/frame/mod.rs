//! The view of a simulation that the renderer draws.
//!
//! The simulation and the renderer do not know each other. [`scene_view`] passes the packed component
//! arrays from one to the other without a copy, together with what has changed in them.

#[cfg(feature = "cli")]
mod memory;

#[cfg(feature = "cli")]
pub use memory::{check_size, cube_memory};

use glam::Vec3;

use crate::components::{EndlessField, Position};
use crate::ecs::Component;
use crate::render::{ChangeTracked, SceneView};
use crate::sim::{HALF_EXTENT, Simulation};

/// Height of the ground in scenes without one: too far below for anything but sky to be visible.
const NO_GROUND: f32 = -1e6;

/// How far the ground sinks at least while an endless field appears, in m.
const GROUND_DROP: f32 = 1500.0;

/// The same in distances of the fog, which hides the ground there.
const GROUND_DROP_IN_FOG: f32 = 2.5;

/// Largest distance at which the air of an endless field lets 1/e of the light through, as a fraction of
/// half the longest period.
const FIELD_FOG: f32 = 0.9;

/// How much of the zenith's light comes from below in an endless field.
const FIELD_NADIR: f32 = 0.7;

/// Returns what the camera of `simulation` sees now, borrowed from its arrays.
pub fn scene_view(simulation: &Simulation) -> SceneView<'_> {
    let (camera, field) = (simulation.camera().view(), simulation.field());
    let mut light = simulation.light();
    let mut ground_height = if simulation.has_ground() { -HALF_EXTENT } else { NO_GROUND };
    let mut shadow_center = Position::default();
    if let Some(EndlessField { period, strength }) = field {
        let fog_distance = light.fog_distance.min(FIELD_FOG * 0.5 * period.max_element());
        // Densities of the air, not distances, are interpolated.
        let density = (1.0 - strength) / light.fog_distance + strength / fog_distance;
        light.fog_distance = density.recip();
        // Without a ground the sky goes on.
        light.nadir = light.nadir.lerp(light.zenith, FIELD_NADIR * strength);
        let drop = GROUND_DROP.max(GROUND_DROP_IN_FOG * light.fog_distance);
        ground_height -= drop * strength * strength;
        if strength == 1.0 {
            ground_height = NO_GROUND;
        }
        if strength >= 0.5 {
            shadow_center = shadow_center_in(period, camera.position.0);
        }
    }
    SceneView {
        camera_position: camera.position,
        camera_rotation: camera.rotation,
        lens: camera.lens,
        light,
        ground_height,
        shadow_center,
        shadow_extent: HALF_EXTENT,
        block_extent: HALF_EXTENT,
        emits: simulation.emits(),
        field,
        positions: change_tracked(simulation),
        rotations: change_tracked(simulation),
        scales: change_tracked(simulation),
        colors: change_tracked(simulation),
        motion: simulation.cubes().evaluated(),
        outlined: None,
        hovered: None,
        dims_others: false,
    }
}

/// Returns the center of the box with shadows: the camera, if all cubes of the field fit into the box, and
/// otherwise the image of the scene's origin nearest to it, with the cubes that are worth it.
fn shadow_center_in(period: Vec3, eye: Vec3) -> Position {
    if period.max_element() <= 2.0 * HALF_EXTENT {
        Position(eye)
    } else {
        Position(eye - EndlessField::wrapped(period, eye))
    }
}

fn change_tracked<T: Component>(simulation: &Simulation) -> ChangeTracked<'_, T> {
    let cubes = simulation.cubes();
    let changes = cubes.changes::<T>();
    ChangeTracked { values: cubes.slice(), latest: changes.latest(), recent: changes.recent() }
}
