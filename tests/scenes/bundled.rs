//! Bundled scenes load, run and are reproducible.

use std::collections::BTreeSet;
use std::sync::Arc;

use cubefall::components::{Acceleration, Color, Gravity, Name, Position, Velocity};
use cubefall::ecs::Entity;
use cubefall::scenes::{Scene, bundled};
use cubefall::sim::{FallMode, HALF_EXTENT, SceneSettings, Simulation, Tuning};
use glam::Vec3;

use crate::run;

fn start(scene: &Arc<Scene>) -> Simulation {
    Simulation::new(scene, scene.mode).unwrap()
}

#[test]
fn bundled_scenes_have_unique_names_and_descriptions() {
    let names: BTreeSet<_> = bundled().iter().map(|file| file.name).collect();
    assert_eq!(names.len(), bundled().len());
    for name in ["classic", "rain", "tower", "sphere", "galaxy", "stress"] {
        assert!(names.contains(name), "{name}");
    }
    for file in bundled() {
        let scene = file.scene().unwrap();
        assert_eq!(scene.name(), file.name);
        assert!((10..80).contains(&scene.description().len()), "{}", scene.description());
    }
}

#[test]
fn bundled_scenes_load_and_move_what_their_mode_says() {
    for file in bundled() {
        let scene = Arc::new(file.scene().unwrap());
        let mut simulation = start(&scene);
        assert_eq!(simulation.cubes().count(), scene.len(), "{}: all are drawn", file.name);
        let state = |simulation: &Simulation| {
            (simulation.cubes().slice::<Position>().to_vec(), simulation.camera().view())
        };
        let before = state(&simulation);
        run(&mut simulation, 5);
        let after = state(&simulation);
        match scene.mode {
            FallMode::Cubes => assert!(before != after, "{}: cubes or camera move", file.name),
            FallMode::Camera => {
                assert!(before.0 == after.0 && before.1 != after.1, "{}", file.name);
            }
        }
        assert_eq!(simulation.cubes().count(), scene.len(), "{}", file.name);
    }
}

#[test]
fn a_falling_camera_starts_in_front_of_the_object_that_it_looks_at() {
    for name in ["tower", "sponge", "fountain", "galaxy", "sphere"] {
        let file = bundled().iter().find(|file| file.name == name).unwrap();
        let json: serde_json::Value = serde_json::from_str(file.text).unwrap();
        let period = json["period"].as_array().unwrap().iter();
        let half_period: Vec<_> = period.map(|it| it.as_f64().unwrap() as f32 / 2.0).collect();
        let half_period = Vec3::from_slice(&half_period);
        let simulation = start(&Arc::new(file.scene().unwrap()));
        // Cubes further away than half a period are drawn elsewhere, often behind the camera.
        let eye = simulation.camera().view().position.0;
        let cubes = simulation.cubes();
        let is_near = |at: &&Position| (at.0 - eye).abs().cmplt(half_period).all();
        let near = cubes.slice::<Position>().iter().filter(is_near).count();
        assert!(near * 100 >= cubes.count() * 90, "{name}: {near} of {}", cubes.count());
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_does_not() {
    for file in bundled().iter().filter(|file| !["stress", "sponge"].contains(&file.name)) {
        let hash = |scene: Scene| {
            let mut simulation = start(&Arc::new(scene));
            run(&mut simulation, 20);
            simulation.state_hash()
        };
        let scene = file.scene().unwrap();
        assert_eq!(hash(scene.clone()), hash(scene.clone()), "{}", file.name);
        let other = scene.seed + 1;
        assert_ne!(hash(scene.clone()), hash(scene.with_seed(other)), "{}", file.name);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let file = bundled().iter().find(|file| file.name == "rain").unwrap();
    let scene = Arc::new(file.scene().unwrap());
    let hash = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = start(&scene);
            run(&mut simulation, 150);
            simulation.state_hash()
        })
    };
    assert_eq!([2, 5].map(hash), [hash(1); 2]);
}

/// The classic scene has its own generator, so this compares two implementations.
#[test]
fn the_classic_file_equals_the_classic_scene_through_many_respawns() {
    let file = bundled().iter().find(|file| file.name == "classic").unwrap();
    let scene = Arc::new(file.scene().unwrap());
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut from_file = Simulation::new(&scene, mode).unwrap();
        let mut classic = Simulation::new(SceneSettings::default(), mode).unwrap();
        for _ in 0..3 {
            assert_eq!(from_file.state_hash(), classic.state_hash());
            run(&mut from_file, 300);
            run(&mut classic, 300);
        }
    }
}

#[test]
fn fallen_cubes_respawn_from_their_template() {
    let file = bundled().iter().find(|file| file.name == "fountain").unwrap();
    let scene = Arc::new(file.scene().unwrap());
    let mut simulation = start(&scene);
    let falling = simulation.world().query::<(Entity, &Gravity)>();
    let first: BTreeSet<u64> = falling.iter().map(|(entity, _)| entity.to_bits()).collect();
    run(&mut simulation, 700);
    let positions = simulation.cubes().slice::<Position>();
    assert_eq!(positions.len(), scene.len());
    // A jet of 36.5 m/s rises 69.4 m against 9.6 m/s2, and nothing respawns at the top.
    assert!(positions.iter().all(|at| (-HALF_EXTENT - 2.0..25.0).contains(&at.0.y)));
    let world = simulation.world();
    let named = world.query::<Entity>().with::<(&Gravity, &Name)>();
    let again = named.iter().filter(|entity| !first.contains(&entity.to_bits())).count();
    assert!(again > scene.len() / 2, "{again} respawned");
    let templates = ["jet", "crown", "spray"];
    assert!(named.iter().all(|entity| templates.contains(&simulation.name(entity).unwrap())));
}

#[test]
fn components_left_out_of_a_template_are_absent() {
    let file = bundled().iter().find(|file| file.name == "rain").unwrap();
    let simulation = start(&Arc::new(file.scene().unwrap()));
    let world = simulation.world();
    let (mut clouds, mut drops) = (0, 0);
    for entity in world.query::<Entity>().with::<(&Name, &Color)>() {
        let moves = world.has::<Velocity>(entity);
        let falls = world.has::<Gravity>(entity) && world.has::<Acceleration>(entity);
        match simulation.name(entity) {
            Some("cloud") => clouds += usize::from(!moves && !falls),
            Some("drop") => drops += usize::from(moves && falls),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((clouds, drops), (5000, 20_000));
}

/// With few enough cubes for one thread: the queues of a thread pool allocate now and then.
#[test]
fn a_step_allocates_nothing_after_the_first_respawns() {
    let file = bundled().iter().find(|file| file.name == "fountain").unwrap();
    let mut simulation = start(&Arc::new(file.scene().unwrap()));
    // Spins are turned on all threads, and rayon has a block allocated for each 63 calls from outside.
    simulation.set_tuning(Tuning { spin: 0.0, ..simulation.tuning() }).unwrap();
    run(&mut simulation, 900);
    let before = simulation.cubes().slice::<Position>().to_vec();
    let allocated = allocation_counter::measure(|| run(&mut simulation, 100));
    assert_eq!(allocated.count_total, 0);
    assert_ne!(simulation.cubes().slice::<Position>(), before);
}
