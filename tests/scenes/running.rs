//! Entities, tuning and camera of a scene file in a running simulation.

use std::sync::Arc;

use cubefall::components::{
    AngularVelocity, Color, ColorBy, Coloring, Gravity, Motion, Palette, Position, Rotation,
    Velocity,
};
use cubefall::ecs::Entity;
use cubefall::scenes::{Scene, bundled};
use cubefall::sim::{CameraRig, FallMode, SceneSource, Simulation, TimeStep, Tuning};
use glam::{Quat, Vec3};

use crate::run;

fn scene(templates: &str, entities: &str) -> Arc<Scene> {
    let text = format!(
        r#"{{"version": 1, "name": "a", "templates": {{{templates}}}, "entities": [{entities}]}}"#
    );
    Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap())
}

/// Returns the velocity of the only drawn entity.
fn velocity(simulation: &Simulation) -> Vec3 {
    simulation.world().query::<&Velocity>().with::<&Color>().iter().next().unwrap().0
}

#[test]
fn the_camera_does_not_follow_a_cube_to_the_top() {
    let entity = r##"{"position": [0, -90, 0], "color": "#ffffff", "gravity": 9}"##;
    for motion in [Motion::Integrated, Motion::Evaluated] {
        let mut simulation = Simulation::new(scene("", entity), FallMode::Cubes).unwrap();
        simulation.set_motion(motion).unwrap();
        let cube = simulation.world().query::<Entity>().with::<&Color>().iter().next().unwrap();
        simulation.camera_mut().follow(cube).unwrap();
        let mut before = simulation.camera().target().unwrap();
        for _ in 0..120 {
            run(&mut simulation, 1);
            let target = simulation.camera().target().unwrap();
            assert!((target - before).length() < 1.0, "{motion}: {before} {target}");
            before = target;
        }
        assert!(simulation.cubes().get(cube).unwrap().position.0.y > 50.0, "{motion}");
        assert_eq!(simulation.camera().followed(), None, "{motion}");
    }
}

#[test]
fn velocities_are_kept_while_the_camera_falls() {
    let entity =
        r##"{"position": [0, 50, 0], "color": "#ffffff", "velocity": [3, 0, -1], "gravity": 0}"##;
    let templates = r##""t": {"position": [0, 50, 0], "color": "#ffffff", "velocity": [3, 0, -1], "gravity": 0}"##;
    for scene in [scene("", entity), scene(templates, "")] {
        for mode in [FallMode::Cubes, FallMode::Camera] {
            let mut simulation = Simulation::new(&scene, mode).unwrap();
            simulation.set_mode(FallMode::Camera).unwrap();
            run(&mut simulation, 30);
            let at = simulation.cubes().slice::<Position>()[0].0;
            assert_eq!(at, Vec3::new(0.0, 50.0, 0.0), "it hangs still");
            simulation.set_mode(FallMode::Cubes).unwrap();
            run(&mut simulation, 60);
            let gone = simulation.cubes().slice::<Position>()[0].0 - at;
            assert!((gone - Vec3::new(3.0, 0.0, -1.0)).length() < 1e-4, "{mode}: {gone}");
        }
    }
}

#[test]
fn colors_by_speed_are_those_before_the_fall_of_the_camera() {
    let entity =
        r##"{"position": [0, 50, 0], "color": "#ffffff", "velocity": [0, -9, 20], "gravity": 3}"##;
    let colors = |by: ColorBy, before: bool| {
        let mut simulation = Simulation::new(scene("", entity), FallMode::Cubes).unwrap();
        let coloring = Some(Coloring { palette: Palette::Ocean, by });
        if before {
            simulation.set_coloring(coloring).unwrap();
        }
        run(&mut simulation, 30);
        simulation.set_mode(FallMode::Camera).unwrap();
        if !before {
            simulation.set_coloring(coloring).unwrap();
        }
        simulation.cubes().slice::<Color>()[0]
    };
    for by in [ColorBy::Speed, ColorBy::Age] {
        assert_eq!(colors(by, false), colors(by, true));
        assert_ne!(colors(by, false), Palette::Ocean.color(0.0));
    }
}

/// Returns a scene of one cube that falls from rest with 10 m/s2, with these factors.
fn tuned(factors: &str) -> Arc<Scene> {
    let text = format!(
        r##"{{"version": 1, "name": "a", "tuning": {{{factors}}}, "entities": [
            {{"position": [0, 90, 0], "color": "#ffffff", "gravity": 10}}]}}"##
    );
    Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap())
}

#[test]
fn tuning_of_the_file_applies() {
    // By g t^2 / 2 in one second, with the factor of gravity once and that of time squared.
    for (factors, fall) in [("", 5.0), (r#", "gravity": 2"#, 10.0), (r#", "time": 0.5"#, 1.25)] {
        let factors = format!(r#""spin": 0{factors}"#);
        let mut simulation = Simulation::new(tuned(&factors), FallMode::Cubes).unwrap();
        run(&mut simulation, 60);
        let fallen = 90.0 - simulation.cubes().slice::<Position>()[0].0.y;
        assert!((fallen - fall).abs() < 1e-3, "{factors}: {fallen}");
        assert_eq!(simulation.cubes().slice::<Rotation>()[0], Rotation::default(), "none spins");
    }
    let mut spinning = Simulation::new(tuned(""), FallMode::Cubes).unwrap();
    run(&mut spinning, 60);
    assert_ne!(spinning.cubes().slice::<Rotation>()[0], Rotation::default());
}

#[test]
fn a_reset_keeps_changed_factors_and_another_scene_has_its_own() {
    let tuning = |gravity, time, spin| Tuning { gravity, time, spin };
    let start = |factors| SceneSource::File(tuned(factors));
    let slow = start(r#""time": 0.5, "spin": 2"#);
    let mut simulation = Simulation::new(slow.clone(), FallMode::Cubes).unwrap();
    assert_eq!(simulation.tuning(), tuning(1.0, 0.5, 2.0));
    simulation.reset(start(r#""gravity": 3"#), FallMode::Cubes).unwrap();
    assert_eq!(simulation.tuning(), tuning(3.0, 1.0, 1.0), "nothing was changed");
    simulation.set_tuning(Tuning { gravity: 2.0, ..simulation.tuning() }).unwrap();
    simulation.reset(start(r#""gravity": 3"#), FallMode::Cubes).unwrap();
    assert_eq!(simulation.tuning(), tuning(2.0, 1.0, 1.0));
    simulation.reset(slow.clone(), FallMode::Cubes).unwrap();
    assert_eq!(simulation.tuning(), tuning(1.0, 0.5, 2.0));
    // A factor changed to its default is a change too.
    simulation.set_tuning(Tuning { spin: 0.0, ..simulation.tuning() }).unwrap();
    simulation.reset(start(""), FallMode::Cubes).unwrap();
    simulation.reset(slow.clone(), FallMode::Cubes).unwrap();
    assert_eq!(simulation.tuning(), tuning(1.0, 0.5, 2.0));
}

#[test]
fn the_camera_orbits_the_point_of_the_file() {
    let text = r#"{"version": 1, "name": "a", "entities": [{"position": [0, 0, 0]}],
        "camera": {"position": [0, 30, 40], "orbit": [0, 0, 0]}}"#;
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    assert_eq!(simulation.camera().rig(), CameraRig::Orbit);
    run(&mut simulation, 1);
    let still = simulation.camera().view().position.0;
    assert!((still - Vec3::new(0.0, 30.0, 40.0)).length() < 1e-3, "{still}");
    simulation.camera_mut().rotate(200.0, 30.0);
    run(&mut simulation, 60);
    let view = simulation.camera().view();
    assert!((view.position.0 - still).length() > 5.0, "it went round");
    assert!((view.position.0.length() - 50.0).abs() < 0.01, "at the same distance");
    let ahead = view.rotation.0 * Vec3::NEG_Z;
    assert!((ahead + view.position.0 / 50.0).length() < 1e-3, "and looks there: {ahead}");
}

#[test]
fn velocity_and_acceleration_of_resting_cubes_are_in_the_state_hash() {
    let hash = |moves: &str| {
        let entity =
            format!(r##"{{"position": [0, 0, 0], "color": "#ffffff", "gravity": 0, {moves}}}"##);
        let scene = scene("", &entity);
        Simulation::new(&scene, FallMode::Camera).unwrap().state_hash()
    };
    assert_eq!(hash(r#""velocity": [1, 0, 0]"#), hash(r#""velocity": [1, 0, 0]"#));
    assert_ne!(hash(r#""velocity": [1, 0, 0]"#), hash(r#""velocity": [2, 0, 0]"#));
    assert_ne!(hash(r#""acceleration": [1, 0, 0]"#), hash(r#""acceleration": [2, 0, 0]"#));
}

#[test]
fn cubes_added_to_a_scene_file_differ_from_its_own() {
    let classic = bundled().iter().find(|file| file.name == "classic").unwrap();
    let scene = Arc::new(classic.scene().unwrap());
    let mut simulation = Simulation::new(&scene, FallMode::Camera).unwrap();
    simulation.cubes_mut().set_count(scene.len() as u32 + 500).unwrap();
    let positions = simulation.cubes().slice::<Position>();
    let mut bits: Vec<_> = positions.iter().map(|at| at.0.to_array().map(f32::to_bits)).collect();
    bits.sort_unstable();
    bits.dedup();
    assert_eq!(bits.len(), scene.len() + 500);
}

#[test]
fn an_entity_without_a_template_respawns_with_its_initial_velocity() {
    let entity =
        r##"{"position": [0, -90, 0], "color": "#ffffff", "velocity": [2, -5, 0], "gravity": 1}"##;
    let mut simulation = Simulation::new(scene("", entity), FallMode::Cubes).unwrap();
    while simulation.spawn_stats().removed == 0 {
        run(&mut simulation, 1);
        assert!(simulation.steps() < 1000);
    }
    // It has fallen for the rest of the step.
    let [now, height] = [velocity(&simulation), simulation.cubes().slice::<Position>()[0].0]
        .map(|it| it - Vec3::new(2.0, -5.0, 0.0));
    assert!(now.x == 0.0 && (-1.0 / 60.0..=0.0).contains(&now.y), "{now}");
    assert!((104.9..=105.0).contains(&height.y), "{height}");
    // Without an initial velocity it respawns at rest.
    let entity = r##"{"position": [0, -99, 0], "color": "#ffffff", "gravity": 5}"##;
    let mut simulation = Simulation::new(scene("", entity), FallMode::Cubes).unwrap();
    while simulation.spawn_stats().removed == 0 {
        run(&mut simulation, 1);
        assert!(simulation.steps() < 1000);
    }
    assert!((-5.0 / 60.0..=0.0).contains(&velocity(&simulation).y), "{}", velocity(&simulation));
}

#[test]
fn entities_without_a_template_respawn_independently_of_the_time_step() {
    let entity =
        r##"{"position": [0, 100, 0], "color": "#ffffff", "velocity": [1, 0, 0], "gravity": 7}"##;
    for motion in Motion::ALL {
        let ends = [1.0_f32 / 60.0, 1.0 / 30.0, 0.25].map(|dt| {
            let scene = scene("", entity);
            let mut simulation =
                Simulation::with_overrides(&scene, FallMode::Cubes, Some(motion), None).unwrap();
            for _ in 0..(60.0 / dt).round() as u32 {
                simulation.step(TimeStep::fixed(dt).unwrap()).unwrap();
            }
            assert!(simulation.spawn_stats().removed > 5);
            let cube = simulation.world().query::<Entity>().with::<&Color>().iter().next().unwrap();
            simulation.cubes().get(cube).unwrap().position.0
        });
        // Each landing is rounded up to a tick, in which the cube falls 1 mm.
        for end in ends {
            assert!(end.distance(ends[0]) < 0.02, "{motion}: {ends:?}");
        }
        // 60 s: falls of 7.58 s from rest, over 200.867 m.
        let fall = (2.0 * 200.867_f32 / 7.0).sqrt();
        let rest = 60.0 % fall;
        assert!((ends[0].y - (100.0 - 3.5 * rest * rest)).abs() < 0.05, "{motion}: {ends:?}");
        assert!((ends[0].x - 60.0).abs() < 0.02, "{motion}: {ends:?}");
    }
}

#[test]
fn listed_colors_stay_unless_a_palette_follows_their_motion() {
    let text = r##"{"version": 1, "name": "a", "palette": "ember", "color_by": "speed", "entities": [
        {"position": [0, 0, 0], "color": "#0000ff", "velocity": [10, 0, 0]},
        {"position": [0, 0, 0], "color": "#0000ff", "gravity": 9.8}]}"##;
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    let colors = |simulation: &Simulation| {
        let colors = simulation.world().query::<(&Color, Option<&Gravity>)>();
        let mut colors: Vec<_> =
            colors.iter().map(|(color, falls)| (falls.is_some(), *color)).collect();
        colors.sort_by_key(|(falls, _)| *falls);
        colors
    };
    let blue = Color::srgb(0, 0, 255);
    for _ in 0..2 {
        let [(false, rests), (true, falls)] = colors(&simulation)[..] else { panic!() };
        assert!(rests == blue && falls != blue, "{rests:?} {falls:?}");
        run(&mut simulation, 1);
    }
}

#[test]
fn a_cube_respawned_from_a_template_without_gravity_spins() {
    let templates = r##""t": {"count": 0, "position": [0, 0, 0], "color": "#ffffff"}"##;
    let entity = r#"{"template": "t", "position": [0, -99, 0], "gravity": 10}"#;
    let scene = scene(templates, entity);
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    simulation.set_tuning(Tuning { spin: 1.0, ..simulation.tuning() }).unwrap();
    run(&mut simulation, 200);
    assert_eq!((simulation.spawn_stats().removed, simulation.cubes().count()), (1, 1));
    assert_eq!(simulation.world().query::<(&AngularVelocity,)>().iter().count(), 1);
}

/// Arrays that grow during spawning would abort when memory runs out.
#[test]
fn memory_for_all_entities_is_reserved_before_the_first() {
    let taken = |count: u32| {
        let templates = format!(
            r##""t": {{"count": {count}, "position": [0, 0, 0], "color": "#ffffff", "gravity": 1}}"##
        );
        let scene = scene(&templates, "");
        allocation_counter::measure(|| {
            Simulation::new(&scene, FallMode::Cubes).unwrap();
        })
        .count_total
    };
    // Three arrays outside of groups have a page of dense indices per 1,024 slots. One array that doubles
    // during spawning would allocate six times more.
    let [few, many] = [1_000, 64_000].map(taken);
    assert!(many <= few + 3 * 63, "{few} and {many} allocations");
}

/// Returns a scene of 30 cubes with this timeline and tuning.
fn timed(timeline: &str, tuning: &str) -> Arc<Scene> {
    let text = format!(
        r##"{{"version": 1, "name": "a", "timeline": {{{timeline}}}, "tuning": {{{tuning}}}, "templates":
            {{"t": {{"count": 30, "position": {{"sphere": {{"radius": 60}}}}, "color": "#ffffff",
            "velocity": {{"sphere": {{"radius": 9}}}}, "gravity": {{"uniform": [1, 9]}}}}}}}}"##
    );
    Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap())
}

fn positions(simulation: &Simulation) -> Vec<Vec3> {
    simulation.cubes().slice::<Position>().iter().map(|at| at.0).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn a_rewound_scene_comes_back_to_its_start_again_and_again() {
    let scene = timed(r#""rewind_after": 5"#, "");
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    let (start, upright) =
        (positions(&simulation), simulation.cubes().slice::<Rotation>().to_vec());
    for round in 1..=3 {
        run(&mut simulation, 300);
        let lowest = positions(&simulation).iter().fold(0.0, |low: f32, at| low.min(at.y));
        assert!(lowest < -110.0, "{lowest}: some fell through the ground and did not respawn");
        assert!(farthest(&start, &positions(&simulation)) > 50.0);
        run(&mut simulation, 300);
        let off = farthest(&start, &positions(&simulation));
        assert!(off < 0.01, "{off} m after round {round}");
        let turned = simulation.cubes().slice::<Rotation>().iter().zip(&upright);
        assert!(turned.into_iter().all(|(now, then)| now.0.angle_between(then.0) < 0.01));
    }
    assert_eq!(simulation.spawn_stats().removed, 0);
}

#[test]
fn the_mode_switches_every_few_seconds_of_simulated_time() {
    let scene = timed(r#""switch_every": 2"#, r#""time": 0.5"#);
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    let mut switches = Vec::new();
    for step in 1..=1000 {
        let before = simulation.mode();
        run(&mut simulation, 1);
        if simulation.mode() != before {
            switches.push(step);
        }
    }
    // Every 4 s of real time, up to the rounding of 1/60 s.
    assert!(switches.len() == 4 && (239..=241).contains(&switches[0]), "{switches:?}");
    let saved = Simulation::from_snapshot(simulation.snapshot()).unwrap();
    let modes = [simulation, saved].map(|mut it| {
        let modes = (0..300).map(|_| {
            run(&mut it, 1);
            it.mode()
        });
        modes.collect::<Vec<_>>()
    });
    assert_eq!(modes[0], modes[1], "a saved state continues on the timeline");
}

#[test]
fn a_warm_up_moves_each_cube_along_its_path_by_a_time_of_its_own() {
    let start = |timeline| Simulation::new(timed(timeline, ""), FallMode::Cubes).unwrap();
    let (cold, warm) = (start(""), start(r#""warm_up": 8"#));
    let state = |simulation: &Simulation| {
        let cubes = simulation.world().query::<(&Position, &Velocity, &Gravity)>();
        cubes.iter().map(|(at, v, g)| (at.0, v.0, g.0)).collect::<Vec<_>>()
    };
    let spins = |simulation: &Simulation| {
        let cubes = simulation.world().query::<(&Rotation, &AngularVelocity)>().with::<&Gravity>();
        cubes.iter().map(|(rotation, spin)| (rotation.0, spin.0)).collect::<Vec<_>>()
    };
    let mut ages = Vec::new();
    for ((p, v, g), (position, velocity, _)) in state(&cold).into_iter().zip(state(&warm)) {
        // From v + g t.
        let age = (velocity.y - v.y) / g.y;
        let expected = p + v * age + g * (0.5 * age * age);
        assert!(position.distance(expected) < 1e-2, "{position} {expected}");
        assert!(position.y > -100.0 && (0.0..=8.0).contains(&age), "{position} after {age} s");
        ages.push(age);
    }
    let turned = spins(&cold).into_iter().zip(spins(&warm)).zip(&ages);
    for (((before, spin), (after, _)), &age) in turned {
        let expected = Quat::from_scaled_axis(spin * age) * before;
        assert!(expected.angle_between(after) < 0.01, "{expected} {after} after {age} s");
    }
    assert!(!spins(&warm).is_empty());
    let [young, old] =
        [0.0..2.0, 2.0..8.0].map(|it| ages.iter().filter(|age| it.contains(*age)).count());
    assert!(young > 3 && old > 3, "{ages:?}");
    assert_eq!(warm.state_hash(), start(r#""warm_up": 8"#).state_hash());
    // A saved scene is not warmed up again.
    let json = warm.to_scene().unwrap().to_json().unwrap();
    let again = Arc::new(Scene::parse("again.json", json.as_bytes()).unwrap());
    assert_eq!(Simulation::new(&again, FallMode::Cubes).unwrap().state_hash(), warm.state_hash());
}

#[test]
fn cubes_colored_by_height_have_the_colors_of_their_heights_from_the_start() {
    let text = r##"{"version": 1, "name": "a", "palette": "ocean", "color_by": "height", "timeline": {"warm_up": 8},
        "templates": {"t": {"count": 90, "position": {"sphere": {"radius": 60}}, "color": "#ffffff", "gravity": 9}},
        "entities": [{"position": [0, 50, 0], "color": "#ff0000", "gravity": 1}]}"##;
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    for mode in [FallMode::Cubes, FallMode::Camera] {
        for motion in [Motion::Integrated, Motion::Evaluated] {
            let mut simulation =
                Simulation::with_overrides(&scene, mode, Some(motion), None).unwrap();
            for step in 0..2 {
                for (entity, &color) in &simulation.world().query::<(Entity, &Color)>() {
                    let height = simulation.cubes().get(entity).unwrap().position.0.y;
                    let expected = Palette::Ocean.color(height / 200.0 + 0.5);
                    assert_eq!(color, expected, "{mode}, {motion:?}, step {step}: {height} m");
                }
                run(&mut simulation, 1);
            }
        }
    }
}

#[test]
fn listed_colors_are_kept_where_colors_do_not_vary() {
    let text = r##"{"version": 1, "name": "a", "palette": "ocean", "color_by": "random", "entities": [
        {"position": [0, 50, 0], "color": "#ff0000", "gravity": 1}]}"##;
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    run(&mut simulation, 2);
    assert_eq!(simulation.cubes().slice::<Color>()[0], Color::srgb(255, 0, 0));
}

#[test]
fn a_sponge_has_the_cubes_of_its_definition() {
    let text = r##"{"version": 1, "name": "a", "entities": [], "templates": {"t": {"color": "#ffffff",
        "position": {"menger": {"edge": 9, "level": 2, "center": [1, 2, 3]}}}}}"##;
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    let simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    let mut found: Vec<_> = positions(&simulation)
        .iter()
        .map(|at| (*at - Vec3::new(1.0, 2.0, 3.0) + 4.0).round().to_array().map(|x| x as u32))
        .collect();
    found.sort_unstable();
    // A place is empty if at any level at least two of its digits in base 3 are 1.
    let is_full = |place: [u32; 3], scale: u32| {
        place.iter().filter(|&&digit| digit / scale % 3 == 1).count() < 2
    };
    let places = (0..9 * 9 * 9).map(|index| [index / 81, index / 9 % 9, index % 9]);
    let expected: Vec<_> = places.filter(|&at| is_full(at, 1) && is_full(at, 3)).collect();
    assert_eq!((found.len(), scene.len()), (400, 400));
    assert_eq!(found, expected);
}
