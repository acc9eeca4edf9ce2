//! The number of cubes, changed while the simulation runs.

use std::collections::HashSet;

use cubefall::components::{FallMode, Gravity, Position, Rotation, Scale, Velocity};
use cubefall::ecs::Error;
use cubefall::scenes::Scene;
use cubefall::sim::{MAX_CUBES, SceneSettings, Simulation, Tuning};

use crate::{camera, count_of, of_cubes, run, simulation, transforms};

#[test]
fn count_grows_and_shrinks_while_cubes_fall() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    run(&mut simulation, 50);
    let before = of_cubes::<Position>(&simulation);
    let stats = simulation.spawn_stats();

    simulation.cubes_mut().set_count(2500).unwrap();
    assert_eq!((simulation.cubes().count(), simulation.source().cubes()), (2500, 2500));
    let grown = of_cubes::<Position>(&simulation);
    assert!(before.iter().all(|(cube, at)| grown[cube] == *at), "existing cubes stay");
    assert_eq!((count_of::<Velocity>(&simulation), count_of::<Gravity>(&simulation)), (2500, 2500));
    assert_eq!(simulation.spawn_stats().spawned - stats.spawned, 1500);
    assert_eq!(simulation.spawn_stats().removed, stats.removed);
    let positions: HashSet<_> =
        grown.values().map(|at| at.0.to_array().map(f32::to_bits)).collect();
    assert_eq!(positions.len(), 2500, "all positions differ");

    let order = simulation.cubes().slice::<Position>().to_vec();
    simulation.cubes_mut().set_count(700).unwrap();
    assert_eq!((simulation.cubes().count(), simulation.world().len()), (700, 701));
    assert!(simulation.cubes().slice::<Position>() == &order[..700], "the last ones are removed");
    assert_eq!(simulation.spawn_stats().removed - stats.removed, 1800);

    run(&mut simulation, 50);
    let fallen = of_cubes::<Velocity>(&simulation);
    assert!(fallen.len() == 700 && fallen.values().all(|velocity| velocity.0.y <= 0.0));
    simulation.cubes_mut().set_count(1).unwrap();
    simulation.cubes_mut().set_count(0).unwrap();
    run(&mut simulation, 1);
    simulation.cubes_mut().set_count(3).unwrap();
    assert_eq!(simulation.cubes().count(), 3);
}

#[test]
fn removed_cubes_free_their_memory() {
    for mode in [FallMode::Cubes, FallMode::Camera] {
        let mut simulation = simulation(50_000, mode);
        let bytes = |simulation: &Simulation| {
            let memory = simulation.world().inspect().memory();
            // Rows keep the generations of dead entities.
            memory.iter().filter(|it| it.name != "rows").map(|it| it.bytes).sum::<usize>()
        };
        let many = bytes(&simulation);
        simulation.cubes_mut().set_count(1000).unwrap();
        for other in [mode, FallMode::Camera, FallMode::Cubes] {
            simulation.set_mode(other).unwrap();
            let few = bytes(&simulation);
            assert!(few < many / 20, "{mode:?}, {other:?}: {few} of {many} bytes");
        }
        run(&mut simulation, 3);
        assert_eq!(simulation.cubes().count(), 1000);
    }
}

#[test]
fn cubes_added_in_camera_mode_hang_still_and_fall_later() {
    for spin in [0.0, 1.0] {
        let mut simulation = simulation(800, FallMode::Camera);
        simulation.set_tuning(Tuning { spin, ..Tuning::default() }).unwrap();
        run(&mut simulation, 10);
        simulation.cubes_mut().set_count(2000).unwrap();
        let still = of_cubes::<Position>(&simulation);
        let unturned = of_cubes::<Rotation>(&simulation);
        assert_eq!((still.len(), count_of::<Velocity>(&simulation)), (2000, 0));
        run(&mut simulation, 30);
        assert!(of_cubes::<Position>(&simulation) == still);
        assert!(of_cubes::<Rotation>(&simulation) == unturned);
        simulation.cubes_mut().set_count(1200).unwrap();
        let order = simulation.cubes().slice::<Position>().to_vec();

        simulation.set_mode(FallMode::Cubes).unwrap();
        assert!(simulation.cubes().slice::<Position>() == order);
        let gravities = of_cubes::<Gravity>(&simulation);
        assert_eq!(gravities.len(), 1200);
        assert!(gravities.values().all(|gravity| (-10.0..=-1.0).contains(&gravity.0.y)));
        run(&mut simulation, 30);
        let fallen = of_cubes::<Velocity>(&simulation);
        assert!(fallen.len() == 1200 && fallen.values().all(|velocity| velocity.0.y < 0.0));
        let rotations = of_cubes::<Rotation>(&simulation);
        let turned = rotations.iter().filter(|(cube, turn)| unturned.get(cube) != Some(turn));
        assert_eq!(turned.count() > 1000, spin > 0.0);
    }
}

#[test]
fn slices_give_the_same_cubes_as_one_change() {
    for (mode, spin) in
        [FallMode::Cubes, FallMode::Camera].map(|mode| [(mode, 0.0), (mode, 1.0)]).concat()
    {
        let start = || {
            let mut simulation = simulation(3000, mode);
            simulation.set_tuning(Tuning { spin, ..Tuning::default() }).unwrap();
            run(&mut simulation, 40);
            simulation
        };
        let (mut whole, mut sliced) = (start(), start());
        // Slices of odd sizes, up and down, and some that are larger than what is left.
        for (count, slice) in [(20_000, 777), (900, 5000), (901, 1), (50_000, 30_000), (0, 49_999)]
        {
            whole.cubes_mut().set_count(count).unwrap();
            let mut now = sliced.cubes().count() as u32;
            while now != count {
                let before = now;
                now = sliced.cubes_mut().approach_count(count, slice).unwrap();
                let moved = before.abs_diff(now);
                assert!((1..=slice).contains(&moved), "{moved} cubes in a slice of {slice}");
                assert_eq!(sliced.cubes().count(), now as usize);
            }
            assert_eq!(sliced.state_hash(), whole.state_hash(), "{mode} {spin} {count}");
            assert_eq!(sliced.spawn_stats(), whole.spawn_stats());
            // What follows is also the same: respawned cubes and physics of resting ones.
            let next = if mode == FallMode::Cubes { FallMode::Camera } else { FallMode::Cubes };
            for simulation in [&mut whole, &mut sliced] {
                simulation.set_mode(next).unwrap();
                run(simulation, 5);
                simulation.set_mode(mode).unwrap();
                run(simulation, 5);
            }
            assert_eq!(sliced.state_hash(), whole.state_hash(), "{mode} {spin} {count}, later");
        }
    }
}

#[test]
fn a_change_that_stops_halfway_keeps_the_cubes_that_are_there() {
    let mut stopped = simulation(1000, FallMode::Cubes);
    assert_eq!(stopped.cubes_mut().approach_count(100_000, 4000), Ok(5000));
    let there = of_cubes::<Scale>(&stopped);
    stopped.cubes_mut().set_count(5000).unwrap();
    assert_eq!((stopped.cubes().count(), stopped.source().cubes()), (5000, 5000));
    assert!(of_cubes::<Scale>(&stopped) == there);
}

#[test]
fn size_of_added_cubes_suits_the_count() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    let old = of_cubes::<Scale>(&simulation);
    // Edges of 0.8 to 2 m suit 10,000 cubes. Eight times as many cubes have half of that.
    simulation.cubes_mut().set_count(80_000).unwrap();
    let all = of_cubes::<Scale>(&simulation);
    assert!(old.iter().all(|(cube, scale)| all[cube] == *scale));
    let added = all.iter().filter(|(cube, _)| !old.contains_key(cube));
    assert!(added.clone().count() == 79_000);
    assert!(added.into_iter().all(|(_, scale)| (0.399..1.001).contains(&scale.0)));
}

#[test]
fn count_above_the_limit_is_refused_without_a_change() {
    let mut simulation = simulation(100, FallMode::Cubes);
    run(&mut simulation, 3);
    let hash = simulation.state_hash();
    let refused = simulation.cubes_mut().set_count(MAX_CUBES + 1);
    assert_eq!(refused, Err(Error::EntityLimit { limit: MAX_CUBES }));
    assert_eq!((simulation.state_hash(), simulation.cubes().count()), (hash, 100));
}

#[test]
fn a_scene_above_the_limit_is_refused() {
    let limit = Error::EntityLimit { limit: MAX_CUBES };
    let settings = SceneSettings { cubes: MAX_CUBES + 1, seed: 1 };
    assert_eq!(Simulation::new(settings, FallMode::Cubes).unwrap_err(), limit);
    // Deserializing checks each count; only `Scene::parse` and `Scene::read` check the sum.
    let template = r#"{"count": 60000000, "position": [0, 0, 0]}"#;
    let scene = format!(
        r#"{{"version": 1, "name": "many", "templates": {{"a": {template}, "b": {template}}}}}"#
    );
    let scene: Scene = serde_json::from_str(&scene).unwrap();
    assert_eq!(Simulation::new(scene, FallMode::Cubes).unwrap_err(), limit);
}

/// Runs itself again with a memory limit.
#[cfg(target_os = "linux")]
#[test]
fn lack_of_memory_is_an_error_without_a_change() {
    const NAME: &str = "population::lack_of_memory_is_an_error_without_a_change";
    if std::env::var_os("CUBEFALL_LITTLE_MEMORY").is_none() {
        let limited = format!("ulimit -v 1500000; exec \"$0\" --exact {NAME}");
        let again = std::process::Command::new("sh")
            .args(["-c", &limited])
            .arg(std::env::current_exe().unwrap())
            .env("CUBEFALL_LITTLE_MEMORY", "1")
            .env("RAYON_NUM_THREADS", "2")
            .output()
            .unwrap();
        let ran = String::from_utf8_lossy(&again.stdout).contains("1 passed");
        return assert!(again.status.success() && ran, "{again:?}");
    }
    for (mode, spin) in [(FallMode::Cubes, 0.0), (FallMode::Cubes, 1.0), (FallMode::Camera, 1.0)] {
        let mut simulation = simulation(100, mode);
        simulation.set_tuning(Tuning { spin, ..Tuning::default() }).unwrap();
        run(&mut simulation, 3);
        let hash = simulation.state_hash();
        let refused = simulation.cubes_mut().set_count(90_000_000);
        assert_eq!(refused, Err(Error::OutOfMemory { entities: 89_999_900 }));
        assert_eq!((simulation.state_hash(), simulation.cubes().count()), (hash, 100));
        simulation.cubes_mut().set_count(200).unwrap();
        run(&mut simulation, 3);
        assert_eq!(simulation.cubes().count(), 200);
    }
}

#[test]
fn a_despawned_cube_counts_as_removed_and_a_camera_is_no_cube() {
    let mut simulation = simulation(5, FallMode::Camera);
    run(&mut simulation, 5);
    let camera = camera(&simulation);
    assert_eq!(simulation.cubes().velocity(camera), None);
    let cube = *transforms(&simulation).keys().next().unwrap();
    simulation.cubes_mut().despawn(cube).unwrap();
    assert_eq!(simulation.spawn_stats().removed, 1);
}
