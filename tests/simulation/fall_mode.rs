//! The two fall modes and the switch between them.

use cubefall::components::{
    Acceleration, Color, ColorBy, Coloring, FallMode, Gravity, Motion, Palette, Position, Velocity,
};
use cubefall::ecs::Entity;
use cubefall::sim::Simulation;

use glam::Vec3;

use crate::{by_bits, camera, eye, fall, of_cubes, run, simulation, transforms};

/// Velocity and gravity of every entity with physics, by slot.
fn falling(simulation: &Simulation) -> Vec<(Entity, Velocity, Gravity)> {
    let query = simulation.world().query::<(Entity, &Velocity, &Acceleration, &Gravity)>();
    let mut falling: Vec<_> = query
        .iter()
        .map(|(entity, velocity, acceleration, gravity)| {
            // Wind carries the camera.
            let is_still = *acceleration == Acceleration::default();
            assert_eq!(is_still, entity != camera(simulation));
            (entity, *velocity, *gravity)
        })
        .collect();
    falling.sort_unstable_by_key(|(entity, ..)| entity.index());
    falling
}

#[test]
fn only_the_camera_falls_in_camera_mode() {
    let mut simulation = simulation(300, FallMode::Camera);
    let (start, from) = (transforms(&simulation), eye(&simulation));
    run(&mut simulation, 60);
    assert_eq!(transforms(&simulation), start);
    let fallen = eye(&simulation) - from;
    let expected = Vec3::new(fall(0.61, 1.0), -fall(9.80665, 1.0), -fall(1.87, 1.0));
    assert!((fallen - expected).abs().max_element() < 1e-3, "{fallen}");
    assert_eq!(falling(&simulation).len(), 1);
    assert_eq!(falling(&simulation)[0].0, camera(&simulation));
}

#[test]
fn switch_and_back_keeps_positions_gravities_and_order() {
    let mut simulation = simulation(2000, FallMode::Cubes);
    run(&mut simulation, 100);
    let (before, physics) = (transforms(&simulation), falling(&simulation));
    let order = simulation.cubes().slice::<Position>().to_vec();
    assert!(physics.iter().any(|(_, velocity, _)| velocity.0.y < -1.0));

    simulation.set_mode(FallMode::Camera).unwrap();
    assert_eq!(simulation.mode(), FallMode::Camera);
    assert_eq!(transforms(&simulation), before);
    let camera_falls = falling(&simulation);
    assert_eq!(camera_falls, [(camera(&simulation), Velocity::default(), Gravity::STANDARD)]);
    run(&mut simulation, 30);
    assert_eq!(transforms(&simulation), before);

    simulation.set_mode(FallMode::Cubes).unwrap();
    assert_eq!(transforms(&simulation), before);
    assert_eq!(simulation.cubes().slice::<Position>(), order);
    let again = falling(&simulation);
    assert_eq!(again.len(), physics.len());
    for ((entity, velocity, gravity), (same, _, own)) in again.iter().zip(&physics) {
        assert_eq!((entity, *velocity, gravity), (same, Velocity::default(), own));
    }
}

#[test]
fn setting_the_current_mode_changes_nothing() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(200, mode);
        run(&mut simulation, 20);
        let hash = simulation.state_hash();
        simulation.set_mode(mode).unwrap();
        assert_eq!(simulation.state_hash(), hash);
    }
}

#[test]
fn cubes_that_hang_still_keep_their_own_gravity_when_others_are_removed() {
    let mut simulation = simulation(6, FallMode::Cubes);
    let own = of_cubes::<Gravity>(&simulation);
    simulation.set_mode(FallMode::Camera).unwrap();
    let first = *own.keys().min_by_key(|cube| cube.index()).unwrap();
    simulation.cubes_mut().despawn(first).unwrap();
    simulation.set_mode(FallMode::Cubes).unwrap();
    let left = of_cubes::<Gravity>(&simulation);
    assert_eq!(left.len(), 5);
    assert!(left.iter().all(|(cube, gravity)| *gravity == own[cube]));
}

#[test]
fn cubes_that_replace_removed_ones_in_camera_mode_fall_with_their_own_gravity() {
    let [cubes, camera] = [FallMode::Cubes, FallMode::Camera].map(|mode| {
        let mut simulation = simulation(6, FallMode::Cubes);
        simulation.set_mode(mode).unwrap();
        simulation.cubes_mut().set_count(3).unwrap();
        simulation.cubes_mut().set_count(6).unwrap();
        simulation.set_mode(FallMode::Cubes).unwrap();
        by_bits::<Gravity>(&simulation)
    });
    assert_eq!(camera, cubes);
}

#[test]
fn still_cubes_keep_their_colors() {
    for motion in [Motion::Integrated, Motion::Evaluated] {
        for by in [ColorBy::Height, ColorBy::Speed, ColorBy::Age] {
            let mut simulation = simulation(300, FallMode::Cubes);
            simulation.set_motion(motion).unwrap();
            simulation.set_coloring(Some(Coloring { palette: Palette::Ocean, by })).unwrap();
            run(&mut simulation, 5);
            let painted = simulation.cubes().changes::<Color>().latest();
            run(&mut simulation, 1);
            assert!(simulation.cubes().changes::<Color>().latest() > painted, "{motion:?}, {by:?}");
            simulation.set_mode(FallMode::Camera).unwrap();
            let painted = simulation.cubes().changes::<Color>().latest();
            run(&mut simulation, 5);
            assert_eq!(
                simulation.cubes().changes::<Color>().latest(),
                painted,
                "{motion:?}, {by:?}"
            );
        }
    }
}
