//! A saved scene restores the same world.

use std::sync::Arc;

use cubefall::components::{Color, Position};
use cubefall::ecs::Entity;
use cubefall::scenes::{CameraPath, Scene, bundled};
use cubefall::sim::{
    CameraRig, CameraSetup, FallMode, SceneSettings, SceneSource, Simulation, Tuning,
};

use crate::run;

fn loaded(text: &str, mode: FallMode) -> Simulation {
    let scene = Scene::parse("saved.json", text.as_bytes()).unwrap();
    assert_eq!(scene.mode, mode);
    Simulation::new(Arc::new(scene), mode).unwrap()
}

fn saved(simulation: &Simulation) -> String {
    simulation.to_scene().unwrap().to_json().unwrap()
}

fn worlds(mode: FallMode) -> Vec<Simulation> {
    let settings = SceneSettings { cubes: 500, seed: 3 };
    let mut worlds = vec![Simulation::new(settings, mode).unwrap()];
    for file in bundled().iter().filter(|file| ["rain", "sphere", "tower"].contains(&file.name)) {
        let scene = Arc::new(file.scene().unwrap());
        worlds.push(Simulation::new(&scene, mode).unwrap());
    }
    worlds
}

/// Some rain respawns in the first step, so it is not stepped. Nothing else respawns in ten steps.
#[test]
fn a_saved_world_has_the_same_state_hash() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        for mut simulation in worlds(mode) {
            let rains = simulation.cubes().count() == 25_000;
            if !rains {
                simulation.camera_mut().rotate(13.0, 7.0);
                simulation.camera_mut().scroll(2.5);
                // A scene does not hold what is left of an orbit.
                simulation.camera_mut().fly();
                run(&mut simulation, 10);
            }
            let again = loaded(&saved(&simulation), mode);
            assert_eq!(
                again.state_hash(),
                simulation.state_hash(),
                "{}",
                simulation.cubes().count()
            );
            assert_eq!(again.light(), simulation.light());
        }
    }
}

#[test]
fn cubes_of_a_glowing_template_keep_their_emission() {
    let text = r##"{"version": 1, "name": "a", "templates": {"t": {"count": 40, "position": {"sphere": {"radius": 20}},
        "color": "#ff8000", "emission": {"choice": [0, 4]}, "gravity": 9}}}"##;
    let simulation = loaded(text, FallMode::Cubes);
    let emissions = |simulation: &Simulation| {
        let colors = simulation.world().query::<&Color>();
        colors.iter().map(|color| color.emission()).collect::<Vec<_>>()
    };
    let before = emissions(&simulation);
    assert!(before.contains(&0.0) && before.iter().any(|it| *it > 1.0), "{before:?}");
    let again = loaded(&saved(&simulation), FallMode::Cubes);
    assert_eq!(emissions(&again), before);
    assert_eq!(again.state_hash(), simulation.state_hash());
}

#[test]
fn colors_of_cubes_that_do_not_fall_are_saved_where_speed_colors_the_others() {
    let text = r##"{"version": 1, "name": "a", "mode": "camera-falls", "palette": "ocean", "color_by": "speed",
        "templates": {"t": {"count": 20, "position": {"sphere": {"radius": 20}}, "color": "#ff8000",
        "velocity": [0, {"uniform": [-30, 0]}, 0], "gravity": 9}},
        "entities": [{"position": [0, 50, 0], "color": "#ff0000"}]}"##;
    let mut simulation = loaded(text, FallMode::Camera);
    run(&mut simulation, 5);
    simulation.camera_mut().fly();
    let colors = simulation.cubes().slice::<Color>().to_vec();
    assert!(colors.contains(&Color::srgb(255, 0, 0)), "it never falls");
    let mut again = loaded(&saved(&simulation), FallMode::Camera);
    run(&mut again, 5);
    assert_eq!(again.cubes().slice::<Color>(), colors);
}

#[test]
fn a_scene_whose_orbit_was_replaced_by_a_path_is_saved_as_a_valid_file() {
    let path =
        r#"{"keys": [{"time": 0, "position": [0, 0, 50]}, {"time": 4, "position": [0, 20, 50]}]}"#;
    let path = Arc::new(CameraPath::parse("path.json", path.as_bytes()).unwrap());
    let tower = bundled().iter().find(|file| file.name == "tower").unwrap();
    let mut simulation =
        Simulation::new(Arc::new(tower.scene().unwrap()), FallMode::Cubes).unwrap();
    simulation
        .camera_mut()
        .set_up(&CameraSetup { path: Some(path), ..CameraSetup::default() })
        .unwrap();
    run(&mut simulation, 3);
    assert_eq!(loaded(&saved(&simulation), FallMode::Cubes).camera().rig(), CameraRig::Path);
}

#[test]
fn a_loaded_world_is_saved_as_the_same_file() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        for mut simulation in worlds(mode) {
            run(&mut simulation, 200);
            let text = saved(&simulation);
            let again = loaded(&text, mode);
            assert!(saved(&again) == text, "{} cubes", simulation.cubes().count());
            let sorted = |simulation: &Simulation| {
                let positions = simulation.cubes().slice::<Position>();
                let mut bits: Vec<_> =
                    positions.iter().map(|at| at.0.to_array().map(f32::to_bits)).collect();
                bits.sort_unstable();
                bits
            };
            assert_eq!(sorted(&again), sorted(&simulation));
        }
    }
}

#[test]
fn tuning_and_the_orbited_point_are_saved() {
    let settings = SceneSettings { cubes: 50, seed: 3 };
    let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    simulation.set_tuning(Tuning { gravity: 0.3, time: 1.7, spin: 0.9 }).unwrap();
    let (cube, _) = simulation.world().query::<(Entity, &Color)>().iter().next().unwrap();
    simulation.camera_mut().follow(cube).unwrap();
    run(&mut simulation, 60);
    let text = saved(&simulation);
    let mut again = loaded(&text, FallMode::Cubes);
    assert_eq!(again.tuning(), simulation.tuning());
    assert_eq!(again.camera().rig(), CameraRig::Orbit, "a file holds no handles");
    assert!(saved(&again) == text);
    let before = again.camera().view().position.0;
    run(&mut again, 1);
    assert!((again.camera().view().position.0 - before).length() < 0.1, "it does not jump");
    // Defaults are not written.
    let classic = Simulation::new(settings, FallMode::Cubes).unwrap();
    assert!(!saved(&classic).contains("tuning") && !saved(&classic).contains("orbit"));
}

#[test]
fn cubes_of_a_loaded_world_fall_and_respawn() {
    let settings = SceneSettings { cubes: 500, seed: 3 };
    let simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    let mut again = loaded(&saved(&simulation), FallMode::Cubes);
    run(&mut again, 900);
    assert_eq!(again.cubes().count(), 500);
    assert!(again.cubes().slice::<Position>().iter().all(|at| at.0.y > -115.0));
    // In the other mode: resting cubes fall again.
    again.set_mode(FallMode::Camera).unwrap();
    let resting = saved(&again);
    let mut third = loaded(&resting, FallMode::Camera);
    third.set_mode(FallMode::Cubes).unwrap();
    let before = third.cubes().slice::<Position>().to_vec();
    run(&mut third, 30);
    assert_ne!(third.cubes().slice::<Position>(), before);
}

#[test]
fn names_and_entities_without_templates_are_saved() {
    let text = r##"{"version": 1, "name": "two", "entities": [
        {"name": "Anna", "position": [1, 2, 3], "color": "#ff8000", "gravity": 5},
        {"position": [0.1, -0.0, 1e-7], "scale": 0.1, "rotation": [0.6, 0, 0, 0.8]}
    ]}"##;
    let simulation = loaded(text, FallMode::Cubes);
    assert_eq!(simulation.cubes().count(), 1, "the other entity has no color");
    let again = loaded(&saved(&simulation), FallMode::Cubes);
    assert_eq!(again.state_hash(), simulation.state_hash());
    let world = again.world();
    let placed = world.query::<Entity>().with::<&Position>();
    let names: Vec<_> = placed.iter().filter_map(|entity| again.name(entity)).collect();
    assert_eq!(names, ["Anna"]);
}

#[test]
fn too_many_entities_are_refused_before_memory_is_allocated() {
    let settings = SceneSettings { cubes: 250_001, seed: 1 };
    let entities = vec![r#"{"position":[0,0,0]}"#; 250_000].join(",");
    let text = format!(r#"{{"version": 1, "name": "full", "entities": [{entities}]}}"#);
    let mut full = loaded(&text, FallMode::Cubes);
    full.cubes_mut().spawn_at(Position::default()).unwrap();
    let falling = Simulation::new(settings, FallMode::Cubes).unwrap();
    let resting = Simulation::new(settings, FallMode::Camera).unwrap();
    for simulation in [falling, resting, full] {
        let mut refused = None;
        let spent = allocation_counter::measure(|| refused = simulation.to_scene().err());
        assert!(spent.bytes_max < 1 << 20, "{} bytes", spent.bytes_max);
        let message = refused.unwrap().to_string();
        assert!(message.contains("250000 entities; save the state"), "{message}");
    }
}

/// A snapshot also holds handles and the positions of the random streams.
#[test]
fn a_snapshot_of_a_scene_continues_to_the_bit() {
    for (file, spin) in
        bundled().iter().filter(|file| file.name != "stress").zip([0.0, 1.0].into_iter().cycle())
    {
        let scene = Arc::new(file.scene().unwrap());
        let mut simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
        simulation.set_tuning(Tuning { spin, ..simulation.tuning() }).unwrap();
        run(&mut simulation, 150);
        let mut again = Simulation::from_snapshot(simulation.snapshot()).unwrap();
        run(&mut simulation, 150);
        run(&mut again, 150);
        assert_eq!(again.state_hash(), simulation.state_hash(), "{}", file.name);
        assert_eq!(
            (again.light(), again.has_ground()),
            (simulation.light(), simulation.has_ground())
        );
        let names = |simulation: &Simulation| {
            let world = simulation.world();
            let entities = world.query::<Entity>().with::<&Position>();
            let names = entities.iter().map(|entity| simulation.name(entity).map(str::to_owned));
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(&again), names(&simulation));
        // A reset gives the same world for both.
        let reset = |simulation: &Simulation| {
            Simulation::new(simulation.source(), FallMode::Cubes).unwrap().state_hash()
        };
        assert_eq!(reset(&again), reset(&simulation));
        assert_eq!(again.source(), simulation.source());
        let fingerprint = |simulation: &Simulation| match simulation.source() {
            SceneSource::File(scene) => scene.fingerprint(),
            SceneSource::Classic(_) => unreachable!(),
        };
        assert_eq!(fingerprint(&again), scene.fingerprint());
        // A snapshot of a restored snapshot holds the same.
        let third = Simulation::from_snapshot(again.snapshot()).unwrap();
        assert_eq!(fingerprint(&third), scene.fingerprint());
    }
}
