//! Steps: the path of falling cubes, respawn, pause, flight, and equal bits for equal input.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cubefall::components::{FallMode, Gravity, Motion, Position, Transform};
use cubefall::scenes::Scene;
use cubefall::sim::{HALF_EXTENT, SceneSettings, SceneSource, Simulation, TimeStep, Tuning};

use crate::{eye, of_cubes, run, run_for, simulation, transforms};

#[test]
fn cubes_follow_the_closed_form_of_their_own_gravity() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    simulation.set_tuning(Tuning { spin: 0.0, ..Tuning::default() }).unwrap();
    let (before, gravities) = (transforms(&simulation), of_cubes::<Gravity>(&simulation));
    run(&mut simulation, 60);
    let mut compared = 0;
    // Cubes that reached the ground are not in both.
    for (cube, after) in transforms(&simulation) {
        let Some(before) = before.get(&cube) else { continue };
        // p = p0 + g t^2 / 2 after t = 1 s from rest.
        let expected = before.position.0 + gravities[&cube].0 * 0.5;
        assert!((after.position.0 - expected).length() < 1e-3, "{cube}");
        assert_eq!((after.scale, after.rotation), (before.scale, before.rotation));
        compared += 1;
    }
    assert!(compared > 950, "{compared}");
}

#[test]
fn cubes_below_the_floor_respawn_at_the_top_in_the_same_slots() {
    let mut simulation = simulation(500, FallMode::Cubes);
    let start = transforms(&simulation);
    run(&mut simulation, 1300);
    let end = transforms(&simulation);
    let counts = (end.len(), simulation.cubes().count(), simulation.world().len());
    assert_eq!(counts, (500, 500, 501));
    // Cubes sink into the ground until nothing of them is visible.
    let depth = |cube: &Transform| -cube.position.0.y - HALF_EXTENT;
    assert!(end.values().all(|cube| depth(cube) <= 0.867 * cube.scale.0));
    assert!(end.values().any(|cube| depth(cube) > 0.3 * cube.scale.0));
    // 21 s at 1 to 10 m/s2 take every cube through 220 m: all slots are reused, none is new.
    assert!(start.keys().all(|&cube| !simulation.world().contains(cube)));
    assert!(end.keys().all(|cube| cube.generation() > 1 && cube.index() < 500));
}

#[test]
fn pause_stops_the_fall_but_not_the_flight() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(100, mode);
        simulation.set_paused(true);
        let (before, from) = (transforms(&simulation), eye(&simulation));
        run(&mut simulation, 10);
        assert_eq!(transforms(&simulation), before);
        assert_eq!(eye(&simulation), from);
        let controls = simulation.camera_mut().controls();
        (controls.motion.z, controls.speed, controls.pitch) = (-1.0, 6.0, 0.0);
        run(&mut simulation, 60);
        let flown = eye(&simulation) - from;
        assert!((flown.z + 6.0).abs() < 1e-3 && flown.y == 0.0);
        assert_eq!(transforms(&simulation), before);
        simulation.set_paused(false);
        run(&mut simulation, 1);
        assert_eq!(transforms(&simulation) == before, mode == FallMode::Camera);
    }
}

#[test]
fn flight_follows_the_view_at_any_frame_rate() {
    for rate in [30_u16, 144] {
        let mut simulation = simulation(1, FallMode::Cubes);
        let from = eye(&simulation);
        let controls = simulation.camera_mut().controls();
        // The view is to the left, so forward is -X.
        (controls.yaw, controls.pitch) = (std::f32::consts::FRAC_PI_2, 0.0);
        controls.motion.z = -1.0;
        for _ in 0..rate {
            simulation.step(TimeStep::fixed(1.0 / f32::from(rate)).unwrap()).unwrap();
        }
        let flown = eye(&simulation) - from;
        assert!((flown.x + 40.0).abs() < 1e-3 && flown.y.abs() < 1e-3 && flown.z.abs() < 1e-3);
    }
}

#[test]
fn equal_seeds_give_equal_bits_and_other_seeds_do_not() {
    let hash = |seed| {
        let settings = SceneSettings { cubes: 3000, seed };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        run(&mut simulation, 200);
        simulation.state_hash()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn state_hash_changes_with_a_single_bit() {
    let mut simulation = simulation(10, FallMode::Cubes);
    let before = simulation.state_hash();
    let controls = simulation.camera_mut().controls();
    controls.speed = f32::from_bits(controls.speed.to_bits() ^ 1);
    assert_ne!(simulation.state_hash(), before);
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    crate::assert_same_with_threads(|| {
        // Several chunks, the last one partly filled.
        let mut simulation = simulation(40_001, FallMode::Cubes);
        run(&mut simulation, 30);
        simulation.state_hash()
    });
}

#[test]
fn step_does_not_allocate_once_cubes_have_respawned() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(2000, mode);
        run(&mut simulation, 600);
        let before = transforms(&simulation);
        let allocated = allocation_counter::measure(|| run(&mut simulation, 300));
        assert_eq!(allocated.count_total, 0, "{mode}");
        assert_eq!(transforms(&simulation) == before, mode == FallMode::Camera);
    }
}

#[test]
fn paused_steps_are_not_counted() {
    let mut simulation = simulation(10, FallMode::Cubes);
    run(&mut simulation, 7);
    simulation.set_paused(true);
    run(&mut simulation, 3);
    assert_eq!(simulation.steps(), 7);
}

#[test]
fn lifecycle_time_is_measured_while_the_lifecycle_runs() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    run(&mut simulation, 1);
    assert!(!simulation.lifecycle_time().is_zero());
    simulation.set_paused(true);
    run(&mut simulation, 1);
    assert!(simulation.lifecycle_time().is_zero());
}

#[test]
fn reset_keeps_tuning_and_pause() {
    let mut simulation = simulation(200, FallMode::Camera);
    let tuning = Tuning { gravity: 0.5, time: 2.0, spin: 1.0 };
    simulation.set_tuning(tuning).unwrap();
    run(&mut simulation, 5);
    simulation.cubes_mut().set_count(250).unwrap();
    simulation.set_paused(true);
    assert_eq!((simulation.steps(), simulation.spawn_stats().spawned), (5, 50));
    let settings = SceneSettings { cubes: 300, seed: 9 };
    simulation.reset(settings, FallMode::Camera).unwrap();
    assert_eq!(simulation.source(), SceneSource::Classic(settings));
    assert_eq!((simulation.mode(), simulation.tuning()), (FallMode::Camera, tuning));
    assert!(simulation.is_paused() && simulation.steps() == 0);
    assert_eq!(simulation.spawn_stats().spawned, 0);
    let fresh = Simulation::new(settings, FallMode::Camera).unwrap();
    assert!(simulation.cubes().slice::<Position>() == fresh.cubes().slice::<Position>());
}

/// Returns the simulation of a scene file.
fn of_scene(json: &str) -> Simulation {
    let scene = Scene::parse("test", json.as_bytes()).unwrap();
    Simulation::new(scene, FallMode::Cubes).unwrap()
}

#[test]
fn a_cube_of_a_grid_respawns_at_its_own_point() {
    let mut simulation = of_scene(
        r##"{"version": 1, "name": "grid", "templates": {
            "first": {"count": 3, "position": [0, 50, 0], "color": "#ffffff"},
            "grid": {"position": {"grid": {"counts": [9, 1, 9], "spacing": [9, 9, 9]}},
                     "color": "#ffffff", "gravity": {"uniform": [1, 10]}, "respawn": "start",
                     "count": 76},
            "last": {"count": 2, "position": [0, 50, 0], "color": "#ffffff"}},
            "entities": [{"template": "grid"}, {"position": [0, 50, 0], "color": "#ffffff"},
                {"template": "grid"}, {"template": "grid"}, {"template": "grid"}, {"template": "grid"}]}"##,
    );
    let place = |transform: &Transform| [transform.position.0.x, transform.position.0.z];
    let slots = |simulation: &Simulation| -> BTreeMap<u32, [f32; 2]> {
        transforms(simulation).iter().map(|(cube, it)| (cube.index(), place(it))).collect()
    };
    let points = |simulation: &Simulation| {
        let bits =
            slots(simulation).values().map(|at| at.map(f32::to_bits)).collect::<BTreeSet<_>>();
        bits.len()
    };
    let before = slots(&simulation);
    // The nine by nine, one of which is also the place of the other cubes.
    assert_eq!(points(&simulation), 81);
    run_for(&mut simulation, 16.0, 10);
    assert!(simulation.spawn_stats().removed > 50);
    assert_eq!(slots(&simulation), before);
}

#[test]
fn a_cube_that_starts_below_the_ground_respawns_at_the_start_of_the_step() {
    let scene = r##"{"version": 1, "name": "deep", "templates": {"cube": {
        "count": 5, "position": [0, -150, 0], "color": "#ffffff", "gravity": {"uniform": [1, 10]}}}}"##;
    let heights = |rate: u16, motion: Motion| {
        let scene = Arc::new(Scene::parse("deep", scene.as_bytes()).unwrap());
        let mut simulation =
            Simulation::with_overrides(&scene, FallMode::Cubes, Some(motion), None).unwrap();
        run_for(&mut simulation, 2.0, rate);
        let mut heights: Vec<_> = transforms(&simulation)
            .into_iter()
            .map(|(cube, it)| (cube.index(), it.position.0.y))
            .collect();
        heights.sort_unstable_by_key(|it| it.0);
        heights
    };
    let expected = heights(64, Motion::Integrated);
    for (rate, motion) in [(8, Motion::Integrated), (64, Motion::Evaluated), (8, Motion::Evaluated)]
    {
        for ((_, a), (_, b)) in expected.iter().zip(heights(rate, motion)) {
            assert!((a - b).abs() < 0.01, "{rate} {motion}: {a} {b}");
        }
    }
}

#[test]
fn a_switch_of_the_mode_happens_at_the_end_of_its_step() {
    let heights = |rate: u16| {
        let mut simulation = of_scene(
            r##"{"version": 1, "name": "switch", "timeline": {"switch_every": 1},
                "camera": {"position": [0, 0, 0]}, "entities": [
                {"position": [0, 90, 0], "color": "#ffffff", "gravity": 2}]}"##,
        );
        run_for(&mut simulation, 2.5, rate);
        let (_, cube) = transforms(&simulation).into_iter().next().unwrap();
        cube.position.0.y
    };
    // One second of fall, one of rest, and half a second of the fall that goes on.
    for rate in [4, 128] {
        let fallen = 90.0 - heights(rate);
        assert!((fallen - 2.25).abs() < 0.01, "{rate}: {fallen}");
    }
}

#[test]
fn a_step_in_pause_does_not_pause_a_running_simulation() {
    let mut simulation = simulation(5, FallMode::Cubes);
    simulation.step_in_pause(TimeStep::default()).unwrap();
    assert!(!simulation.is_paused() && simulation.advances());
}
