//! Spin: given to all falling cubes by its factor.

use cubefall::components::{
    AngularVelocity, Color, ColorBy, Coloring, FallMode, Palette, Position, Rotation,
};
use cubefall::sim::{Simulation, TimeStep, Tuning};
use glam::{DQuat, Quat, Vec3};

use crate::{by_bits, count_of, of_cubes, run, simulation};

fn set_spin(simulation: &mut Simulation, spin: f32) {
    simulation.set_tuning(Tuning { spin, ..simulation.tuning() }).unwrap();
}

#[test]
fn cubes_turn_about_their_own_axes_in_closed_form() {
    let mut simulation = simulation(400, FallMode::Cubes);
    set_spin(&mut simulation, 2.0);
    let spins = of_cubes::<AngularVelocity>(&simulation);
    assert_eq!(spins.len(), 400);
    let start = of_cubes::<Rotation>(&simulation);
    run(&mut simulation, 30);
    let mut compared = 0;
    // Cubes that reached the ground are not in both.
    for (cube, after) in of_cubes::<Rotation>(&simulation) {
        let Some(before) = start.get(&cube) else { continue };
        // Half a second at twice the speed is a turn by |w| about w.
        let expected = turn(spins[&cube].0) * before.0;
        let difference = (after.0.dot(expected).abs() - 1.0).abs();
        assert!(difference < 1e-5, "{cube}: {} {expected}", after.0);
        compared += 1;
    }
    assert!(compared > 350, "{compared}");
}

/// A turn by the angle |w| about w, computed in `f64`.
fn turn(w: Vec3) -> Quat {
    let w = w.as_dvec3();
    DQuat::from_axis_angle(w.normalize(), w.length()).as_quat()
}

#[test]
fn spin_includes_respawned_cubes_and_does_not_change_the_fall() {
    let mut plain = simulation(600, FallMode::Cubes);
    let mut spinning = simulation(600, FallMode::Cubes);
    set_spin(&mut plain, 0.0);
    run(&mut plain, 900);
    run(&mut spinning, 900);
    let spawned = spinning.spawn_stats().spawned;
    let spins = of_cubes::<AngularVelocity>(&spinning);
    assert!(spawned > 600 && spins.len() == 600, "{spawned}");
    assert!(spins.values().all(|spin| spin.0.length() > 0.2));
    assert!(by_bits::<Position>(&plain) == by_bits::<Position>(&spinning));
    assert!(by_bits::<Rotation>(&plain) != by_bits::<Rotation>(&spinning));
}

#[test]
fn spin_of_zero_removes_angular_velocities_and_writes_no_rotation() {
    let mut simulation = simulation(600, FallMode::Cubes);
    set_spin(&mut simulation, 1.0);
    run(&mut simulation, 900);
    let order = simulation.cubes().slice::<Position>().to_vec();
    set_spin(&mut simulation, 0.0);
    assert_eq!(count_of::<AngularVelocity>(&simulation), 0);
    assert!(simulation.cubes().slice::<Position>() == order);
    // Only cubes that respawn get another rotation.
    let (before, respawned) = (of_cubes::<Rotation>(&simulation), simulation.spawn_stats().spawned);
    let latest = simulation.cubes().changes::<Rotation>().latest();
    run(&mut simulation, 2);
    let respawned = simulation.spawn_stats().spawned - respawned;
    let after = of_cubes::<Rotation>(&simulation);
    let kept = after.iter().filter(|(cube, turn)| before.get(cube) == Some(turn)).count();
    assert_eq!(kept as u64, 600 - respawned);
    assert!(simulation.cubes().changes::<Rotation>().latest() - latest <= respawned);
}

#[test]
fn spin_of_a_cube_depends_on_seed_and_handle_only() {
    let mut early = simulation(600, FallMode::Cubes);
    set_spin(&mut early, 1.0);
    let mut late = simulation(600, FallMode::Cubes);
    run(&mut late, 10);
    set_spin(&mut late, 3.0);
    let (early, late) = (by_bits::<AngularVelocity>(&early), by_bits::<AngularVelocity>(&late));
    let mut compared = 0;
    for (cube, spin) in late {
        let Some(expected) = early.get(&cube) else { continue };
        assert_eq!(spin, *expected);
        compared += 1;
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn still_cubes_spin_again_when_they_fall_again() {
    let mut simulation = simulation(500, FallMode::Cubes);
    set_spin(&mut simulation, 1.0);
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

    // The factor may change while they hang still.
    simulation.set_mode(FallMode::Camera).unwrap();
    set_spin(&mut simulation, 0.0);
    assert_eq!(count_of::<AngularVelocity>(&simulation), 0);
    set_spin(&mut simulation, 1.0);
    assert_eq!(count_of::<AngularVelocity>(&simulation), 500);
    simulation.set_mode(FallMode::Cubes).unwrap();
    let still = of_cubes::<Rotation>(&simulation);
    run(&mut simulation, 1);
    assert!(of_cubes::<Rotation>(&simulation) != still);
}

#[test]
fn step_without_spin_marks_no_rotation_as_changed() {
    let mut simulation = simulation(300, FallMode::Cubes);
    set_spin(&mut simulation, 0.0);
    let before = simulation.cubes().changes::<Rotation>().latest();
    // Too short for a cube to reach the ground.
    simulation.step(TimeStep::fixed(1e-4).unwrap()).unwrap();
    assert_eq!(simulation.spawn_stats().spawned, 0);
    assert_eq!(simulation.cubes().changes::<Rotation>().latest(), before);
}

#[test]
fn time_at_zero_marks_nothing_as_changed() {
    let mut simulation = simulation(300, FallMode::Cubes);
    set_spin(&mut simulation, 1.0);
    let coloring = Coloring { palette: Palette::Ocean, by: ColorBy::Height };
    simulation.set_coloring(Some(coloring)).unwrap();
    simulation.set_tuning(Tuning { time: 0.0, ..simulation.tuning() }).unwrap();
    let latest = |simulation: &Simulation| {
        let cubes = simulation.cubes();
        [
            cubes.changes::<Position>().latest(),
            cubes.changes::<Rotation>().latest(),
            cubes.changes::<Color>().latest(),
        ]
    };
    let before = latest(&simulation);
    run(&mut simulation, 3);
    assert_eq!(latest(&simulation), before);
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_turns_to_the_same_bits() {
    crate::assert_same_with_threads(|| {
        let mut simulation = simulation(10_001, FallMode::Cubes);
        set_spin(&mut simulation, 1.5);
        run(&mut simulation, 30);
        simulation.state_hash()
    });
}

#[test]
fn step_with_spin_does_not_allocate() {
    let mut simulation = simulation(1000, FallMode::Cubes);
    set_spin(&mut simulation, 1.0);
    run(&mut simulation, 600);
    let spawned = simulation.spawn_stats().spawned;
    let allocated = allocation_counter::measure(|| run(&mut simulation, 200));
    assert_eq!(allocated.count_total, 0);
    assert!(simulation.spawn_stats().spawned > spawned);
}
