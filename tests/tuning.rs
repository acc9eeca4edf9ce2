//! What is changed while the simulation runs: the count, gravity, time and spin.

#![cfg(feature = "sim")]

use std::collections::HashSet;

use cubefall::components::{AngularVelocity, Color, Gravity, Position, Rotation, Scale, Velocity};
use cubefall::ecs::{Entity, Error};
use cubefall::sim::{
    FallMode, MAX_CUBES, SceneSettings, SceneSource, Simulation, TimeStep, Tuning,
};

fn simulation(cubes: u32, mode: FallMode) -> Simulation {
    Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap()
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(TimeStep::default()).unwrap();
    }
}

/// What a query over one component and all cubes finds.
fn of_cubes<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> Vec<(Entity, T)> {
    let query = simulation.world().query::<(&T,)>().unwrap().with::<(Color,)>();
    let mut found: Vec<_> = query.unwrap().iter().map(|(cube, (&value,))| (cube, value)).collect();
    found.sort_unstable_by_key(|(cube, _)| cube.index());
    found
}

/// The same, for cubes of different worlds.
fn by_number<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> Vec<(u64, T)> {
    of_cubes(simulation).into_iter().map(|(cube, value)| (cube.to_bits(), value)).collect()
}

fn count_of<T: Copy + Send + Sync + 'static>(simulation: &Simulation) -> usize {
    of_cubes::<T>(simulation).len()
}

fn camera_height(simulation: &Simulation) -> f32 {
    simulation.camera().view().position.0.y
}

#[test]
fn the_count_grows_and_shrinks_while_the_cubes_fall() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    run(&mut simulation, 50);
    let before = of_cubes::<Position>(&simulation);
    let (births, deaths) = (simulation.spawn_stats().spawned, simulation.spawn_stats().removed);

    simulation.cubes_mut().set_count(2500).unwrap();
    assert_eq!((simulation.cubes().count(), simulation.source().cubes()), (2500, 2500));
    let grown = of_cubes::<Position>(&simulation);
    assert!(before.iter().all(|cube| grown.contains(cube)), "who was there has not moved");
    assert_eq!((count_of::<Velocity>(&simulation), count_of::<Gravity>(&simulation)), (2500, 2500));
    assert_eq!(
        (simulation.spawn_stats().spawned - births, simulation.spawn_stats().removed - deaths),
        (1500, 0)
    );
    let places: HashSet<_> =
        grown.iter().map(|(_, at)| at.0.to_array().map(f32::to_bits)).collect();
    assert_eq!(places.len(), 2500, "each has a place of its own");

    let order = simulation.cubes().slice::<Position>().to_vec();
    simulation.cubes_mut().set_count(700).unwrap();
    assert_eq!((simulation.cubes().count(), simulation.world().len()), (700, 701));
    assert!(simulation.cubes().slice::<Position>() == &order[..700], "the last ones are gone");
    assert_eq!(simulation.spawn_stats().removed - deaths, 1800);

    run(&mut simulation, 50);
    let fallen = of_cubes::<Velocity>(&simulation);
    assert!(fallen.len() == 700 && fallen.iter().all(|(_, velocity)| velocity.0.y <= 0.0));
    simulation.cubes_mut().set_count(1).unwrap();
    simulation.cubes_mut().set_count(0).unwrap();
    run(&mut simulation, 1);
    simulation.cubes_mut().set_count(3).unwrap();
    assert_eq!(simulation.cubes().count(), 3);
}

#[test]
fn new_cubes_hang_still_while_the_camera_falls_and_fall_later() {
    for spin in [0.0, 1.0] {
        let mut simulation = simulation(800, FallMode::Camera);
        simulation.set_tuning(Tuning { spin: spin, ..simulation.tuning() }).unwrap();
        run(&mut simulation, 10);
        simulation.cubes_mut().set_count(2000).unwrap();
        let (still, turned) =
            (of_cubes::<Position>(&simulation), of_cubes::<Rotation>(&simulation));
        assert_eq!((still.len(), count_of::<Velocity>(&simulation)), (2000, 0));
        run(&mut simulation, 30);
        assert!(of_cubes::<Position>(&simulation) == still);
        assert!(of_cubes::<Rotation>(&simulation) == turned);
        simulation.cubes_mut().set_count(1200).unwrap();
        let order = simulation.cubes().slice::<Position>().to_vec();

        simulation.set_mode(FallMode::Cubes).unwrap();
        assert!(simulation.cubes().slice::<Position>() == order);
        assert_eq!(count_of::<Gravity>(&simulation), 1200);
        let gravities = of_cubes::<Gravity>(&simulation);
        assert!(gravities.iter().all(|(_, g)| (-10.0..=-1.0).contains(&g.0.y)));
        run(&mut simulation, 30);
        let fallen = of_cubes::<Velocity>(&simulation);
        assert!(fallen.len() == 1200 && fallen.iter().all(|(_, velocity)| velocity.0.y < 0.0));
        let turning = of_cubes::<Rotation>(&simulation);
        let turned_on = turning.iter().filter(|turn| !turned.contains(turn)).count();
        assert_eq!(turned_on > 1000, spin > 0.0, "{turned_on}");
    }
}

#[test]
fn new_cubes_are_as_large_as_suits_their_number() {
    let mut simulation = simulation(10_000, FallMode::Cubes);
    let old = of_cubes::<Scale>(&simulation);
    simulation.cubes_mut().set_count(80_000).unwrap();
    let all = of_cubes::<Scale>(&simulation);
    // Eight times as many are half as long: 3 to 5 m become 1.5 to 2.5 m.
    let young = all.iter().filter(|cube| !old.contains(cube));
    assert!(young.clone().count() == 70_000 && old.iter().all(|cube| all.contains(cube)));
    assert!(young.into_iter().all(|(_, scale)| (1.499..2.501).contains(&scale.0)));
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut simulation = simulation(100, FallMode::Cubes);
    run(&mut simulation, 3);
    let hash = simulation.state_hash();
    let refused = simulation.cubes_mut().set_count(MAX_CUBES + 1);
    assert_eq!(refused, Err(Error::EntityLimit { limit: MAX_CUBES }));
    assert_eq!((simulation.state_hash(), simulation.cubes().count()), (hash, 100));
}

/// Runs itself again with little memory.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_for_more_cubes_it_says_so_and_goes_on() {
    const NAME: &str = "without_memory_for_more_cubes_it_says_so_and_goes_on";
    if std::env::var_os("CUBEFALL_LITTLE_MEMORY").is_none() {
        let limited = format!("ulimit -v 1500000; exec \"$0\" --exact {NAME}");
        let again = std::process::Command::new("sh")
            .args(["-c", &limited])
            .arg(std::env::current_exe().unwrap())
            .env("CUBEFALL_LITTLE_MEMORY", "1")
            .env("RAYON_NUM_THREADS", "2")
            .output()
            .unwrap();
        return assert!(again.status.success(), "{again:?}");
    }
    for (mode, spin) in [(FallMode::Cubes, 0.0), (FallMode::Cubes, 1.0), (FallMode::Camera, 1.0)] {
        let mut simulation = simulation(100, mode);
        simulation.set_tuning(Tuning { spin: spin, ..simulation.tuning() }).unwrap();
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
fn the_same_changes_give_the_same_bits() {
    let hash = |mode| {
        let mut simulation = simulation(500, mode);
        run(&mut simulation, 100);
        simulation.cubes_mut().set_count(900).unwrap();
        simulation.set_tuning(Tuning { spin: 2.0, ..simulation.tuning() }).unwrap();
        simulation.set_tuning(Tuning { gravity: 3.0, ..simulation.tuning() }).unwrap();
        run(&mut simulation, 200);
        simulation.cubes_mut().set_count(600).unwrap();
        simulation.set_mode(simulation.mode().flipped()).unwrap();
        simulation.cubes_mut().set_count(1000).unwrap();
        run(&mut simulation, 50);
        simulation.set_mode(simulation.mode().flipped()).unwrap();
        simulation.set_tuning(Tuning { time: 2.0, ..simulation.tuning() }).unwrap();
        run(&mut simulation, 200);
        simulation.state_hash()
    };
    for mode in [FallMode::Cubes, FallMode::Camera] {
        assert_eq!(hash(mode), hash(mode), "{mode}");
    }
}

#[test]
fn gravity_is_scaled_without_touching_it() {
    for (mode, scale) in [
        (FallMode::Cubes, 0.0),
        (FallMode::Cubes, 0.5),
        (FallMode::Cubes, 4.0),
        (FallMode::Camera, 0.5),
    ] {
        let mut simulation = simulation(300, mode);
        let gravities = of_cubes::<Gravity>(&simulation);
        let (start, from) = (of_cubes::<Position>(&simulation), camera_height(&simulation));
        simulation.set_tuning(Tuning { gravity: scale, ..simulation.tuning() }).unwrap();
        run(&mut simulation, 30);
        assert_eq!(of_cubes::<Gravity>(&simulation).len(), gravities.len());
        if mode == FallMode::Camera {
            // g t^2 / 2 after t = 0.5 s.
            let fallen = from - camera_height(&simulation);
            assert!((fallen - 9.80665 * scale / 8.0).abs() < 1e-3, "{fallen}");
            continue;
        }
        let mut compared = 0;
        for (((cube, before), (_, gravity)), (same, after)) in
            start.iter().zip(&gravities).zip(of_cubes::<Position>(&simulation))
        {
            let expected = before.0 + gravity.0 * scale * 0.125;
            if *cube == same {
                assert!((after.0 - expected).length() < 1e-3, "{cube} at {scale}");
                compared += 1;
            }
        }
        assert!(compared > 250, "{compared}");
    }
}

#[test]
fn factors_of_one_change_no_bit() {
    let mut classic = simulation(2000, FallMode::Cubes);
    let mut tuned = simulation(2000, FallMode::Cubes);
    tuned.set_tuning(Tuning { gravity: 2.0, time: 3.0, spin: 0.0 }).unwrap();
    tuned.set_tuning(Tuning { gravity: 1.0, time: 1.0, spin: 0.0 }).unwrap();
    run(&mut classic, 300);
    run(&mut tuned, 300);
    assert_eq!(classic.state_hash(), tuned.state_hash());
}

#[test]
fn time_is_scaled_for_what_falls_and_not_for_the_flight() {
    let mut fast = simulation(500, FallMode::Cubes);
    fast.set_tuning(Tuning { time: 4.0, ..fast.tuning() }).unwrap();
    let mut slow = simulation(500, FallMode::Cubes);
    let mut camera = fast.camera_mut();
    let controls = camera.controls();
    (controls.motion.z, controls.speed, controls.pitch) = (-1.0, 6.0, 0.0);
    let from = fast.camera().view().position.0;
    for _ in 0..60 {
        fast.step(TimeStep::fixed(1.0 / 64.0).unwrap()).unwrap();
        slow.step(TimeStep::fixed(4.0 / 64.0).unwrap()).unwrap();
    }
    assert!(by_number::<Position>(&fast) == by_number::<Position>(&slow));
    let flown = fast.camera().view().position.0 - from;
    assert!((flown.z + 6.0 * 60.0 / 64.0).abs() < 1e-3, "{flown}");

    fast.set_tuning(Tuning { time: 0.0, ..fast.tuning() }).unwrap();
    let (still, from) = (of_cubes::<Position>(&fast), fast.camera().view().position.0);
    run(&mut fast, 10);
    assert!(of_cubes::<Position>(&fast) == still);
    assert!(fast.camera().view().position.0.z < from.z);
}

#[test]
fn factors_are_cut_to_what_is_allowed() {
    let mut simulation = simulation(1, FallMode::Cubes);
    simulation.set_tuning(Tuning { gravity: 1e9, ..simulation.tuning() }).unwrap();
    simulation.set_tuning(Tuning { time: -3.0, ..simulation.tuning() }).unwrap();
    simulation.set_tuning(Tuning { spin: f32::INFINITY, ..simulation.tuning() }).unwrap();
    let (most_gravity, most_spin) = (Tuning::MAX_GRAVITY, Tuning::MAX_SPIN);
    assert_eq!(simulation.tuning(), Tuning { gravity: most_gravity, time: 0.0, spin: most_spin });
    simulation.set_tuning(Tuning { time: f32::NAN, ..simulation.tuning() }).unwrap();
    simulation.set_tuning(Tuning { spin: f32::NAN, ..simulation.tuning() }).unwrap();
    assert_eq!(simulation.tuning(), Tuning { gravity: most_gravity, time: 1.0, spin: 0.0 });
}

#[test]
fn spin_turns_falling_cubes_about_their_own_axes_as_its_closed_form_says() {
    let mut simulation = simulation(400, FallMode::Cubes);
    simulation.set_tuning(Tuning { spin: 2.0, ..simulation.tuning() }).unwrap();
    let spins = of_cubes::<AngularVelocity>(&simulation);
    assert_eq!(spins.len(), 400);
    let start = of_cubes::<Rotation>(&simulation);
    run(&mut simulation, 30);
    let mut compared = 0;
    for (((cube, before), (_, spin)), (same, after)) in
        start.iter().zip(&spins).zip(of_cubes::<Rotation>(&simulation))
    {
        if *cube == same {
            // Half a second at twice the speed: a turn by |w| about w.
            let turn = turn(spin.0, 1.0);
            let expected = turn * before.0;
            let apart = (after.0.dot(expected).abs() - 1.0).abs();
            assert!(apart < 1e-5, "{cube}: {} {expected}", after.0);
            compared += 1;
        }
    }
    assert!(compared > 350, "{compared}");
}

/// A turn by the angle |w| t about w, worked out in f64.
fn turn(w: glam::Vec3, t: f64) -> glam::Quat {
    let w = w.as_dvec3();
    glam::DQuat::from_axis_angle(w.normalize(), w.length() * t).as_quat()
}

#[test]
fn spin_comes_and_goes_with_its_factor_and_leaves_the_fall_alone() {
    let mut plain = simulation(600, FallMode::Cubes);
    let mut spinning = simulation(600, FallMode::Cubes);
    spinning.set_tuning(Tuning { spin: 1.0, ..spinning.tuning() }).unwrap();
    let first = of_cubes::<AngularVelocity>(&spinning);
    run(&mut plain, 900);
    run(&mut spinning, 900);
    // Also those that were born since spin.
    let (births, spins) = (spinning.spawn_stats().spawned, of_cubes::<AngularVelocity>(&spinning));
    assert!(births > 600 && spins.len() == 600, "{births}");
    assert!(spins.iter().all(|(_, spin)| spin.0.length() > 0.2));
    assert!(by_number::<Position>(&plain) == by_number::<Position>(&spinning));
    assert!(by_number::<Rotation>(&plain) != by_number::<Rotation>(&spinning));

    let order = spinning.cubes().slice::<Position>().to_vec();
    spinning.set_tuning(Tuning { spin: 0.0, ..spinning.tuning() }).unwrap();
    assert_eq!(count_of::<AngularVelocity>(&spinning), 0);
    assert!(spinning.cubes().slice::<Position>() == order);
    let turned = of_cubes::<Rotation>(&spinning);
    run(&mut spinning, 1);
    let latest = spinning.cubes().changes::<Rotation>().latest;
    run(&mut spinning, 1);
    let replaced =
        of_cubes::<Rotation>(&spinning).iter().filter(|turn| !turned.contains(turn)).count();
    assert!(replaced < 10, "{replaced}");
    assert!(spinning.cubes().changes::<Rotation>().latest - latest <= 10, "nothing is sent again");

    // Who spins depends on the seed and the handle alone.
    let mut again = simulation(600, FallMode::Cubes);
    run(&mut again, 10);
    again.set_tuning(Tuning { spin: 3.0, ..again.tuning() }).unwrap();
    for cube in of_cubes::<AngularVelocity>(&again) {
        let same = first.iter().find(|(other, _)| other.to_bits() == cube.0.to_bits());
        assert!(same.is_none_or(|(_, spin)| *spin == cube.1));
    }
}

#[test]
fn still_cubes_do_not_spin_and_go_on_when_they_fall_again() {
    let mut simulation = simulation(500, FallMode::Cubes);
    simulation.set_tuning(Tuning { spin: 1.0, ..simulation.tuning() }).unwrap();
    run(&mut simulation, 10);
    let order = simulation.cubes().slice::<Position>().to_vec();
    simulation.set_mode(FallMode::Camera).unwrap();
    let still = of_cubes::<Rotation>(&simulation);
    run(&mut simulation, 10);
    assert!(of_cubes::<Rotation>(&simulation) == still);
    simulation.set_mode(FallMode::Cubes).unwrap();
    assert!(simulation.cubes().slice::<Position>() == order);
    run(&mut simulation, 1);
    assert!(of_cubes::<Rotation>(&simulation) != still);

    // Taken and given while they hang still.
    simulation.set_mode(FallMode::Camera).unwrap();
    simulation.set_tuning(Tuning { spin: 0.0, ..simulation.tuning() }).unwrap();
    assert_eq!(count_of::<AngularVelocity>(&simulation), 0);
    simulation.set_tuning(Tuning { spin: 1.0, ..simulation.tuning() }).unwrap();
    assert_eq!(count_of::<AngularVelocity>(&simulation), 500);
    simulation.set_mode(FallMode::Cubes).unwrap();
    let still = of_cubes::<Rotation>(&simulation);
    run(&mut simulation, 1);
    assert!(of_cubes::<Rotation>(&simulation) != still);
}

#[test]
fn nothing_turns_and_no_rotation_counts_as_changed_without_spin() {
    let mut simulation = simulation(300, FallMode::Cubes);
    // Too short for anyone to reach the floor from the lowest start: nobody is replaced.
    let lowest = |simulation: &Simulation| {
        let cubes = of_cubes::<Position>(simulation);
        cubes.iter().map(|(_, at)| at.0.y).fold(f32::INFINITY, f32::min)
    };
    assert!(lowest(&simulation) > -100.0);
    let before = simulation.cubes().changes::<Rotation>().latest;
    simulation.step(TimeStep::fixed(1e-4).unwrap()).unwrap();
    assert_eq!(simulation.cubes().changes::<Rotation>().latest, before);
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_turns_to_the_same_bits() {
    let hash = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = simulation(10_001, FallMode::Cubes);
            simulation.set_tuning(Tuning { spin: 1.5, ..simulation.tuning() }).unwrap();
            run(&mut simulation, 30);
            simulation.state_hash()
        })
    };
    assert_eq!([1, 2, 3, 8].map(hash), [hash(1); 4]);
}

#[test]
fn a_spinning_step_allocates_nothing() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    simulation.set_tuning(Tuning { spin: 1.0, ..simulation.tuning() }).unwrap();
    run(&mut simulation, 600);
    let births = simulation.spawn_stats().spawned;
    let allocated = allocation_counter::measure(|| run(&mut simulation, 200));
    assert_eq!(allocated.count_total, 0);
    assert!(simulation.spawn_stats().spawned > births);
}

#[test]
fn another_start_keeps_tuning_and_pause() {
    let mut simulation = simulation(200, FallMode::Camera);
    let tuning = Tuning { gravity: 0.5, time: 2.0, spin: 1.0 };
    simulation.set_tuning(tuning).unwrap();
    simulation.set_paused(true);
    run(&mut simulation, 5);
    let settings = SceneSettings { cubes: 300, seed: 9 };
    simulation.reset(settings, FallMode::Camera).unwrap();
    assert_eq!(simulation.source(), SceneSource::Classic(settings));
    assert_eq!((simulation.mode(), simulation.tuning()), (FallMode::Camera, tuning));
    assert!(
        simulation.is_paused() && simulation.steps() == 0 && simulation.spawn_stats().spawned == 0
    );
    let fresh = Simulation::new(settings, FallMode::Camera).unwrap();
    let places = |simulation: &Simulation| simulation.cubes().slice::<Position>().to_vec();
    assert!(places(&simulation) == places(&fresh));
}

#[test]
fn steps_count_what_was_run_and_not_what_was_paused() {
    let mut simulation = simulation(10, FallMode::Cubes);
    run(&mut simulation, 7);
    simulation.set_paused(true);
    run(&mut simulation, 3);
    assert_eq!(simulation.steps(), 7);
}
