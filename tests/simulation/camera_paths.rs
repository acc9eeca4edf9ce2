//! Cameras that move by themselves: along key frames, and around a point.

use std::sync::Arc;

use cubefall::scenes::CameraPath;
use cubefall::sim::{
    CameraRig, CameraSetup, FallMode, SceneSettings, Simulation, TimeStep, Tuning,
};
use glam::Vec3;

use crate::{ahead, eye};

const LOOP: &str = r#"{"loop": true, "keys": [
    {"time": 0, "position": [0, 10, 80], "look_at": [0, 0, 0]},
    {"time": 2, "position": [70, 30, 10], "look_at": [5, 0, 0], "fov": 70},
    {"time": 5, "position": [-20, 5, -60], "look_at": [0, 9, 0]},
    {"time": 6, "position": [0, 10, 80], "look_at": [0, 0, 0]}]}"#;

const TURN: &str = r#"{"keys": [
    {"time": 0, "position": [0, 0, 50]},
    {"time": 4, "position": [0, 20, 50], "yaw": 360, "pitch": 30, "fov": 30}]}"#;

fn on_path(json: &str, mode: FallMode) -> Simulation {
    let path = Arc::new(CameraPath::parse("path.json", json.as_bytes()).unwrap());
    with_camera(&CameraSetup { path: Some(path), ..CameraSetup::default() }, mode)
}

fn with_camera(setup: &CameraSetup, mode: FallMode) -> Simulation {
    let mut simulation = Simulation::new(SceneSettings { cubes: 5, seed: 1 }, mode).unwrap();
    simulation.camera_mut().set_up(setup).unwrap();
    simulation
}

fn run(simulation: &mut Simulation, steps: u32, dt: f32) {
    for _ in 0..steps {
        simulation.step(TimeStep::fixed(dt).unwrap()).unwrap();
    }
}

#[test]
fn the_camera_is_at_each_key_at_its_time_at_any_frame_rate() {
    for rate in [16_u16, 64, 128] {
        let mut simulation = on_path(LOOP, FallMode::Cubes);
        let steps = |seconds: u16| u32::from(seconds * rate);
        // Two rounds of the loop.
        for (seconds, position, target, fov) in [
            (2, [70, 30, 10], [5, 0, 0], 70.0_f32),
            (3, [-20, 5, -60], [0, 9, 0], 50.0),
            (1, [0, 10, 80], [0, 0, 0], 50.0),
            (2, [70, 30, 10], [5, 0, 0], 70.0),
        ] {
            run(&mut simulation, steps(seconds), 1.0 / f32::from(rate));
            let [position, target] = [position, target].map(|it| Vec3::from(it.map(|x| x as f32)));
            assert!(eye(&simulation).distance(position) < 1e-2, "{rate}: {}", eye(&simulation));
            let expected = (target - position).normalize();
            assert!(ahead(&simulation).angle_between(expected) < 1e-3);
            let fov_y = simulation.camera().view().lens.fov_y;
            assert!((fov_y - fov.to_radians()).abs() < 1e-3, "{fov_y}");
        }
        assert_eq!(simulation.camera().rig(), CameraRig::Path);
    }
}

#[test]
fn the_camera_advances_evenly_at_the_end_of_an_hour() {
    const HOUR: &str = r#"{"keys": [
        {"time": 0, "position": [-500, 1, 0]},
        {"time": 3590, "position": [0, 1, 0]},
        {"time": 3600, "position": [500, 1, 0]}]}"#;
    let mut simulation = on_path(HOUR, FallMode::Cubes);
    run(&mut simulation, 3594 * 4, 0.25);
    let steps = (0..200).map(|_| {
        let before = eye(&simulation).x;
        run(&mut simulation, 1, 1.0 / 240.0);
        eye(&simulation).x - before
    });
    let steps: Vec<_> = steps.collect();
    // In a part of a path that is almost straight, speed changes slowly.
    for two in steps.windows(2) {
        assert!((two[1] / two[0] - 1.0).abs() < 0.01, "{two:?}");
    }
}

#[test]
fn position_and_view_change_without_a_jump_of_their_speeds() {
    const DT: f32 = 1.0 / 128.0;
    let mut simulation = on_path(LOOP, FallMode::Cubes);
    let mut samples = Vec::new();
    for _ in 0..128 * 13 {
        run(&mut simulation, 1, DT);
        samples.push((eye(&simulation), ahead(&simulation)));
    }
    for three in samples.windows(3) {
        let bend = |of: fn(&(Vec3, Vec3)) -> Vec3| {
            (of(&three[2]) - of(&three[1]) * 2.0 + of(&three[0])).length() / DT
        };
        // A jump of the speed at a key would be more than 20 m/s here.
        let (moved, turned) = (bend(|it| it.0), bend(|it| it.1));
        assert!(moved < 8.0 && turned < 1.5, "{moved} m/s, {turned} 1/s");
    }
}

#[test]
fn a_path_that_is_no_loop_starts_and_ends_at_rest_where_the_camera_stays() {
    let mut simulation = on_path(TURN, FallMode::Cubes);
    assert_eq!(eye(&simulation), Vec3::new(0.0, 0.0, 50.0));
    run(&mut simulation, 1, 1.0 / 64.0);
    assert!(eye(&simulation).y < 0.01);
    run(&mut simulation, 127, 1.0 / 64.0);
    let half = ahead(&simulation);
    assert!((eye(&simulation).y - 10.0).abs() < 1e-3, "half of the way at half of the time");
    assert!(half.z > 0.9 && half.y > 0.2, "half of a full turn: {half}");
    run(&mut simulation, 200, 1.0 / 64.0);
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
    assert_eq!(eye(&simulation), Vec3::new(0.0, 20.0, 50.0));
    assert!(ahead(&simulation).angle_between(Vec3::new(0.0, 0.5, -0.75_f32.sqrt())) < 1e-3);
}

/// What a user does.
type Input = fn(&mut Simulation);

#[test]
fn input_ends_the_motion_where_the_camera_is() {
    let orbit = CameraSetup {
        position: Some(Vec3::new(0.0, 0.0, 60.0)),
        look_at: Some(Vec3::ZERO),
        orbit_speed: Some(0.5),
        ..CameraSetup::default()
    };
    let inputs: [Input; 4] = [
        |it| it.camera_mut().rotate(1.0, 0.0),
        |it| it.camera_mut().pan(0.0, 0.0, 0.0),
        |it| it.camera_mut().scroll(0.01),
        |it| it.camera_mut().controls().motion = Vec3::new(0.0, 1e-6, 0.0),
    ];
    for input in inputs {
        for mut simulation in [on_path(LOOP, FallMode::Cubes), with_camera(&orbit, FallMode::Cubes)]
        {
            run(&mut simulation, 60, 1.0 / 60.0);
            let before = eye(&simulation);
            run(&mut simulation, 1, 1.0 / 60.0);
            assert!(eye(&simulation).distance(before) > 0.1, "it moves");
            let before = eye(&simulation);
            input(&mut simulation);
            run(&mut simulation, 60, 1.0 / 60.0);
            assert!(eye(&simulation).distance(before) < 0.5, "{before} {}", eye(&simulation));
            assert_ne!(simulation.camera().rig(), CameraRig::Path);
        }
    }
}

#[test]
fn a_pause_stops_the_camera_and_the_factor_of_time_applies() {
    let mut simulation = on_path(TURN, FallMode::Cubes);
    simulation.set_paused(true);
    run(&mut simulation, 60, 1.0 / 64.0);
    assert_eq!(eye(&simulation), Vec3::new(0.0, 0.0, 50.0));
    simulation.set_paused(false);
    simulation.set_tuning(Tuning { time: 2.0, ..simulation.tuning() }).unwrap();
    run(&mut simulation, 64, 1.0 / 64.0);
    assert!((eye(&simulation).y - 10.0).abs() < 1e-3, "2 of 4 s");
}

#[test]
fn a_falling_camera_leaves_its_path_and_returns_to_it() {
    let mut simulation = on_path(LOOP, FallMode::Cubes);
    simulation.set_mode(FallMode::Camera).unwrap();
    run(&mut simulation, 60, 1.0 / 60.0);
    let mut other = on_path(LOOP, FallMode::Cubes);
    run(&mut other, 60, 1.0 / 60.0);
    let apart = eye(&simulation) - eye(&other);
    // The wind carries it aside, too.
    assert!(apart.y < -1.0 && apart.x.abs() < 2.0 && apart.z.abs() < 2.0, "{apart}");
    simulation.set_mode(FallMode::Cubes).unwrap();
    for _ in 0..600 {
        run(&mut simulation, 1, 1.0 / 60.0);
        run(&mut other, 1, 1.0 / 60.0);
    }
    assert!(eye(&simulation).distance(eye(&other)) < 1e-2);
}

#[test]
fn a_falling_camera_stays_beside_its_path_and_begins_to_return_without_a_jerk() {
    // Further away than half the period of the field.
    let path = r#"{"loop": true, "keys": [
        {"time": 0, "position": [150, 0, 0], "look_at": [0, 0, 0]},
        {"time": 9, "position": [150, 0, 0], "look_at": [0, 0, 0]}]}"#;
    let fallen = |dt: f32, steps: u32| {
        let mut simulation = on_path(path, FallMode::Cubes);
        simulation.set_mode(FallMode::Camera).unwrap();
        let mut aside = Vec3::ZERO;
        for _ in 0..steps {
            run(&mut simulation, 1, dt);
            aside = (eye(&simulation) - Vec3::new(150.0, 0.0, 0.0)).with_y(0.0);
            assert!(aside.length() < 5.0, "{aside}");
        }
        (simulation, aside)
    };
    // The frame rate changes little.
    let (mut simulation, aside) = fallen(1.0 / 60.0, 1200);
    for (dt, steps) in [(1.0 / 240.0, 4800), (0.1, 200), (0.25, 80)] {
        let (_, other) = fallen(dt, steps);
        assert!(other.distance(aside) < 0.1, "{dt}: {other} {aside}");
    }
    let heights: Vec<_> = (0..3)
        .map(|step| {
            if step == 2 {
                simulation.set_mode(FallMode::Cubes).unwrap();
            }
            run(&mut simulation, 1, 1.0 / 60.0);
            eye(&simulation).y
        })
        .collect();
    let [before, after] = [heights[1] - heights[0], heights[2] - heights[1]];
    assert!(before < -0.5 && (after - before).abs() < 0.1, "{before} {after}");
}

#[test]
fn the_camera_circles_its_point_at_the_rate() {
    let setup = CameraSetup {
        position: Some(Vec3::new(0.0, 30.0, 40.0)),
        look_at: Some(Vec3::ZERO),
        orbit_speed: Some(90_f32.to_radians()),
        ..CameraSetup::default()
    };
    let mut simulation = with_camera(&setup, FallMode::Cubes);
    for expected in [[40.0, 30.0, 0.0], [0.0, 30.0, -40.0], [-40.0, 30.0, 0.0]] {
        run(&mut simulation, 60, 1.0 / 60.0);
        assert!(eye(&simulation).distance(expected.into()) < 0.05, "{}", eye(&simulation));
        assert!((ahead(&simulation) + eye(&simulation) / 50.0).length() < 1e-2, "it looks there");
    }
}

#[test]
fn a_snapshot_on_the_way_continues_to_the_bit() {
    let path = CameraPath::parse("path.json", LOOP.as_bytes()).unwrap();
    let orbit = CameraSetup {
        look_at: Some(Vec3::ZERO),
        orbit_speed: Some(-0.3),
        ..CameraSetup::default()
    };
    let path = CameraSetup { path: Some(Arc::new(path)), ..CameraSetup::default() };
    for setup in [path, orbit] {
        let mut simulation = with_camera(&setup, FallMode::Cubes);
        run(&mut simulation, 77, 1.0 / 60.0);
        let mut again = Simulation::from_snapshot(simulation.snapshot()).unwrap();
        run(&mut simulation, 500, 1.0 / 60.0);
        run(&mut again, 500, 1.0 / 60.0);
        assert_eq!(again.state_hash(), simulation.state_hash());
        assert_eq!(again.camera().view(), simulation.camera().view());
        assert_eq!(again.camera().rig(), simulation.camera().rig());
    }
}

#[test]
fn invalid_paths_are_refused_with_line_column_and_path() {
    let key =
        |time: u32, rest: &str| format!("{{\"time\": {time}, \"position\": [0, 0, {time}]{rest}}}");
    let keys = |keys: &[String]| format!("{{\"keys\": [\n{}]}}", keys.join(",\n"));
    for (text, expected) in [
        (keys(&[key(0, "")]), "keys: "),
        (keys(&[key(1, ""), key(2, "")]), "p.json, line 2, column 1: keys[0]: the time is 1"),
        (keys(&[key(0, ""), key(0, "")]), "p.json, line 3, column 1: keys[1]: the time is 0"),
        (keys(&[key(0, ""), key(2, ", \"zoom\": 1")]), "keys[1]"),
        (
            keys(&[key(0, ""), key(2, ", \"fov\": 5")]),
            "keys[1].fov: found `5`, expected an angle from 10",
        ),
        (keys(&[key(0, ""), key(2, ", \"yaw\": 1, \"look_at\": [0, 0, 0]")]), "look_at besides"),
        (keys(&[key(0, ""), key(2, ", \"look_at\": [0, 0, 2]")]), "look_at is the position"),
        (
            keys(&[key(0, ""), key(2, "")]).replace("{\"keys", "{\"loop\": true, \"keys"),
            "keys[1]: the path is a loop",
        ),
    ] {
        let error = CameraPath::parse("p.json", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains('\n'), "{text}: {error}");
    }
}

#[test]
fn a_field_of_view_of_the_flags_applies_to_a_whole_path() {
    let mut simulation = on_path(LOOP, FallMode::Cubes);
    simulation
        .camera_mut()
        .set_up(&CameraSetup { fov_y: Some(1.5), ..CameraSetup::default() })
        .unwrap();
    for _ in 0..200 {
        simulation.step(TimeStep::default()).unwrap();
        assert_eq!(simulation.camera().rig(), CameraRig::Path);
        let fov = simulation.camera().lens().fov_y;
        assert!((fov - 1.5).abs() < 1e-5, "{fov}");
    }
    // The limits are valid in files, too.
    for degrees in [10.0_f32, 120.0] {
        let fov_y = Some(degrees.to_radians());
        simulation.camera_mut().set_up(&CameraSetup { fov_y, ..CameraSetup::default() }).unwrap();
        assert!(Simulation::from_snapshot(simulation.snapshot()).is_ok(), "{degrees}");
    }
}

#[test]
fn only_a_place_a_view_or_a_motion_places_the_camera() {
    let widened = CameraSetup { widened_view: Some(true), ..CameraSetup::default() };
    assert!(!widened.places() && !CameraSetup::default().places());
    assert!(!CameraSetup { fov_y: Some(1.0), ..widened.clone() }.places());
    assert!(CameraSetup { orbit_speed: Some(0.1), ..widened.clone() }.places());
    assert!(CameraSetup { look_at: Some(Vec3::X), ..widened }.places());
}

#[test]
fn keys_with_points_and_angles_turn_the_short_way() {
    for x in [-1, 1] {
        let between =
            format!(r#"{{"time": 1, "position": [0, 0, 50], "look_at": [{}, 0, 100]}}"#, -x);
        let (angle, point) = (r#""yaw": 180"#, format!(r#""look_at": [{x}, 0, 100]"#));
        for (first, last) in [(angle, point.as_str()), (point.as_str(), angle)] {
            let keys = format!(
                r#"{{"keys": [{{"time": 0, "position": [0, 0, 50], {first}}}, {between},
                {{"time": 2, "position": [0, 0, 50], {last}}}]}}"#
            );
            let mut simulation = on_path(&keys, FallMode::Cubes);
            for _ in 0..60 {
                run(&mut simulation, 1, 1.0 / 30.0);
                assert!(ahead(&simulation).z > 0.99, "{keys}: {}", ahead(&simulation));
            }
        }
    }
}

#[test]
fn several_points_before_the_first_angle_turn_the_short_way_to_it() {
    // The points are at 0 and -100 degrees.
    let keys = r#"{"keys": [{"time": 0, "position": [0, 0, 0], "look_at": [0, 0, -10]},
        {"time": 2, "position": [0, 0, 0], "look_at": [9.85, 0, 1.74]},
        {"time": 4, "position": [0, 0, 0], "yaw": 170}]}"#;
    let mut simulation = on_path(keys, FallMode::Cubes);
    run(&mut simulation, 90, 1.0 / 30.0);
    // On the way from -100 to -190 degrees, not to 170.
    assert!(ahead(&simulation).z > 0.5, "{}", ahead(&simulation));
}

#[test]
fn a_path_ends_an_orbit() {
    let position = Some(Vec3::Z * 50.0);
    let orbit = CameraSetup { position, orbit_speed: Some(0.1), ..CameraSetup::default() };
    let mut simulation = with_camera(&orbit, FallMode::Cubes);
    assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
    let path = Arc::new(CameraPath::parse("path.json", LOOP.as_bytes()).unwrap());
    let path = CameraSetup { path: Some(path), ..CameraSetup::default() };
    simulation.camera_mut().set_up(&path).unwrap();
    simulation.camera_mut().stop();
    assert_eq!(simulation.camera().rig(), CameraRig::Fly);
}
