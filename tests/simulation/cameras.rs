//! The rigs of the camera: what each does, without jumps, at any frame rate.

use std::sync::Arc;

use cubefall::components::{Controls, FallMode, Position};
use cubefall::ecs::Entity;
use cubefall::scenes::Scene;
use cubefall::sim::{CameraRig, CameraSetup, HALF_EXTENT, SceneSource, Simulation, TimeStep};
use glam::{Vec2, Vec3};

use crate::{ahead, camera, eye, fall, load, run, run_for, saved, simulation};

/// An empty scene with one cube, at rest 160 m above the ground.
fn with_a_cube(mode: FallMode) -> (Simulation, Entity) {
    let mut simulation = simulation(0, mode);
    let cube = simulation.cubes_mut().spawn_at(Position(Vec3::new(20.0, 60.0, -30.0))).unwrap();
    (simulation, cube)
}

fn place(simulation: &Simulation, cube: Entity) -> Vec3 {
    simulation.cubes().get(cube).unwrap().position.0
}

/// Distance of a place from the line of sight, in m.
fn beside(simulation: &Simulation, place: Vec3) -> f32 {
    (place - eye(simulation)).cross(ahead(simulation)).length()
}

#[test]
fn rigs_cycle_from_fly_to_orbit_to_follow() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
    let turns = [(); 4].map(|()| simulation.camera_mut().cycle_rig(Some(cube)));
    assert_eq!(turns, [CameraRig::Orbit, CameraRig::Follow, CameraRig::Fly, CameraRig::Orbit]);
    // Without a cube there is no follow.
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
fn drift_starts_and_ends_without_a_jump_and_circles_in_between() {
    let mut simulation = simulation(200, FallMode::Cubes);
    run_for(&mut simulation, 0.1, 60);
    let (start, view) = (eye(&simulation), ahead(&simulation));
    assert!(simulation.camera_mut().start_drift());
    run_for(&mut simulation, 1.0 / 60.0, 60);
    assert!((eye(&simulation) - start).length() < 1.0 && ahead(&simulation).dot(view) > 0.9999);
    run_for(&mut simulation, 10.0, 60);
    // Half a radian around a point that stays ahead.
    let turned = ahead(&simulation).with_y(0.0).normalize().dot(view.with_y(0.0).normalize());
    assert!((turned - 0.5_f32.cos()).abs() < 0.01, "{turned}");
    assert!((eye(&simulation) - start).length() > 5.0);
    let (end, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().fly();
    run_for(&mut simulation, 1.0, 60);
    assert_eq!((eye(&simulation), ahead(&simulation)), (end, view));
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
    // A falling camera moves already.
    simulation.set_mode(FallMode::Camera).unwrap();
    assert!(!simulation.camera_mut().start_drift());
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
}

#[test]
fn change_of_rigs_does_not_make_the_view_jump() {
    let (mut simulation, cube) = with_a_cube(FallMode::Camera);
    // While paused, only a rig can move the camera.
    simulation.set_paused(true);
    simulation.set_mode(FallMode::Cubes).unwrap();
    run_for(&mut simulation, 0.1, 60);
    for selected in [None, None, Some(cube), Some(cube), Some(cube), None] {
        let (place, view) = (eye(&simulation), ahead(&simulation));
        simulation.camera_mut().cycle_rig(selected);
        simulation.step(TimeStep::fixed(1e-5).unwrap()).unwrap();
        assert!((eye(&simulation) - place).length() < 0.1);
        assert!((ahead(&simulation) - view).length() < 1e-3);
        run_for(&mut simulation, 0.3, 60);
    }
}

#[test]
fn focus_turns_to_the_cube_and_goes_near() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
    run_for(&mut simulation, 3.0, 60);
    let (at, edge) = (place(&simulation, cube), simulation.cubes().get(cube).unwrap().scale.0);
    assert!(beside(&simulation, at) < 0.05);
    let away = (at - eye(&simulation)).length();
    assert!((3.0 * edge..6.0 * edge).contains(&away), "{away} m from a cube of {edge} m");
    // It fills the same share of a narrow view.
    let share = |away: f32, fov_y: f32| edge / (2.0 * away * (fov_y / 2.0).tan());
    let wide = share(away, simulation.camera().lens().fov_y);
    let setup = CameraSetup { fov_y: Some(0.2), ..CameraSetup::default() };
    simulation.camera_mut().set_up(&setup).unwrap();
    simulation.camera_mut().focus(cube).unwrap();
    run_for(&mut simulation, 3.0, 60);
    let narrow = share((at - eye(&simulation)).length(), 0.2);
    assert!((narrow - wide).abs() < 0.01 && (0.2..0.3).contains(&wide), "{wide} {narrow}");
}

#[test]
fn nan_notches_do_not_change_the_distance_of_an_orbit() {
    let mut simulation = simulation(10, FallMode::Cubes);
    assert_eq!(simulation.camera_mut().cycle_rig(None), CameraRig::Orbit);
    let distance = simulation.camera().orbit_distance();
    simulation.camera_mut().scroll(f32::NAN);
    simulation.camera_mut().pan(0.0, 0.0, f32::NAN);
    run_for(&mut simulation, 0.1, 60);
    assert_eq!(simulation.camera().orbit_distance(), distance);
    simulation.camera_mut().scroll(1.0);
    assert!(simulation.camera().orbit_distance() < distance);
}

#[test]
fn a_camera_beyond_the_largest_position_is_placed_there() {
    let mut simulation = simulation(10, FallMode::Cubes);
    let (beyond, largest) = (2.0 * Position::MAX, Position::MAX);
    let setup = CameraSetup {
        position: Some(Vec3::new(beyond, 0.0, 0.0)),
        look_at: Some(Vec3::new(largest, 0.0, -100.0)),
        ..CameraSetup::default()
    };
    simulation.camera_mut().set_up(&setup).unwrap();
    assert_eq!(eye(&simulation), Vec3::new(largest, 0.0, 0.0));
    assert!((ahead(&simulation) - Vec3::NEG_Z).length() < 1e-5);
}

#[test]
fn a_camera_position_that_is_not_finite_is_refused_without_a_change() {
    let mut simulation = simulation(10, FallMode::Cubes);
    let before = simulation.camera().view();
    for wrong in [f32::NAN, f32::INFINITY] {
        let position = Some(Vec3::new(0.0, wrong, 0.0));
        let setup = CameraSetup { position, fov_y: Some(0.5), ..CameraSetup::default() };
        assert!(simulation.camera_mut().set_up(&setup).is_err(), "{wrong}");
    }
    assert_eq!(simulation.camera().view(), before);
}

#[test]
fn an_orbit_goes_around_the_cube_in_the_middle_of_the_view_however_near() {
    let (mut simulation, _) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    let near = eye(&simulation) + 10.0 * ahead(&simulation);
    simulation.cubes_mut().spawn_at(Position(near)).unwrap();
    assert_eq!(simulation.camera_mut().cycle_rig(None), CameraRig::Orbit);
    let distance = simulation.camera().orbit_distance().unwrap();
    assert!((5.0..10.0).contains(&distance), "{distance}");
}

#[test]
fn a_camera_inside_of_a_large_cube_moves_out_smoothly() {
    let json = br##"{ "version": 1, "name": "large", "camera": { "position": [0, 0, 0] },
        "entities": [{ "position": [0, 0, -25], "scale": 40, "color": "#ffffff" }] }"##;
    let scene = Arc::new(Scene::parse("large.json", json).unwrap());
    let mut simulation = Simulation::new(SceneSource::File(scene), FallMode::Cubes).unwrap();
    let ray = simulation.camera().view().ray(Vec2::ZERO, 1.0).unwrap();
    let cube = simulation.cubes().pick(&ray).unwrap().entity;
    simulation.camera_mut().follow_from_here(cube).unwrap();
    let mut before = eye(&simulation);
    for _ in 0..120 {
        run_for(&mut simulation, 1.0 / 60.0, 60);
        let now = eye(&simulation);
        assert!(now.distance(before) < 4.0, "{before} {now}");
        before = now;
    }
    assert!(before.distance(place(&simulation, cube)) > 47.9, "{before}");
}

#[test]
fn orbit_keeps_its_distance_and_faces_its_target() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    run_for(&mut simulation, 3.0, 60);
    let at = place(&simulation, cube);
    let away = (eye(&simulation) - at).length();
    let before = eye(&simulation);
    for (right, down) in [(200.0, 0.0), (0.0, -150.0), (400.0, 90.0)] {
        simulation.camera_mut().rotate(right, down);
        run_for(&mut simulation, 0.1, 60);
        assert!(((eye(&simulation) - at).length() - away).abs() < 1e-2);
        assert!(beside(&simulation, at) < 0.05);
    }
    assert!((eye(&simulation) - before).length() > 5.0, "circled");
    // A notch of the wheel goes nearer by 15 %, smoothly.
    simulation.camera_mut().scroll(1.0);
    simulation.step(TimeStep::default()).unwrap();
    let soon = (eye(&simulation) - at).length();
    run_for(&mut simulation, 2.0, 60);
    let end = (eye(&simulation) - at).length();
    assert!(soon < away - 0.01 && soon > end + 0.01);
    assert!((end - away / 1.15).abs() < 1e-2);
    // So do the keys.
    simulation.camera_mut().controls().motion = Vec3::new(1.0, 0.0, -1.0);
    let from = eye(&simulation);
    run_for(&mut simulation, 0.5, 60);
    assert!((eye(&simulation) - at).length() < end - 0.5);
    assert!((eye(&simulation) - from).length() > 1.0 && beside(&simulation, at) < 0.1);
}

#[test]
fn followed_cube_stays_in_the_center_at_any_speed() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.camera_mut().follow(cube).unwrap();
    run_for(&mut simulation, 2.5, 60);
    let away = eye(&simulation) - place(&simulation, cube);
    for _ in 0..60 {
        simulation.step(TimeStep::default()).unwrap();
        let now = eye(&simulation) - place(&simulation, cube);
        assert!((now - away).length() < 1e-2, "no lag and no jitter");
        assert!(beside(&simulation, place(&simulation, cube)) < 0.05);
    }
}

#[test]
fn cube_followed_from_here_stays_in_the_center_at_its_distance() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let away = eye(&simulation).distance(place(&simulation, cube));
    simulation.camera_mut().follow_from_here(cube).unwrap();
    assert_eq!(simulation.camera().rig(), CameraRig::Follow);
    for _ in 0..3 {
        run_for(&mut simulation, 1.0, 60);
        let at = place(&simulation, cube);
        assert!((eye(&simulation).distance(at) - away).abs() < 0.01 * away);
        assert!(beside(&simulation, at) < 0.05, "{}", beside(&simulation, at));
    }
    let camera = camera(&simulation);
    assert!(simulation.camera_mut().follow_from_here(camera).is_err(), "not a cube");
}

#[test]
fn camera_below_a_followed_cube_stays_above_the_floor() {
    let mut simulation = simulation(0, FallMode::Cubes);
    let high = simulation.cubes_mut().spawn_at(Position(Vec3::new(0.0, 90.0, -21.0))).unwrap();
    simulation.camera_mut().follow_from_here(high).unwrap();
    run_for(&mut simulation, 1.0, 60);
    assert!(ahead(&simulation).y > 0.2, "the view is upwards");
    let mut lowest = f32::MAX;
    while simulation.cubes().get(high).is_some() {
        // The view comes to rest above the ground, into which the cube sinks.
        let mut at = place(&simulation, high);
        at.y = at.y.max(1.5 - HALF_EXTENT);
        let above = (0..=25_u8).map(|i| beside(&simulation, at + 0.1 * f32::from(i) * Vec3::Y));
        assert!(above.clone().fold(f32::MAX, f32::min) < 0.1, "{:?}", above.collect::<Vec<_>>());
        lowest = lowest.min(eye(&simulation).y);
        run_for(&mut simulation, 1.0 / 60.0, 60);
    }
    assert!((-HALF_EXTENT..-HALF_EXTENT + 3.5).contains(&lowest), "{lowest}");
}

#[test]
fn a_camera_that_follows_comes_to_rest_before_the_cube_is_removed() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.camera_mut().follow(cube).unwrap();
    run_for(&mut simulation, 2.0, 60);
    let mut heights = Vec::new();
    while simulation.cubes().get(cube).is_some() {
        heights.push(eye(&simulation).y);
        simulation.step(TimeStep::default()).unwrap();
    }
    let speeds: Vec<_> = heights.windows(2).map(|pair| pair[0] - pair[1]).collect();
    let fastest = speeds.iter().copied().fold(0.0, f32::max);
    let jolts = speeds.windows(2).map(|pair| (pair[0] - pair[1]).abs());
    let jolt = jolts.fold(0.0, f32::max);
    assert!(jolt < 0.4 * fastest, "{jolt} m per step at once, of {fastest}");
    assert!(speeds.last().unwrap().abs() < 0.2 * fastest, "{speeds:?}");
}

#[test]
fn follow_near_the_floor_starts_without_a_jump() {
    let mut simulation = simulation(0, FallMode::Cubes);
    let low = simulation.cubes_mut().spawn_at(Position(Vec3::new(0.0, -80.0, -20.0))).unwrap();
    // A view slightly up: an orbit with it would be below the ground.
    simulation.camera_mut().rotate(0.0, -200.0);
    run_for(&mut simulation, 1.0 / 60.0, 60);
    let (from, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().follow_from_here(low).unwrap();
    run_for(&mut simulation, 1.0 / 240.0, 240);
    assert!((eye(&simulation) - from).length() < 6.0, "{}", eye(&simulation) - from);
    assert!((ahead(&simulation) - view).length() < 0.06, "{}", ahead(&simulation) - view);
}

#[test]
fn follow_beside_the_ground_starts_without_a_jump() {
    let mut simulation = simulation(0, FallMode::Cubes);
    let low = simulation.cubes_mut().spawn_at(Position(Vec3::new(0.0, -97.0, -30.0))).unwrap();
    run_for(&mut simulation, 1.0 / 60.0, 60);
    let (from, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().follow_from_here(low).unwrap();
    run_for(&mut simulation, 1.0 / 240.0, 240);
    assert!((eye(&simulation) - from).length() < 0.5, "{}", eye(&simulation) - from);
    assert!((ahead(&simulation) - view).length() < 0.06, "{}", ahead(&simulation) - view);
}

#[test]
fn camera_orbits_the_last_place_of_a_removed_cube() {
    for lands in [false, true] {
        let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
        simulation.camera_mut().follow(cube).unwrap();
        let mut last = place(&simulation, cube);
        if lands {
            // 160 m at 1 m/s2 or more take less than 18 s.
            while let Some(transform) = simulation.cubes().get(cube) {
                last = transform.position.0;
                last.y = last.y.max(1.5 - HALF_EXTENT);
                simulation.step(TimeStep::default()).unwrap();
            }
        } else {
            run_for(&mut simulation, 1.0, 60);
            last = place(&simulation, cube);
            simulation.cubes_mut().despawn(cube).unwrap();
        }
        let before = eye(&simulation);
        run_for(&mut simulation, 1.0, 60);
        assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
        assert!((eye(&simulation) - before).length() < 1e-1 * (before - last).length());
        assert!(beside(&simulation, last) < 0.2, "{}", beside(&simulation, last));
    }
}

#[test]
fn rigs_do_not_depend_on_the_frame_rate() {
    for rig in [CameraRig::Orbit, CameraRig::Follow] {
        let [slow, fast] = [30, 144].map(|rate| {
            let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
            if rig == CameraRig::Follow {
                simulation.camera_mut().follow(cube).unwrap();
            } else {
                simulation.camera_mut().focus(cube).unwrap();
            }
            run_for(&mut simulation, 0.5, rate);
            simulation.camera_mut().scroll(2.0);
            simulation.camera_mut().controls().motion.x = 0.5;
            run_for(&mut simulation, 0.5, rate);
            assert_eq!(simulation.camera().rig(), rig);
            simulation.camera().view()
        });
        let apart = (slow.position.0 - fast.position.0).length();
        assert!(apart < 0.05, "{rig}: {apart} m");
        assert!(slow.rotation.0.angle_between(fast.rotation.0) < 2e-3, "{rig}");
    }
}

#[test]
fn falling_camera_is_moved_by_physics_and_turned_by_its_rig() {
    let fallen = |rig: Option<CameraRig>| {
        let (mut simulation, cube) = with_a_cube(FallMode::Camera);
        while rig.is_some_and(|rig| rig != simulation.camera().rig()) {
            simulation.camera_mut().cycle_rig(Some(cube));
        }
        run_for(&mut simulation, 1.0, 60);
        let view = ahead(&simulation);
        simulation.camera_mut().rotate(500.0, 0.0);
        run_for(&mut simulation, 1.0, 60);
        assert!((ahead(&simulation) - view).length() > 0.5, "{rig:?}");
        eye(&simulation)
    };
    let flying = fallen(None);
    assert_eq!(fallen(Some(CameraRig::Orbit)), flying);
    assert_eq!(fallen(Some(CameraRig::Follow)), flying);
}

#[test]
fn camera_returns_from_a_fall_to_its_orbit_without_a_jump() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().focus(cube).unwrap();
    run_for(&mut simulation, 2.0, 60);
    let orbit = eye(&simulation);
    simulation.set_paused(false);
    simulation.set_mode(FallMode::Camera).unwrap();
    run_for(&mut simulation, 1.0, 60);
    let fallen = eye(&simulation);
    assert!((orbit.y - fallen.y - fall(9.80665, 1.0)).abs() < 0.1);
    simulation.set_paused(true);
    simulation.set_mode(FallMode::Cubes).unwrap();
    simulation.step(TimeStep::fixed(1e-5).unwrap()).unwrap();
    assert!((eye(&simulation) - fallen).length() < 1e-2);
    run_for(&mut simulation, 3.0, 60);
    assert!((eye(&simulation) - orbit).length() < 1e-2);
}

#[test]
fn arrived_camera_is_not_written() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    for follows in [false, true] {
        if follows {
            simulation.camera_mut().follow(cube).unwrap();
        } else {
            simulation.camera_mut().focus(cube).unwrap();
        }
        run_for(&mut simulation, 5.0, 60);
        let latest = simulation.cubes().changes::<Position>().latest();
        let hash = simulation.state_hash();
        run_for(&mut simulation, 0.5, 60);
        assert_eq!(simulation.cubes().changes::<Position>().latest(), latest);
        assert_eq!(simulation.state_hash(), hash);
    }
}

#[test]
fn state_hash_includes_the_rig() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let hashes = [(); 3].map(|()| {
        simulation.camera_mut().cycle_rig(Some(cube));
        simulation.state_hash()
    });
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
}

#[test]
fn pan_and_pinch_move_a_flying_and_an_orbiting_camera() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    run_for(&mut simulation, 0.1, 60);
    let (before, view) = (eye(&simulation), ahead(&simulation));
    simulation.camera_mut().pan(0.0, 0.0, 2.0);
    let pushed = eye(&simulation) - before;
    assert!(pushed.dot(view) > 1.0 && pushed.cross(view).length() < 1e-3, "straight ahead");
    simulation.camera_mut().pan(50.0, 0.0, 0.0);
    let slid = eye(&simulation) - before - pushed;
    assert!(slid.x < -1.0, "the camera moves to the left, the scene to the right");
    simulation.camera_mut().focus(cube).unwrap();
    run_for(&mut simulation, 3.0, 60);
    let before = eye(&simulation);
    simulation.camera_mut().pan(50.0, 0.0, 0.0);
    run_for(&mut simulation, 3.0, 60);
    assert!(beside(&simulation, place(&simulation, cube)) > 1.0);
    assert!((eye(&simulation) - before).length() > 1.0);
}

#[test]
fn a_pan_does_not_move_a_camera_that_follows() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.set_paused(true);
    simulation.camera_mut().follow(cube).unwrap();
    run_for(&mut simulation, 4.0, 60);
    let before = eye(&simulation);
    simulation.camera_mut().pan(50.0, 0.0, 0.0);
    run_for(&mut simulation, 0.1, 60);
    assert!((eye(&simulation) - before).length() < 1e-3, "{}", eye(&simulation) - before);
    simulation.camera_mut().pan(0.0, 0.0, 3.0);
    run_for(&mut simulation, 1.0, 60);
    assert!(
        eye(&simulation).distance(place(&simulation, cube))
            < before.distance(place(&simulation, cube))
    );
}

#[test]
fn an_orbit_that_starts_in_a_fall_ends_around_the_place_of_the_cube() {
    for ahead in [false, true] {
        let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
        simulation.set_mode(FallMode::Camera).unwrap();
        // Deep in the box, where images of the cube are below the ground.
        run_for(&mut simulation, 3.5, 60);
        if ahead {
            simulation.camera_mut().cycle_rig(None);
        } else {
            simulation.camera_mut().focus(cube).unwrap();
        }
        run_for(&mut simulation, 0.5, 60);
        simulation.set_mode(FallMode::Cubes).unwrap();
        run_for(&mut simulation, 5.0, 60);
        assert!(simulation.camera().rig() == CameraRig::Orbit);
        let target = simulation.camera().target().unwrap();
        assert!(target.abs().max_element() <= HALF_EXTENT, "{ahead}: {target}");
        if !ahead {
            assert!(beside(&simulation, target) < 1.0);
            assert!(target.x == 20.0 && target.z == -30.0, "{target}");
        }
    }
}

#[test]
fn step_does_not_allocate_with_any_rig() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    for _ in 0..3 {
        simulation.camera_mut().cycle_rig(Some(cube));
        run_for(&mut simulation, 0.1, 60);
        let allocated = allocation_counter::measure(|| run_for(&mut simulation, 0.1, 60));
        assert_eq!(allocated.count_total, 0);
    }
}

#[test]
fn a_camera_that_follows_stays_outside_of_the_cube() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    simulation.camera_mut().follow(cube).unwrap();
    let edge = simulation.cubes().get(cube).unwrap().scale.0;
    let mut nearest = f32::MAX;
    for turn in 0..120 {
        simulation.camera_mut().scroll(3.0);
        simulation.camera_mut().rotate(9.0, if turn < 60 { 5.0 } else { -5.0 });
        run_for(&mut simulation, 0.05, 60);
        nearest = nearest.min((eye(&simulation) - place(&simulation, cube)).length());
    }
    // The corners are at 0.87 edges from the center.
    assert!((0.9 * edge..1.5 * edge).contains(&nearest), "{nearest} m from a cube of {edge} m");
}

#[test]
fn a_flying_camera_stays_above_the_ground_but_a_scene_may_have_none() {
    let fly_down = |simulation: &mut Simulation| {
        simulation.camera_mut().rotate(0.0, 1e4);
        *simulation.camera_mut().controls() =
            Controls { motion: Vec3::NEG_Z, ..*simulation.camera_mut().controls() };
        run_for(simulation, 20.0, 60);
        simulation.camera_mut().controls().motion = Vec3::ZERO;
        (0..50).for_each(|_| simulation.camera_mut().pan(0.0, 0.0, 3.0));
        run_for(simulation, 0.1, 60);
        eye(simulation).y + HALF_EXTENT
    };
    let (mut above, _) = with_a_cube(FallMode::Cubes);
    let height = fly_down(&mut above);
    assert!((0.5..1.5).contains(&height), "{height} m above the ground");
    let scene = br#"{"version": 1, "name": "sky", "ground": false,
        "entities": [{"position": [0, 0, 0], "scale": 2, "color": "\u0023ffffff"}]}"#;
    let scene = Scene::parse("sky.json", scene).unwrap();
    let mut sky = Simulation::new(SceneSource::File(Arc::new(scene)), FallMode::Cubes).unwrap();
    let height = fly_down(&mut sky);
    assert!(height < -100.0, "{height} m");
    let mut loaded = load(&saved(&sky)).unwrap();
    let lower = fly_down(&mut loaded);
    assert!(lower < height - 100.0, "{lower} m after {height} m");
}

#[test]
fn an_orbit_stays_above_the_ground() {
    for (number, height) in [0.0, -99.9, -100.0, -130.0, 40.0].into_iter().enumerate() {
        for yaw in 0_u8..12 {
            let mut simulation = simulation(1, FallMode::Cubes);
            let (sin, cos) = f32::from(yaw).sin_cos();
            let setup = CameraSetup {
                position: Some(Vec3::new(120.0 * sin, 20.0, 120.0 * cos)),
                look_at: Some(Vec3::new(3.0 * number as f32, height, 7.0)),
                orbit_speed: Some(0.0),
                ..CameraSetup::default()
            };
            simulation.camera_mut().set_up(&setup).unwrap();
            for _ in 0..60 {
                simulation.camera_mut().rotate(3.0, -40.0);
                run(&mut simulation, 3);
                assert!(eye(&simulation).y > -99.1, "{height} {yaw}: {}", eye(&simulation));
            }
        }
    }
}

#[test]
fn controls_out_of_range_are_moved_into_it_so_that_the_state_can_be_loaded() {
    for rig in [CameraRig::Fly, CameraRig::Orbit] {
        let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
        while rig != simulation.camera().rig() {
            simulation.camera_mut().cycle_rig(Some(cube));
        }
        let motion = Vec3::new(0.0, f32::NAN, -7.0);
        *simulation.camera_mut().controls() =
            Controls { motion, speed: 0.0, yaw: 1000.0, pitch: f32::INFINITY };
        run(&mut simulation, 1);
        let controls = *simulation.camera_mut().controls();
        assert_eq!(controls, controls.clamped(), "{rig}");
        assert!(controls.yaw != 0.0 || rig == CameraRig::Orbit, "{rig}: the same direction");
        let saved = simulation.snapshot();
        assert!(Simulation::from_snapshot(saved).is_ok(), "{rig}");
    }
}

#[test]
fn a_camera_that_circles_goes_on_while_it_falls() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let target = place(&simulation, cube);
    let setup = CameraSetup {
        position: Some(target + Vec3::new(40.0, 10.0, 0.0)),
        look_at: Some(target),
        orbit_speed: Some(0.5),
        ..CameraSetup::default()
    };
    simulation.camera_mut().set_up(&setup).unwrap();
    simulation.set_mode(FallMode::Camera).unwrap();
    let start = eye(&simulation);
    for seconds in 1..5 {
        run_for(&mut simulation, 1.0, 60);
        let way = eye(&simulation) - target;
        let distance = Vec3::new(way.x, 0.0, way.z).length();
        assert!((distance - 40.0).abs() < 0.5, "{distance} m after {seconds} s");
    }
    assert!(eye(&simulation).y < start.y - 20.0);
    // Two radians to the left of where it was.
    let way = eye(&simulation) - target;
    let turned = (-way.z).atan2(way.x).abs();
    assert!((turned - 2.0).abs() < 0.2, "{turned} rad");
}

#[test]
fn a_falling_camera_keeps_the_distance_of_its_orbit() {
    let mut simulation = simulation(5, FallMode::Camera);
    simulation.camera_mut().cycle_rig(None);
    let distance = simulation.camera().orbit_distance();
    simulation.camera_mut().scroll(3.0);
    assert_eq!(simulation.camera().orbit_distance(), distance);
    simulation.camera_mut().pan(0.0, 0.0, 3.0);
    assert_eq!(simulation.camera().orbit_distance(), distance);
    simulation.camera_mut().controls().motion = Vec3::Z;
    run(&mut simulation, 10);
    assert_eq!(simulation.camera().orbit_distance(), distance);
}

#[test]
fn keys_turn_an_orbit() {
    for (motion, expected) in [(Vec3::X, Vec3::NEG_X), (Vec3::Y, Vec3::NEG_Y)] {
        let mut simulation = simulation(5, FallMode::Cubes);
        simulation.camera_mut().cycle_rig(None);
        run(&mut simulation, 60);
        let view = simulation.camera().view().rotation.0;
        simulation.camera_mut().controls().motion = motion;
        run(&mut simulation, 10);
        // It moves around the target to that side, and so it looks to the other.
        let turned = view.inverse() * ahead(&simulation);
        assert!(turned.dot(expected) > 0.02, "{motion}: {turned}");
    }
}

#[test]
fn a_drag_with_two_fingers_moves_an_orbit_without_a_jump() {
    let mut simulation = simulation(5, FallMode::Cubes);
    simulation.camera_mut().cycle_rig(None);
    run(&mut simulation, 60);
    let start = eye(&simulation);
    simulation.camera_mut().pan(200.0, 0.0, 0.0);
    simulation.step(TimeStep::fixed(1e-5).unwrap()).unwrap();
    let jump = eye(&simulation).distance(start);
    run(&mut simulation, 60);
    let way = eye(&simulation).distance(start);
    assert!(jump < 0.1 && way > 1.0, "{jump} {way}");
}

#[test]
fn focus_follows_while_the_camera_follows() {
    let (mut simulation, cube) = with_a_cube(FallMode::Cubes);
    let other = simulation.cubes_mut().spawn_at(Position(Vec3::Y)).unwrap();
    simulation.camera_mut().follow(cube).unwrap();
    simulation.camera_mut().focus(other).unwrap();
    assert_eq!(simulation.camera().followed(), Some(other));
}

#[test]
fn only_a_camera_that_flies_starts_to_drift() {
    let mut simulation = simulation(5, FallMode::Cubes);
    simulation.camera_mut().cycle_rig(None);
    let target = simulation.camera().target();
    assert!(!simulation.camera_mut().start_drift());
    assert_eq!(simulation.camera().target(), target);
}
