//! The rigs of the camera: what each does, that none jumps, and that the frame rate does not matter.

#![cfg(feature = "sim")]

use cubefall::components::{Lens, Position};
use cubefall::ecs::Entity;
use cubefall::sim::{CameraRig, FallMode, HALF_EXTENT, SceneSettings, Simulation, TimeStep};
use glam::Vec3;

fn simulation(cubes: u32, mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap()
}

/// So many seconds, at so many steps a second.
fn run(simulation: &mut Simulation, seconds: f32, rate: u16) {
    let dt = 1.0 / f32::from(rate);
    let ends = (1..u16::MAX).map(|step| f32::from(step) * dt);
    for _ in ends.take_while(|&end| end < seconds + dt / 2.0) {
        simulation.step(TimeStep::fixed(dt).unwrap()).unwrap();
    }
}

fn eye(simulation: &Simulation) -> Vec3 {
    simulation.camera().view().position.0
}

fn ahead(simulation: &Simulation) -> Vec3 {
    simulation.camera().view().rotation.0 * Vec3::NEG_Z
}

/// One cube in an otherwise empty world, at rest 100 m above the floor.
fn with_a_cube(mode: FallMode) -> (Simulation, Entity) {
    let mut simulation = simulation(0, mode);
    let cube = simulation.cubes_mut().spawn_at(Position(Vec3::new(20.0, 60.0, -30.0))).unwrap();
    (simulation, cube)
}

fn place(simulation: &Simulation, cube: Entity) -> Vec3 {
    simulation.cubes().get(cube).unwrap().position.0
}

/// How far from the line of sight a place is, in m.
fn beside(simulation: &Simulation, place: Vec3) -> f32 {
    (place - eye(simulation)).cross(ahead(simulation)).length()
}

#[test]
fn the_camera_flies_until_it_is_told_otherwise_and_the_rigs_take_turns() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
    let turns = [(); 4].map(|()| simulation.camera_mut().cycle_rig(Some(cube)));
    assert_eq!(turns, [CameraRig::Orbit, CameraRig::Follow, CameraRig::Fly, CameraRig::Orbit]);
    // Without a cube there is nobody to follow.
    simulation.camera_mut().fly();
    let turns = [(); 3].map(|()| simulation.camera_mut().cycle_rig(None));
    assert_eq!(turns, [CameraRig::Orbit, CameraRig::Fly, CameraRig::Orbit]);
    simulation.cubes_mut().despawn(cube).unwrap();
    assert_eq!(simulation.camera_mut().cycle_rig(Some(cube)), CameraRig::Fly);
    assert!(
        simulation.camera_mut().focus(cube).is_err()
            && simulation.camera_mut().follow(cube).is_err()
    );
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
}

#[test]
fn no_change_of_rigs_makes_the_view_jump() {
    let (mut simulation, cube) = with_a_cube(FallMode::Camera);
    // Nothing falls, so that only a rig could move the camera.
    simulation.set_paused(true);
    simulation.set_mode(FallMode::Cubes).unwrap();
    run(&mut simulation, 0.1, 60);
    for selected in [None, None, Some(cube), Some(cube), Some(cube), None] {
        let (place, view) = (eye(&simulation), ahead(&simulation));
        simulation.camera_mut().cycle_rig(selected);
        simulation.step(TimeStep::fixed(1e-5).unwrap()).unwrap();
        assert!((eye(&simulation) - place).length() < 0.1);
        assert!((ahead(&simulation) - view).length() < 1e-3);
        run(&mut simulation, 0.3, 60);
    }
}

#[test]
fn focus_turns_to_the_cube_and_goes_near() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
    run(&mut simulation, 3.0, 60);
    let (at, edge) = (place(&simulation, cube), simulation.cubes().get(cube).unwrap().scale.0);
    assert!(beside(&simulation, at) < 0.05);
    let away = (at - eye(&simulation)).length();
    assert!((3.0 * edge..6.0 * edge).contains(&away), "{away} m from a cube of {edge} m");
}

#[test]
fn an_orbit_keeps_its_distance_and_looks_at_its_target() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    run(&mut simulation, 3.0, 60);
    let at = place(&simulation, cube);
    let away = (eye(&simulation) - at).length();
    let before = eye(&simulation);
    for (right, down) in [(200.0, 0.0), (0.0, -150.0), (400.0, 90.0)] {
        simulation.camera_mut().rotate(right, down);
        run(&mut simulation, 0.1, 60);
        assert!(((eye(&simulation) - at).length() - away).abs() < 1e-2);
        assert!(beside(&simulation, at) < 0.05);
    }
    assert!((eye(&simulation) - before).length() > 5.0, "it went round");
    // A notch of the wheel goes nearer by 15 %, smoothly.
    simulation.camera_mut().scroll(1.0);
    simulation.step(TimeStep::default()).unwrap();
    let soon = (eye(&simulation) - at).length();
    run(&mut simulation, 2.0, 60);
    let end = (eye(&simulation) - at).length();
    assert!(soon < away - 0.01 && soon > end + 0.01);
    assert!((end - away / 1.15).abs() < 1e-2);
    // The keys go round and nearer as well.
    simulation.camera_mut().controls().motion = Vec3::new(1.0, 0.0, -1.0);
    let from = eye(&simulation);
    run(&mut simulation, 0.5, 60);
    assert!((eye(&simulation) - at).length() < end - 0.5);
    assert!((eye(&simulation) - from).length() > 1.0 && beside(&simulation, at) < 0.1);
}

#[test]
fn a_followed_cube_stays_in_the_middle_of_the_view_at_any_speed() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.camera_mut().follow(cube).unwrap();
    run(&mut simulation, 2.5, 60);
    let away = eye(&simulation) - place(&simulation, cube);
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
        let now = eye(&simulation) - place(&simulation, cube);
        assert!((now - away).length() < 1e-2, "neither lags nor trembles");
        assert!(beside(&simulation, place(&simulation, cube)) < 0.05);
    }
}

#[test]
fn a_cube_followed_from_here_stays_in_the_middle_of_the_view_as_far_away_as_it_was() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let away = eye(&simulation).distance(place(&simulation, cube));
    simulation.camera_mut().follow_from_here(cube).unwrap();
    assert_eq!(simulation.camera().rig(), CameraRig::Follow);
    for _ in 0..3 {
        run(&mut simulation, 1.0, 60);
        let at = place(&simulation, cube);
        assert!((eye(&simulation).distance(at) - away).abs() < 0.01 * away);
        assert!(beside(&simulation, at) < 0.05, "{}", beside(&simulation, at));
    }
    let world = simulation.world();
    let lens = world.signature_of::<(Lens,)>().unwrap();
    let camera = world.entities(lens).next().unwrap();
    assert!(simulation.camera_mut().follow_from_here(camera).is_err(), "it is no cube");
}

#[test]
fn a_camera_that_looks_up_at_a_cube_follows_it_to_the_floor_and_no_further() {
    let mut simulation = simulation(0, FallMode::Cubes);
    let high = simulation.cubes_mut().spawn_at(Position(Vec3::new(0.0, 90.0, 150.0))).unwrap();
    simulation.camera_mut().follow_from_here(high).unwrap();
    run(&mut simulation, 1.0, 60);
    assert!(ahead(&simulation).y > 0.2, "it looks up");
    let mut lowest = f32::MAX;
    while simulation.cubes().get(high).is_some() {
        let at = place(&simulation, high);
        assert!(beside(&simulation, at) < 0.1, "{}", beside(&simulation, at));
        lowest = lowest.min(eye(&simulation).y);
        run(&mut simulation, 1.0 / 60.0, 60);
    }
    // The cube itself goes through the floor, and the camera is as high as it is.
    assert!((-HALF_EXTENT - 3.0..-HALF_EXTENT + 3.5).contains(&lowest), "{lowest}");
}

#[test]
fn to_follow_a_cube_near_the_floor_begins_without_a_jump() {
    let mut simulation = simulation(0, FallMode::Cubes);
    let low = simulation.cubes_mut().spawn_at(Position(Vec3::new(0.0, -80.0, 150.0))).unwrap();
    // Straight on or a little up, so that an orbit with that view would be below the floor.
    simulation.camera_mut().rotate(0.0, -200.0);
    run(&mut simulation, 1.0 / 60.0, 60);
    let (from, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().follow_from_here(low).unwrap();
    run(&mut simulation, 1.0 / 240.0, 240);
    assert!((eye(&simulation) - from).length() < 6.0, "{}", eye(&simulation) - from);
    assert!((ahead(&simulation) - view).length() < 0.06, "{}", ahead(&simulation) - view);
}

#[test]
fn a_followed_cube_that_is_gone_leaves_the_camera_circling_its_last_place() {
    for lands in [false, true] {
        let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
        simulation.camera_mut().follow(cube).unwrap();
        let mut last = place(&simulation, cube);
        if lands {
            // 160 m at 1 m/s2 or more take less than 18 s.
            while let Some(transform) = simulation.cubes().get(cube) {
                last = transform.position.0;
                simulation.step(TimeStep::default()).unwrap();
            }
        } else {
            run(&mut simulation, 1.0, 60);
            last = place(&simulation, cube);
            simulation.cubes_mut().despawn(cube).unwrap();
        }
        let before = eye(&simulation);
        run(&mut simulation, 1.0, 60);
        assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
        assert!((eye(&simulation) - before).length() < 1e-1 * (before - last).length());
        assert!(beside(&simulation, last) < 0.2, "{}", beside(&simulation, last));
    }
}

#[test]
fn every_rig_shows_the_same_at_30_and_at_144_frames_a_second() {
    for rig in [CameraRig::Orbit, CameraRig::Follow] {
        let [slow, fast] = [30, 144].map(|rate| {
            let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
            if rig == CameraRig::Follow {
                simulation.camera_mut().follow(cube).unwrap();
            } else {
                simulation.camera_mut().focus(cube).unwrap();
            }
            run(&mut simulation, 0.5, rate);
            simulation.camera_mut().scroll(2.0);
            simulation.camera_mut().controls().motion.x = 0.5;
            run(&mut simulation, 0.5, rate);
            assert_eq!(simulation.camera().rig(), rig);
            simulation.camera().view()
        });
        let apart = (slow.position.0 - fast.position.0).length();
        assert!(apart < 0.05, "{rig}: {apart} m");
        assert!(slow.rotation.0.angle_between(fast.rotation.0) < 2e-3, "{rig}");
    }
}

#[test]
fn a_falling_camera_is_moved_by_physics_alone_and_can_look_around() {
    let fallen = |rig: Option<CameraRig>| {
        let (mut simulation, cube) = with_a_cube(FallMode::Camera);
        while rig.is_some_and(|rig| rig != simulation.camera().rig()) {
            simulation.camera_mut().cycle_rig(Some(cube));
        }
        run(&mut simulation, 1.0, 60);
        let view = ahead(&simulation);
        simulation.camera_mut().rotate(300.0, 0.0);
        run(&mut simulation, 1.0, 60);
        assert!((ahead(&simulation) - view).length() > 0.5, "{rig:?}");
        eye(&simulation)
    };
    let flying = fallen(None);
    assert_eq!(fallen(Some(CameraRig::Orbit)), flying);
    assert_eq!(fallen(Some(CameraRig::Follow)), flying);
}

#[test]
fn after_a_fall_the_camera_goes_back_to_its_orbit_without_a_jump() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    run(&mut simulation, 2.0, 60);
    let orbit = eye(&simulation);
    simulation.set_paused(false);
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 1.0, 60);
    let fallen = eye(&simulation);
    assert!((orbit.y - fallen.y - 4.9).abs() < 0.1);
    simulation.set_paused(true);
    simulation.set_mode(FallMode::Cubes).unwrap();
    simulation.step(TimeStep::fixed(1e-5).unwrap()).unwrap();
    assert!((eye(&simulation) - fallen).length() < 1e-2);
    run(&mut simulation, 3.0, 60);
    assert!((eye(&simulation) - orbit).length() < 1e-2);
}

#[test]
fn a_camera_that_has_arrived_is_not_changed_any_more() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    for follows in [false, true] {
        if follows {
            simulation.camera_mut().follow(cube).unwrap();
        } else {
            simulation.camera_mut().focus(cube).unwrap();
        }
        run(&mut simulation, 5.0, 60);
        let latest = simulation.cubes().changes::<Position>().latest;
        let hash = simulation.state_hash();
        run(&mut simulation, 0.5, 60);
        assert_eq!(simulation.cubes().changes::<Position>().latest, latest);
        assert_eq!(simulation.state_hash(), hash);
    }
}

#[test]
fn the_hash_knows_the_rig() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let hashes = [(); 3].map(|()| {
        simulation.camera_mut().cycle_rig(Some(cube));
        simulation.state_hash()
    });
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
}

#[test]
fn two_fingers_push_a_flying_camera_and_an_orbit_alike() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    run(&mut simulation, 0.1, 60);
    let (before, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().pan(0.0, 0.0, 2.0);
    let pushed = eye(&simulation) - before;
    assert!(pushed.dot(view) > 1.0 && pushed.cross(view).length() < 1e-3, "straight ahead");
    simulation.camera_mut().pan(50.0, 0.0, 0.0);
    let slid = eye(&simulation) - before - pushed;
    assert!(slid.x < -1.0, "what is seen goes to the right as the camera goes to the left");
    simulation.camera_mut().focus(cube).unwrap();
    run(&mut simulation, 3.0, 60);
    let before = eye(&simulation);
    simulation.camera_mut().pan(50.0, 0.0, 0.0);
    run(&mut simulation, 3.0, 60);
    assert!(beside(&simulation, place(&simulation, cube)) > 1.0);
    assert!((eye(&simulation) - before).length() > 1.0);
}

#[test]
fn a_step_with_any_rig_allocates_nothing() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    for _ in 0..3 {
        simulation.camera_mut().cycle_rig(Some(cube));
        run(&mut simulation, 0.1, 60);
        let allocated = allocation_counter::measure(|| run(&mut simulation, 0.1, 60));
        assert_eq!(allocated.count_total, 0);
    }
}
