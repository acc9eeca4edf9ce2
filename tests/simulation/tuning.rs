//! Factors of gravity and time.

use cubefall::components::{FallMode, Gravity, Position};
use cubefall::sim::{TimeStep, Tuning};

use crate::{by_bits, eye, fall, of_cubes, run, simulation};

#[test]
fn equal_changes_give_equal_bits() {
    let hash = |mode| {
        let mut simulation = simulation(500, mode);
        run(&mut simulation, 100);
        simulation.cubes_mut().set_count(900).unwrap();
        simulation.set_tuning(Tuning { gravity: 3.0, time: 1.0, spin: 2.0 }).unwrap();
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
fn gravity_factor_scales_the_fall_of_cubes_and_keeps_their_gravity() {
    for gravity in [0.0, 0.5, 4.0] {
        let mut simulation = simulation(300, FallMode::Cubes);
        let gravities = of_cubes::<Gravity>(&simulation);
        let start = of_cubes::<Position>(&simulation);
        simulation.set_tuning(Tuning { gravity, ..Tuning::default() }).unwrap();
        run(&mut simulation, 30);
        let mut compared = 0;
        // Cubes that reached the ground are not in both.
        for (cube, after) in of_cubes::<Position>(&simulation) {
            let Some(before) = start.get(&cube) else { continue };
            // g t^2 / 2 after t = 0.5 s.
            let expected = before.0 + gravities[&cube].0 * gravity * 0.125;
            assert!((after.0 - expected).length() < 1e-3, "{cube} at {gravity}");
            assert_eq!(simulation.world().get::<&Gravity>(cube), Ok(&gravities[&cube]));
            compared += 1;
        }
        assert!(compared > 250, "{compared}");
    }
}

#[test]
fn gravity_factor_scales_the_fall_of_the_camera() {
    let mut simulation = simulation(300, FallMode::Camera);
    let from = eye(&simulation).y;
    simulation.set_tuning(Tuning { gravity: 0.5, ..Tuning::default() }).unwrap();
    run(&mut simulation, 30);
    let fallen = from - eye(&simulation).y;
    assert!((fallen - fall(9.80665 * 0.5, 0.5)).abs() < 1e-3, "{fallen}");
}

#[test]
fn factors_of_one_change_no_bit() {
    let mut classic = simulation(2000, FallMode::Cubes);
    let mut tuned = simulation(2000, FallMode::Cubes);
    tuned.set_tuning(Tuning { gravity: 2.0, time: 3.0, spin: 1.0 }).unwrap();
    tuned.set_tuning(Tuning { gravity: 1.0, time: 1.0, spin: 1.0 }).unwrap();
    run(&mut classic, 300);
    run(&mut tuned, 300);
    assert_eq!(classic.state_hash(), tuned.state_hash());
}

#[test]
fn time_factor_scales_the_fall_but_not_the_flight() {
    let mut fast = simulation(500, FallMode::Cubes);
    fast.set_tuning(Tuning { time: 4.0, ..Tuning::default() }).unwrap();
    let mut slow = simulation(500, FallMode::Cubes);
    let controls = fast.camera_mut().controls();
    (controls.motion.z, controls.speed, controls.pitch) = (-1.0, 6.0, 0.0);
    let from = eye(&fast);
    for _ in 0..60 {
        fast.step(TimeStep::fixed(1.0 / 64.0).unwrap()).unwrap();
        slow.step(TimeStep::fixed(4.0 / 64.0).unwrap()).unwrap();
    }
    assert!(by_bits::<Position>(&fast) == by_bits::<Position>(&slow));
    let flown = eye(&fast) - from;
    assert!((flown.z + 6.0 * 60.0 / 64.0).abs() < 1e-3, "{flown}");

    fast.set_tuning(Tuning { time: 0.0, ..Tuning::default() }).unwrap();
    let (still, from) = (of_cubes::<Position>(&fast), eye(&fast));
    run(&mut fast, 10);
    assert!(of_cubes::<Position>(&fast) == still);
    assert!(eye(&fast).z < from.z);
}

#[test]
fn factors_are_clamped_when_set() {
    let mut simulation = simulation(1, FallMode::Cubes);
    let wild = Tuning { gravity: 1e9, time: -3.0, spin: f32::INFINITY };
    simulation.set_tuning(wild).unwrap();
    let limits = Tuning { gravity: Tuning::MAX_GRAVITY, time: 0.0, spin: Tuning::MAX_SPIN };
    assert_eq!(simulation.tuning(), limits);
    let nan = Tuning { gravity: f32::NAN, time: f32::NAN, spin: f32::NAN };
    simulation.set_tuning(nan).unwrap();
    assert_eq!(simulation.tuning(), Tuning::default());
}
