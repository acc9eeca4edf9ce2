//! The endless fall of the camera: precision, near passes, picking, and the glide between the modes.

use std::collections::HashSet;

use cubefall::components::{FallMode, Position, Scale, Velocity};
use cubefall::sim::{CameraSetup, HALF_EXTENT, Ray, Simulation, TimeStep};
use glam::Vec3;

use crate::{ahead, camera, eye, fall, run, run_for, simulation};

/// Rate of the drag of the camera, in 1/s, and its gravity, in m/s².
const RATE: f64 = 0.218;
const GRAVITY: f64 = 9.806_65;

fn velocity(simulation: &Simulation) -> Vec3 {
    simulation.world().get::<&Velocity>(camera(simulation)).unwrap().0
}

/// Remainder of the division by a period, from -half to half.
fn wrapped(length: f64, period: f64) -> f64 {
    length - period * (length / period).round()
}

#[test]
fn an_hour_of_falling_stays_precise() {
    let mut simulation = simulation(1, FallMode::Camera);
    let start = eye(&simulation).as_dvec3();
    let (steps, dt) = (3600 * 60_u32, f64::from(TimeStep::default().seconds()));
    let mut last = eye(&simulation).y;
    let (mut wraps, mut slowest, mut fastest) = (0, f32::MAX, 0_f32);
    for step in 0..steps {
        run(&mut simulation, 1);
        let height = eye(&simulation).y;
        assert!(height.abs() <= HALF_EXTENT);
        let way = if height > last { last - height + 2.0 * HALF_EXTENT } else { last - height };
        wraps += u32::from(height > last);
        last = height;
        // From the second minute on the speed is the terminal one.
        if step > 60 * 60 {
            (slowest, fastest) = (slowest.min(way), fastest.max(way));
        }
    }
    let (t, terminal) = (f64::from(steps) * dt, GRAVITY / RATE);
    // No step differs from another by more than the rounding of positions up to 100 m, and of 200 m more.
    assert!(fastest - slowest <= 2_f32.powi(-15), "{slowest} to {fastest}");
    assert!((velocity(&simulation).y + terminal as f32).abs() < 1e-3);
    let fallen = terminal * t - terminal * (1.0 - (-RATE * t).exp()) / RATE;
    // Each of 216,000 steps rounds the position by 4 µm at most. The speed stops to change where a step adds
    // less than half of its last bit, 1.9 µm/s: up to 0.53 mm/s from the terminal one, 1.9 m in an hour.
    let apart = wrapped(start.y - fallen - f64::from(last), 200.0).abs();
    assert!(apart < 0.9 + 1.9, "{apart} m after {fallen} m");
    assert!((f64::from(wraps) - fallen / 200.0).abs() <= 1.0, "{wraps}");
}

/// Indices of the cubes of which the surface is nearer than 5 m.
fn near_cubes(simulation: &Simulation) -> Vec<usize> {
    let eye = eye(simulation);
    let cubes = simulation.cubes();
    let cubes = cubes.slice::<Position>().iter().zip(cubes.slice::<Scale>()).enumerate();
    let near = cubes.filter(|(_, (position, edge))| {
        let apart = position.0 - eye;
        let nearest = apart - 200.0 * (apart / 200.0).round();
        nearest.length() - edge.0 / 2.0 < 5.0
    });
    near.map(|(index, _)| index).collect()
}

#[test]
fn cubes_within_five_meters_pass_the_falling_camera_every_second() {
    let mut simulation = simulation(10_000, FallMode::Camera);
    let mut passed = HashSet::new();
    for second in 0..60 {
        let mut seen = HashSet::new();
        for _ in 0..15 {
            seen.extend(near_cubes(&simulation));
            simulation.step(TimeStep::fixed(1.0 / 15.0).unwrap()).unwrap();
        }
        assert!(!seen.is_empty(), "no cube in second {second}");
        passed.extend(seen);
    }
    // Wind carries the camera to other cubes: on a straight way down it would meet 20 again and again.
    assert!(passed.len() > 200, "{}", passed.len());
}

#[test]
fn ray_hits_the_image_of_a_cube_beyond_the_end_of_the_box() {
    let mut simulation = simulation(0, FallMode::Camera);
    let from = eye(&simulation);
    // 30 m to the right, 110 m below and 20 m behind, across the lower face of the box.
    let seen = Vec3::new(30.0, -110.0, 20.0);
    let inside = seen + from - 200.0 * ((seen + from) / 200.0).round();
    let cube = simulation.cubes_mut().spawn_at(Position(inside)).unwrap();
    let near = Vec3::new(50.0, -30.0, 40.0);
    for (offset, hits) in [(near, true), (near + Vec3::X * 400.0, true), (seen, false)] {
        let at = Position(from + offset);
        let other = simulation.cubes_mut().spawn_at(at).unwrap();
        let hit = simulation.cubes().pick(&Ray::new(from, near).unwrap());
        assert_eq!(hit.is_some(), hits, "{offset}");
        if let Some(hit) = hit {
            assert_eq!(hit.entity, other);
            assert!((hit.distance - near.length()).abs() < 8.0, "{}", hit.distance);
        }
        simulation.cubes_mut().despawn(other).unwrap();
    }
    let image = seen - Vec3::new(0.0, -200.0, 0.0);
    let hit = simulation.cubes().pick(&Ray::new(from, image).unwrap()).unwrap();
    assert_eq!(hit.entity, cube);
    // While the cubes fall they are where their positions say.
    simulation.set_mode(FallMode::Cubes).unwrap();
    run(&mut simulation, 60);
    let (eye, at) = (eye(&simulation), simulation.cubes().get(cube).unwrap().position.0);
    let hit = simulation.cubes().pick(&Ray::new(eye, at - eye).unwrap()).unwrap();
    assert!(hit.distance > (at - eye).length() - 8.0);
}

#[test]
fn fall_approaches_the_terminal_velocity_at_any_frame_rate() {
    for rate in [30, 144] {
        let mut simulation = simulation(1, FallMode::Camera);
        let from = eye(&simulation);
        run_for(&mut simulation, 3.0, rate);
        let expected = -(GRAVITY / RATE * (1.0 - (-RATE * 3.0_f64).exp())) as f32;
        assert!((velocity(&simulation).y - expected).abs() < 1e-3, "{rate}");
        assert!((from.y - eye(&simulation).y - fall(GRAVITY, 3.0)).abs() < 2e-3, "{rate}");
        run_for(&mut simulation, 30.0, rate);
        assert!((44.9..45.0).contains(&-velocity(&simulation).y), "{}", velocity(&simulation));
    }
}

/// Largest changes of position and direction of view in one of `steps` steps of 1/240 s.
fn largest_changes(simulation: &mut Simulation, steps: usize) -> (f32, f32) {
    let (mut moved, mut turned) = (0_f32, 0_f32);
    for _ in 0..steps {
        let (from, view) = (eye(simulation), ahead(simulation));
        simulation.step(TimeStep::fixed(1.0 / 240.0).unwrap()).unwrap();
        let way = eye(simulation) - from;
        let way = way - 200.0 * (way / 200.0).round();
        moved = moved.max(way.length());
        turned = turned.max((ahead(simulation) - view).length());
    }
    (moved, turned)
}

#[test]
fn switch_glides_to_the_view_of_the_other_mode_within_half_a_second() {
    let pitch = |simulation: &Simulation| ahead(simulation).y.asin();
    let mut simulation = simulation(100, FallMode::Cubes);
    let field = |simulation: &Simulation| simulation.field().map_or(0.0, |field| field.strength);
    assert!((pitch(&simulation) + 0.21).abs() < 1e-3 && field(&simulation) == 0.0);
    simulation.set_mode(FallMode::Camera).unwrap();
    assert_eq!(field(&simulation), 0.0);
    let (moved, turned) = largest_changes(&mut simulation, 60);
    assert!(moved < 0.02 && turned < 0.006, "{moved} m, {turned}");
    assert!((field(&simulation) - 0.5).abs() < 1e-3);
    // The camera wraps only once that cannot be seen.
    assert!(eye(&simulation).z > 103.0);
    largest_changes(&mut simulation, 61);
    assert!((pitch(&simulation) + std::f32::consts::FRAC_PI_6).abs() < 1e-3);
    assert_eq!(field(&simulation), 1.0);
    // From a fast fall, the camera comes to rest where the ground is in view.
    largest_changes(&mut simulation, 240 * 20);
    let (speed, wide) = (velocity(&simulation).length(), simulation.camera().view().lens.fov_y);
    simulation.set_mode(FallMode::Cubes).unwrap();
    assert_eq!(simulation.camera().view().lens.fov_y, wide);
    let (moved, turned) = largest_changes(&mut simulation, 121);
    assert!(speed > 44.0 && moved < 2.0 * speed / 240.0 + 1.0, "{moved} m");
    assert!(turned < 0.006, "{turned}");
    assert!((pitch(&simulation) + 0.21).abs() < 1e-3 && field(&simulation) == 0.0);
    assert!(simulation.camera().view().lens.fov_y < wide - 0.1);
    assert!(eye(&simulation).y > 20.0 - HALF_EXTENT);
    let still = eye(&simulation);
    run(&mut simulation, 10);
    assert_eq!(eye(&simulation), still);
}

#[test]
fn a_fall_ends_with_cubes_ahead() {
    for at in [[90.0, 3.0], [-86.0, 97.0], [2.0, -80.0], [20.0, 5.0]] {
        let mut simulation = simulation(100, FallMode::Camera);
        run(&mut simulation, 60);
        let from = Vec3::new(at[0], 0.0, at[1]);
        // Out of the box.
        let setup =
            CameraSetup { position: Some(from), look_at: Some(from * 2.0), ..Default::default() };
        simulation.camera_mut().set_up(&setup).unwrap();
        simulation.set_mode(FallMode::Cubes).unwrap();
        let periods = (eye(&simulation) - from) / 200.0;
        assert!((periods - periods.round()).abs().max_element() < 1e-5, "{periods}");
        let near = from.abs().max_element() < 50.0;
        assert_eq!(periods == Vec3::ZERO, near, "{from}: {periods}");
        let is_ahead = eye(&simulation).dot(ahead(&simulation)) < 0.0;
        assert!(near || is_ahead, "{}", eye(&simulation));
    }
}

#[test]
fn a_fall_that_ends_in_an_orbit_stays_near_its_target() {
    let mut simulation = simulation(100, FallMode::Cubes);
    let (from, target) = (Vec3::new(60.0, 0.0, 0.0), Vec3::new(90.0, 0.0, 0.0));
    let orbit_speed = Some(0.0);
    let setup = CameraSetup {
        position: Some(from),
        look_at: Some(target),
        orbit_speed,
        ..Default::default()
    };
    simulation.camera_mut().set_up(&setup).unwrap();
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 60);
    simulation.set_mode(FallMode::Cubes).unwrap();
    assert!(eye(&simulation).x > 0.0, "{}", eye(&simulation));
}

#[test]
fn glide_turns_round_and_leaves_the_view_to_the_user() {
    let mut simulation = simulation(100, FallMode::Cubes);
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 10);
    let strength = simulation.field().unwrap().strength;
    simulation.set_mode(FallMode::Cubes).unwrap();
    let turned = simulation.field().unwrap().strength;
    assert!((strength - turned).abs() < 1e-6, "{strength} {turned}");
    run(&mut simulation, 11);
    assert_eq!(simulation.field(), None);
    // It leads back, without a jump, to where the user looked.
    simulation.camera_mut().rotate(0.0, -100.0);
    run(&mut simulation, 1);
    let pitch = |simulation: &Simulation| {
        let forward = simulation.camera().view().rotation.0 * Vec3::NEG_Z;
        forward.y.asin()
    };
    let looked = pitch(&simulation);
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 3);
    simulation.set_mode(FallMode::Cubes).unwrap();
    let mut last = pitch(&simulation);
    for _ in 0..30 {
        run(&mut simulation, 1);
        assert!((pitch(&simulation) - last).abs() < 0.02);
        last = pitch(&simulation);
    }
    assert!((last - looked).abs() < 1e-5, "{last} {looked}");
    // A drag ends the turn at once.
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 10);
    simulation.camera_mut().rotate(10.0, 0.0);
    run(&mut simulation, 1);
    let view = simulation.camera().view().rotation;
    run(&mut simulation, 60);
    assert_eq!(simulation.camera().view().rotation, view);
}

#[test]
fn view_widens_with_the_speed_unless_disabled() {
    let mut simulation = simulation(1, FallMode::Camera);
    let fov = |simulation: &Simulation| simulation.camera().view().lens.fov_y;
    let at_rest = fov(&simulation);
    let mut last = at_rest;
    for _ in 0..600 {
        run(&mut simulation, 1);
        // By less than a twentieth of a degree in a frame.
        assert!((0.0..0.000_9).contains(&(fov(&simulation) - last)), "{}", fov(&simulation) - last);
        last = fov(&simulation);
    }
    assert!((8.0..11.0).contains(&(last - at_rest).to_degrees()));
    let hash = simulation.state_hash();
    simulation.set_widened_view(false);
    assert_eq!(fov(&simulation), at_rest);
    assert_eq!(simulation.state_hash(), hash);
    simulation.reset(simulation.source(), FallMode::Camera).unwrap();
    run(&mut simulation, 60);
    assert_eq!(fov(&simulation), at_rest);
}

#[test]
fn a_fall_ends_high_enough_above_the_ground() {
    let mut simulation = simulation(10, FallMode::Camera);
    let mut steps = 0;
    while eye(&simulation).y > -90.0 {
        run(&mut simulation, 1);
        steps += 1;
        assert!(steps < 10_000);
    }
    simulation.set_mode(FallMode::Cubes).unwrap();
    run(&mut simulation, 60);
    let height = eye(&simulation).y + HALF_EXTENT;
    assert!((height - 25.0).abs() < 0.1, "{height} m above the ground");
}
