//! Snapshots: a loaded simulation continues to the bit, and invalid files are refused.

use std::path::PathBuf;

use cubefall::components::{Color, FallMode, Position, Rotation, Scale};
use cubefall::sim::{Simulation, Tuning};
use glam::Vec3;

use crate::{run, simulation};

/// Writes `bytes` to a temporary file and loads it.
fn load(bytes: &[u8]) -> Result<Simulation, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    Simulation::load(file.path()).map_err(|error| error.to_string())
}

fn saved(simulation: &Simulation) -> Vec<u8> {
    let mut bytes = Vec::new();
    simulation.save(&mut bytes).unwrap();
    bytes
}

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
    let histories: [(&str, Before); 7] = [
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
        simulation.cubes().changes::<Position>().latest,
        simulation.cubes().changes::<Rotation>().latest,
        simulation.cubes().changes::<Scale>().latest,
        simulation.cubes().changes::<Color>().latest,
    );
    simulation = Simulation::from_snapshot(snapshot).unwrap();
    assert!(simulation.cubes().changes::<Position>().everywhere > before.0);
    assert!(simulation.cubes().changes::<Rotation>().everywhere > before.1);
    assert!(simulation.cubes().changes::<Scale>().everywhere > before.2);
    assert!(simulation.cubes().changes::<Color>().everywhere > before.3);
    assert_eq!(simulation.steps(), 0);
}

#[test]
fn truncated_file_is_refused() {
    let mut simulation = simulation(5, FallMode::Camera);
    run(&mut simulation, 5);
    let whole = saved(&simulation);
    for len in 0..whole.len() {
        let error = load(&whole[..len]).err().unwrap();
        let expected = if len < 8 { "not a snapshot" } else { "damaged" };
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
            0..8 => "not a snapshot",
            8..12 => "reads format 3",
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
    let header = [&3_u32.to_le_bytes()[..], &length.to_le_bytes(), &checksum.to_le_bytes()];
    [&b"CUBEFALL"[..], &header.concat(), content].concat()
}

#[test]
fn altered_content_is_refused_or_runs() {
    let mut simulation = simulation(3, FallMode::Camera);
    run(&mut simulation, 5);
    let whole = saved(&simulation);
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
