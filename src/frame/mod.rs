//! The view of a simulation that the renderer draws.
//!
//! The simulation and the renderer do not know each other. [`scene_view`] passes the packed component
//! arrays from one to the other without a copy, together with what has changed in them.
//!
//! ```no_run
//! use cubefall::frame::scene_view;
//! use cubefall::render::{
//!     Gpu, GpuSettings, OffscreenTarget, RenderSettings, Renderer, Size,
//! };
//! use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
//!
//! async fn draw() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut simulation = Simulation::new(SceneSettings::default(), FallMode::Cubes)?;
//!     simulation.step(TimeStep::default())?;
//!     let gpu = Gpu::headless(&GpuSettings::default()).await?;
//!     let target = OffscreenTarget::new(&gpu, Size::default())?;
//!     let settings = RenderSettings::default();
//!     let mut renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, settings)?;
//!     renderer.draw(&gpu, &scene_view(&simulation), target.target())?;
//!     target.read(&gpu)?.write_png(std::fs::File::create("cubes.png")?)?;
//!     Ok(())
//! }
//! ```

#[cfg(feature = "cli")]
mod memory;

#[cfg(feature = "cli")]
pub use memory::{check_size, cube_memory};

use glam::Vec3;

use crate::components::{EndlessField, Light, Position};
use crate::ecs::Component;
use crate::render::{ChangeTracked, SceneView};
use crate::sim::{HALF_EXTENT, Simulation};

/// Height of the ground in scenes without one: too far below for anything but sky to be visible.
const NO_GROUND: f32 = -1e6;

/// How far the ground sinks at least while an endless field appears, in m.
const GROUND_DROP: f32 = 1500.0;

/// How far the ground sinks at least meanwhile, as a multiple of the fog distance: the fog hides it there.
const GROUND_DROP_IN_FOG: f32 = 2.5;

/// Largest distance at which the air of an endless field lets 1/e of the light through, as a fraction of
/// half the longest period.
const FIELD_FOG: f32 = 0.9;

/// How much of the zenith's light comes from below in an endless field.
const FIELD_NADIR: f32 = 0.7;

/// Returns what the camera of `simulation` sees now, borrowed from its arrays.
pub fn scene_view(simulation: &Simulation) -> SceneView<'_> {
    let camera = simulation.camera().view();
    let view = SceneView {
        camera_position: camera.position,
        camera_rotation: camera.rotation,
        lens: camera.lens,
        light: simulation.light(),
        ground_height: if simulation.has_ground() { -HALF_EXTENT } else { NO_GROUND },
        shadow_center: Position::default(),
        shadow_half_extent: HALF_EXTENT,
        box_half_extent: HALF_EXTENT,
        emits: simulation.emits(),
        field: simulation.field(),
        positions: change_tracked(simulation),
        rotations: change_tracked(simulation),
        scales: change_tracked(simulation),
        colors: change_tracked(simulation),
        motion: simulation.cubes().evaluated(),
        outlined: None,
        hovered: None,
        dims_others: false,
    };
    view.field.map_or(view, |field| in_field(&view, field))
}

/// Returns the view with the light, the ground and the shadows of an endless field.
fn in_field<'a>(
    view: &SceneView<'a>,
    EndlessField { period, strength }: EndlessField,
) -> SceneView<'a> {
    let light = view.light;
    let field_fog = light.fog_distance.min(FIELD_FOG * 0.5 * period.max_element());
    // Densities of the air, not distances, are interpolated.
    let density = (1.0 - strength) / light.fog_distance + strength / field_fog;
    let fog_distance = density.recip();
    // Without a ground the sky goes on.
    let nadir = light.nadir.lerp(light.zenith, FIELD_NADIR * strength);
    let drop = GROUND_DROP.max(GROUND_DROP_IN_FOG * fog_distance);
    SceneView {
        light: Light { nadir, fog_distance, ..light },
        ground_height: if strength == 1.0 {
            NO_GROUND
        } else {
            view.ground_height - drop * strength * strength
        },
        shadow_center: if strength >= 0.5 {
            shadow_center_in(period, view.camera_position.0)
        } else {
            view.shadow_center
        },
        ..*view
    }
}

/// Returns the center of the box with shadows: the camera, if the field fits into the box, and
/// otherwise the image of the scene's origin nearest to it.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scenes::Scene;
    use crate::sim::{FallMode, SceneSettings, TimeStep};

    #[test]
    fn only_a_scene_with_an_emission_glows() {
        let emits = |content: &str| {
            let text = format!(r#"{{"version": 1, "name": "a", {content}}}"#);
            let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
            scene_view(&Simulation::new(&scene, FallMode::Cubes).unwrap()).emits
        };
        let cube = r##""position": [0, 0, 0], "color": "#ffffff""##;
        assert!(!emits(&format!(r#""entities": [{{{cube}}}]"#)));
        assert!(emits(&format!(r#""entities": [{{{cube}, "emission": 2}}]"#)));
        assert!(emits(&format!(r#""templates": {{"t": {{{cube}, "emission": 2}}}}"#)));
    }

    #[test]
    fn shadows_of_a_large_field_are_around_the_image_of_the_origin_nearest_to_the_camera() {
        let center = |period, eye| shadow_center_in(Vec3::splat(period), eye).0;
        let eye = Vec3::new(390.0, -620.0, 30.0);
        assert_eq!(center(2.0 * HALF_EXTENT, eye), eye, "the field fits into the box");
        assert_eq!(center(500.0, eye), Vec3::new(500.0, -500.0, 0.0));
    }

    #[test]
    fn shadows_and_depth_are_those_of_the_box_and_an_endless_field_has_fog_and_no_ground() {
        let settings = SceneSettings { cubes: 50, seed: 1 };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let view = scene_view(&simulation);
        assert_eq!([view.shadow_half_extent, view.box_half_extent], [HALF_EXTENT; 2]);
        assert_eq!((view.ground_height, view.shadow_center), (-HALF_EXTENT, Position::default()));
        let (light, mut ground) = (view.light, view.ground_height);
        simulation.set_mode(FallMode::Camera).unwrap();
        loop {
            simulation.step(TimeStep::default()).unwrap();
            let view = scene_view(&simulation);
            let EndlessField { period, strength } = view.field.unwrap();
            assert!(view.ground_height < ground, "it sinks");
            assert!(view.light.fog_distance < light.fog_distance);
            assert!(view.light.nadir.distance(light.zenith) < light.nadir.distance(light.zenith));
            ground = view.ground_height;
            // The period is the box.
            let center = if strength < 0.5 { Position::default() } else { view.camera_position };
            assert_eq!(view.shadow_center, center);
            if strength == 1.0 {
                assert_eq!(ground, NO_GROUND);
                let fog = FIELD_FOG * period.max_element() / 2.0;
                assert!((view.light.fog_distance / fog - 1.0).abs() < 1e-5);
                break;
            }
        }
    }
}
