//! Snapshots: a loaded simulation continues to the bit, and invalid files are refused.

use std::path::PathBuf;

use cubefall::components::{Color, FallMode, Motion, Position, Rotation, Scale};
use cubefall::ecs::Entity;
use cubefall::scenes::{CameraPath, Scene};
use cubefall::sim::{Simulation, SnapshotFile, TimeStep, Tuning};
use glam::Vec3;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::{load, run, saved, simulation};

/// The observable state of a simulation.
fn state(simulation: &Simulation) -> impl PartialEq + std::fmt::Debug {
    (
        simulation.state_hash(),
        (simulation.mode(), simulation.is_paused(), simulation.source()),
        (simulation.spawn_stats().spawned, simulation.spawn_stats().removed, simulation.steps()),
        simulation.tuning(),
        (simulation.camera().view(), simulation.camera().rig()),
    )
}

/// Runs on, with every kind of change, and returns the state hashes.
fn run_on(simulation: &mut Simulation) -> Vec<u64> {
    let mut hashes = Vec::new();
    let mut pass = |simulation: &mut Simulation, steps| {
        run(simulation, steps);
        hashes.push(simulation.state_hash());
    };
    pass(simulation, 200);
    simulation.set_paused(false);
    pass(simulation, 200);
    simulation.set_mode(simulation.mode().flipped()).unwrap();
    pass(simulation, 100);
    let double = simulation.cubes().count() as u32 * 2;
    simulation.cubes_mut().set_count(double).unwrap();
    pass(simulation, 100);
    simulation.set_mode(simulation.mode().flipped()).unwrap();
    simulation.set_tuning(Tuning { spin: 1.0, ..simulation.tuning() }).unwrap();
    let dropped = simulation.cubes_mut().spawn_at(Position(Vec3::new(5.0, 99.0, 5.0))).unwrap();
    pass(simulation, 100);
    simulation.camera_mut().focus(dropped).unwrap();
    pass(simulation, 20);
    simulation.cubes_mut().set_count(50).unwrap();
    pass(simulation, 100);
    hashes
}

/// Changes before the simulation is saved.
type Before = fn(&mut Simulation);

#[test]
fn loaded_simulation_continues_to_the_bit() {
    let histories: [(&str, Before); 8] = [
        ("within a glide", |simulation| {
            run(simulation, 700);
            simulation.set_mode(simulation.mode().flipped()).unwrap();
            run(simulation, 13);
        }),
        ("plain", |simulation| run(simulation, 100)),
        ("without a step", |_| {}),
        ("switched twice", |simulation| {
            run(simulation, 400);
            simulation.set_mode(simulation.mode().flipped()).unwrap();
            run(simulation, 50);
            simulation.set_mode(simulation.mode().flipped()).unwrap();
            run(simulation, 100);
        }),
        ("grown and shrunk", |simulation| {
            run(simulation, 400);
            simulation.cubes_mut().set_count(900).unwrap();
            run(simulation, 50);
            simulation.set_mode(simulation.mode().flipped()).unwrap();
            simulation.cubes_mut().set_count(700).unwrap();
            simulation.cubes_mut().set_count(800).unwrap();
        }),
        ("spinning", |simulation| {
            simulation.set_tuning(Tuning { gravity: 2.0, time: 1.5, spin: 0.7 }).unwrap();
            run(simulation, 500);
        }),
        ("added, followed and despawned", |simulation| {
            run(simulation, 30);
            let first =
                simulation.cubes_mut().spawn_at(Position(Vec3::new(1.0, 90.0, 2.0))).unwrap();
            let second =
                simulation.cubes_mut().spawn_at(Position(Vec3::new(-9.0, 95.0, 2.0))).unwrap();
            simulation.cubes_mut().despawn(first).unwrap();
            simulation.camera_mut().follow(second).unwrap();
            run(simulation, 20);
        }),
        ("paused", |simulation| {
            run(simulation, 30);
            simulation.set_paused(true);
            simulation.camera_mut().rotate(30.0, 10.0);
            run(simulation, 3);
        }),
    ];
    for mode in [FallMode::Cubes, FallMode::Camera] {
        for (name, before) in &histories {
            let mut original = simulation(600, mode);
            before(&mut original);
            let mut loaded = load(&saved(&original)).unwrap();
            assert_eq!(state(&loaded), state(&original), "{name}, {mode}");
            let mut restored = Simulation::from_snapshot(original.snapshot()).unwrap();
            assert_eq!(saved(&loaded), saved(&original), "{name}, {mode}: saved again");
            let expected = run_on(&mut original);
            assert_eq!(run_on(&mut loaded), expected, "{name}, {mode}");
            assert_eq!(run_on(&mut restored), expected, "{name}, {mode}: restored");
            assert_eq!(state(&loaded), state(&original), "{name}, {mode}: at the end");
        }
    }
}

#[test]
fn the_source_keeps_the_number_of_cubes_that_was_set() {
    let mut simulation = simulation(200, FallMode::Cubes);
    simulation.cubes_mut().set_count(300).unwrap();
    let cube = simulation.world().query::<Entity>().with::<&Color>().iter().next().unwrap();
    simulation.cubes_mut().despawn(cube).unwrap();
    for simulation in [&simulation, &load(&saved(&simulation)).unwrap()] {
        assert_eq!((simulation.cubes().count(), simulation.source().cubes()), (299, 300));
    }
}

#[test]
fn loaded_scene_file_continues_to_the_bit() {
    let bundled = cubefall::scenes::bundled().iter().filter(|file| file.name != "stress");
    for file in bundled {
        let scene = std::sync::Arc::new(file.scene().unwrap());
        for mode in [FallMode::Cubes, FallMode::Camera] {
            let mut original = Simulation::new(&scene, mode).unwrap();
            run(&mut original, 20);
            // Few enough cubes to be fast, of every template.
            original.cubes_mut().set_count(1500).unwrap();
            original.cubes_mut().set_count(1600).unwrap();
            original.cubes_mut().spawn_at(Position(Vec3::new(-5.0, 60.0, 5.0))).unwrap();
            run(&mut original, 20);
            original.set_mode(mode.flipped()).unwrap();
            run(&mut original, 20);
            let mut loaded = load(&saved(&original)).unwrap();
            assert_eq!(state(&loaded), state(&original), "{}, {mode}", file.name);
            assert_eq!(loaded.source(), original.source());
            assert_eq!(run_on(&mut loaded), run_on(&mut original), "{}, {mode}", file.name);
            assert_eq!(state(&loaded), state(&original), "{}, {mode}: at the end", file.name);
            assert!(saved(&loaded) == saved(&original), "{}, {mode}", file.name);
        }
    }
}

#[test]
fn drawn_arrays_count_as_changed_after_a_restore() {
    let mut simulation = simulation(100, FallMode::Cubes);
    let snapshot = simulation.snapshot();
    run(&mut simulation, 10);
    // A renderer with a copy from before uploads everything again.
    let before = (
        simulation.cubes().changes::<Position>().latest(),
        simulation.cubes().changes::<Rotation>().latest(),
        simulation.cubes().changes::<Scale>().latest(),
        simulation.cubes().changes::<Color>().latest(),
    );
    simulation = Simulation::from_snapshot(snapshot).unwrap();
    assert!(simulation.cubes().changes::<Position>().everywhere() > before.0);
    assert!(simulation.cubes().changes::<Rotation>().everywhere() > before.1);
    assert!(simulation.cubes().changes::<Scale>().everywhere() > before.2);
    assert!(simulation.cubes().changes::<Color>().everywhere() > before.3);
    assert_eq!(simulation.steps(), 0);
}

#[test]
fn truncated_file_is_refused() {
    let mut simulation = simulation(5, FallMode::Camera);
    run(&mut simulation, 5);
    let whole = saved(&simulation);
    for len in 0..whole.len() {
        let error = load(&whole[..len]).err().unwrap();
        let expected = if len < 8 { "not a saved state" } else { "damaged" };
        assert!(error.starts_with("cannot load ") && error.contains(expected), "{len}: {error}");
        assert_eq!(error.lines().count(), 1);
    }
    let error = load(&[&whole[..], b"x"].concat()).err().unwrap();
    assert!(error.contains("damaged"), "{error}");
    load(&whole).unwrap();
}

#[test]
fn flipped_bit_is_detected() {
    let mut simulation = simulation(4, FallMode::Cubes);
    run(&mut simulation, 5);
    let mut bytes = saved(&simulation);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = load(&bytes).err().unwrap();
        let expected = match bit / 8 {
            0..8 => "not a saved state",
            8..12 => "reads format 9",
            _ => "damaged",
        };
        assert!(error.contains(expected), "bit {bit}: {error}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    load(&bytes).unwrap();
}

/// A snapshot file with any content and a valid header.
fn sealed(content: &[u8]) -> Vec<u8> {
    let checksum = xxhash_rust::xxh3::xxh3_64(content);
    let length = content.len() as u64;
    let header = [&9_u32.to_le_bytes()[..], &length.to_le_bytes(), &checksum.to_le_bytes()];
    [&b"CUBEFALL"[..], &header.concat(), content].concat()
}

#[test]
fn altered_content_is_refused_or_runs() {
    for (mode, motion) in
        [(FallMode::Camera, Motion::Integrated), (FallMode::Cubes, Motion::Evaluated)]
    {
        let mut simulation = simulation(3, mode);
        simulation.set_motion(motion).unwrap();
        run(&mut simulation, 5);
        alter_each_byte(&saved(&simulation));
    }
}

fn alter_each_byte(whole: &[u8]) {
    let content = whole[28..].to_vec();
    assert_eq!(sealed(&content), whole);
    let mut accepted = 0;
    for at in 0..content.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF, content[at] ^ 1, content[at] ^ 0x80] {
            let mut other = content.clone();
            other[at] = value;
            // Some bytes may have any value, such as those of a position. The result must run.
            if let Ok(mut loaded) = load(&sealed(&other)) {
                run(&mut loaded, 2);
                loaded.set_mode(loaded.mode().flipped()).unwrap();
                run(&mut loaded, 2);
                let positions = loaded.cubes().slice::<Position>();
                assert!(positions.iter().all(|place| place.0.is_finite()), "byte {at} as {value}");
                accepted += 1;
            }
        }
    }
    assert!(accepted > 0);
}

/// Loads the saved state of one cube, whose numbers occur once each, with one of them replaced.
fn with_number(from: f32, to: f32) -> Result<Simulation, String> {
    let text = r##"{"version": 1, "name": "one", "templates": {"cube": {"position": [11.5, 12.5, 13.5],
        "scale": 1.75, "color": "#ff0000", "velocity": [21.5, 22.5, 23.5], "gravity": 5.75,
        "acceleration": [31.5, 32.5, 33.5]}},
        "camera": {"position": [41.5, 42.5, 43.5], "orbit": [51.5, 52.5, 53.5], "speed": 61.5, "fov": 60}}"##;
    let scene = std::sync::Arc::new(Scene::parse("one", text.as_bytes()).unwrap());
    let content = saved(&Simulation::new(&scene, FallMode::Cubes).unwrap())[28..].to_vec();
    let at = content.windows(4).position(|bytes| bytes == from.to_le_bytes());
    let mut other = content;
    let at = at.unwrap_or_else(|| panic!("{from} is not in the file"));
    other[at..at + 4].copy_from_slice(&to.to_le_bytes());
    load(&sealed(&other))
}

#[test]
fn numbers_out_of_range_are_refused_with_the_name_of_their_component() {
    for (component, number, valid, invalid) in [
        ("Scale", 1.75_f32, &[0.001, 1000.0][..], &[0.0, -1.0, 0.0009, 1001.0][..]),
        ("Position", 12.5, &[-9000.0, 1e9], &[-1.1e9, 2e9]),
        ("Velocity", 22.5, &[-9000.0, 1e7], &[-1.1e7, 2e7]),
        ("Acceleration", 32.5, &[-9000.0, 1e4], &[-1.1e4]),
        ("Gravity", -5.75, &[-9000.0, 1e4], &[-1.1e4]),
        ("Position", 43.5, &[0.0], &[-2e9]),
        ("Orbit", 53.5, &[0.0], &[-2e9]),
        ("Controls", 61.5, &[1.0, 1000.0], &[0.0, -5.0, 1001.0]),
        ("Lens", 60_f32.to_radians(), &[0.2, 2.0], &[0.0, -1.0, 3.0]),
        ("Lens", 0.1, &[1.0], &[0.0, -0.1, 11.0]),
    ] {
        for &to in valid {
            let loaded = with_number(number, to);
            assert!(loaded.is_ok(), "{component} {to}: {:?}", loaded.err());
        }
        for &to in invalid.iter().chain(&[1e38, -1e38, f32::NAN, f32::INFINITY]) {
            let error = with_number(number, to).err().unwrap_or_else(|| panic!("{component} {to}"));
            assert!(error.contains("out of range") && error.contains(component), "{to}: {error}");
        }
    }
}

/// Whatever is saved can be loaded, as a snapshot and as a scene.
fn assert_loadable(simulation: &Simulation, what: &str) {
    let bytes = saved(simulation);
    let loaded = load(&bytes).map_err(|error| format!("{what}: {error}")).unwrap();
    assert_eq!(saved(&loaded), bytes, "{what}");
    assert_eq!(loaded.state_hash(), simulation.state_hash(), "{what}");
    let json = simulation.to_scene().unwrap().to_json().unwrap();
    Scene::parse(what, json.as_bytes()).unwrap();
}

#[test]
fn any_reachable_state_can_be_saved_and_loaded() {
    for seed in 0..12_u64 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut unit = move || random.next_u32() as f32 / u32::MAX as f32;
        let mut simulation = simulation(30, FallMode::ALL[seed as usize % 2]);
        for step in 0..40 {
            let [a, b, c] = [unit(), unit(), unit()].map(|part| (part - 0.5) * 2.0);
            let huge = 10_f32.powf(8.0 * unit());
            let cube = simulation.world().query::<Entity>().with::<&Color>().iter().next();
            let operation = (unit() * 15.99) as u32;
            match operation {
                0 => simulation.camera_mut().rotate(a * huge, b * huge),
                1 => simulation.camera_mut().scroll(a * huge),
                2 => simulation.camera_mut().pan(a * huge, b * huge, c * huge),
                3 => drop(simulation.camera_mut().cycle_rig(cube)),
                4 => cube.into_iter().for_each(|it| simulation.camera_mut().focus(it).unwrap()),
                5 => cube.into_iter().for_each(|it| simulation.camera_mut().follow(it).unwrap()),
                6 => cube.into_iter().for_each(|it| {
                    simulation.camera_mut().follow_from_here(it).unwrap();
                }),
                7 => simulation.camera_mut().controls().motion = Vec3::new(a, b, c),
                8 => simulation.set_mode(simulation.mode().flipped()).unwrap(),
                9 => simulation.cubes_mut().set_count(1 + (unit() * 60.0) as u32).unwrap(),
                10 => {
                    let position = Position(Vec3::new(a, b, c) * huge);
                    simulation.cubes_mut().spawn_at(position).unwrap();
                }
                11 => cube.into_iter().for_each(|it| simulation.cubes_mut().despawn(it).unwrap()),
                12 => {
                    let tuning = Tuning { gravity: a * 9.0, time: b * 9.0, spin: c * 9.0 };
                    simulation.set_tuning(tuning).unwrap();
                }
                13 => simulation.set_paused(a > 0.0),
                _ => {
                    let dt = TimeStep::fixed(0.25).unwrap();
                    (0..(huge as u32).min(300)).for_each(|_| simulation.step(dt).unwrap());
                }
            }
            assert_loadable(&simulation, &format!("seed {seed}, step {step}, {operation}"));
        }
    }
}

#[test]
fn hours_of_extreme_motion_can_be_saved_and_loaded() {
    let text = r##"{"version": 1, "name": "rocket", "tuning": {"gravity": 4, "time": 8, "spin": 4},
        "mode": "cubes-fall",
        "camera": {"position": [10000, 10000, -10000], "velocity": [1000, 1000, -1000], "speed": 1000,
            "yaw": 360, "pitch": 89, "fov": 10},
        "templates": {"cube": {"count": 3, "color": "#ff0000", "velocity": [1000, 1000, -1000],
            "position": {"grid": {"counts": [3, 1, 1], "spacing": [10000, 0, 0],
                "center": [10000, 10000, -10000]}},
            "gravity": [1000, 1000, -1000], "acceleration": [1000, 1000, -1000]},
        "far": {"color": "#00ff00", "gravity": 0,
            "position": {"grid": {"counts": [1000, 1, 1], "spacing": [10000, 0, 0]}},
            "velocity": {"grid": {"counts": [10000, 1, 1], "spacing": [1000, 0, 0]}},
            "acceleration": {"grid": {"counts": [10000, 1, 1], "spacing": [1000, 0, 0]}}}}}"##;
    let scene = std::sync::Arc::new(Scene::parse("rocket", text.as_bytes()).unwrap());
    let cases = FallMode::ALL.into_iter().flat_map(|mode| Motion::ALL.map(|motion| (mode, motion)));
    for (mode, motion) in cases {
        let mut simulation = Simulation::new(&scene, mode).unwrap();
        simulation.camera_mut().controls().motion = Vec3::new(0.0, 1.0, -1.0);
        assert_loadable(&simulation, "new");
        simulation.set_motion(motion).unwrap();
        // Half an hour of simulated time with each mode; the limits are reached after minutes.
        for steps in [1, 9, 90, 800] {
            for _ in 0..steps {
                simulation.step(TimeStep::fixed(0.25).unwrap()).unwrap();
            }
            assert_loadable(&simulation, &format!("after {steps} steps, {mode}, {motion}"));
        }
        simulation.set_mode(mode.flipped()).unwrap();
        run(&mut simulation, 20);
        assert_loadable(&simulation, "flipped");
    }
}

#[test]
fn cubes_that_rest_now_and_then_stay_in_range() {
    let text = r##"{"version": 1, "name": "rocket", "mode": "camera-falls", "tuning": {"gravity": 4, "time": 8},
        "timeline": {"switch_every": 32},
        "templates": {"cube": {"count": 3, "position": [0, 0, 0], "color": "#ff0000", "gravity": [1000, 1000, -1000]}}}"##;
    let scene = std::sync::Arc::new(Scene::parse("rocket", text.as_bytes()).unwrap());
    for motion in Motion::ALL {
        let mut simulation = Simulation::new(&scene, FallMode::Camera).unwrap();
        simulation.set_motion(motion).unwrap();
        // Eight hours of simulated time.
        for _ in 0..16 {
            for _ in 0..900 {
                simulation.step(TimeStep::fixed(0.25).unwrap()).unwrap();
            }
            assert_loadable(&simulation, &motion.to_string());
        }
    }
}

#[test]
fn excessive_lengths_are_refused_without_allocation() {
    // A length of 2^63 in the encoding of postcard, at the rows of the world.
    let huge = [&[0xFF; 9][..], &[0x01]].concat();
    let allocated = allocation_counter::measure(|| {
        assert!(load(&sealed(&huge)).err().unwrap().contains("damaged"));
        let whole = saved(&simulation(0, FallMode::Cubes));
        let mut excessive = whole.clone();
        excessive[12..20].copy_from_slice(&(30_u64 << 30).to_le_bytes());
        assert!(load(&excessive).err().unwrap().contains("damaged"));
        excessive[12..20].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(load(&excessive).err().unwrap().contains("damaged"));
    });
    assert!(allocated.bytes_max < 4 << 20, "{}", allocated.bytes_max);
}

#[test]
fn unreadable_path_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in
        [folder.path().to_owned(), folder.path().join("missing"), PathBuf::from("/dev/zero")]
    {
        if wrong.starts_with("/dev") && !wrong.exists() {
            continue;
        }
        let error = Simulation::load(&wrong).err().unwrap().to_string();
        assert!(error.starts_with(&format!("cannot load {}: ", wrong.display())), "{error}");
    }
}

#[test]
fn a_snapshot_file_can_be_loaded_on_another_thread() {
    const fn assert_send<T: Send>() {}
    const { assert_send::<SnapshotFile>() };
    let file = SnapshotFile::from_bytes("state", saved(&simulation(3, FallMode::Cubes))).unwrap();
    let loaded = std::thread::spawn(|| file.load().unwrap().cubes().count());
    assert_eq!(loaded.join().unwrap(), 3);
}

#[test]
fn a_path_may_be_a_text() {
    let error = Simulation::load("missing/state").err().unwrap().to_string();
    assert!(error.starts_with("cannot load missing/state: "), "{error}");
    let errors = [
        Scene::read("missing/scene.json").unwrap_err(),
        CameraPath::read("missing/scene.json").unwrap_err(),
    ];
    for error in errors.map(|error| error.to_string()) {
        assert!(error.starts_with("missing/scene.json"), "{error}");
    }
}
