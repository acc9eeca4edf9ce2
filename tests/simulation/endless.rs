//! The endless fall of the camera: precision, near passes, picking, and the glide between the modes.

use cubefall::components::{FallMode, Velocity};
use cubefall::sim::{HALF_EXTENT, Simulation, TimeStep};
use glam::Vec3;

use crate::{camera, eye, run, simulation};

/// Rate of the drag of the camera, in 1/s, and its gravity, in m/s².
const RATE: f64 = 0.218;
const GRAVITY: f64 = 9.806_65;

fn velocity(simulation: &Simulation) -> Vec3 {
    simulation.world().get::<Velocity>(camera(simulation)).unwrap().0
}

/// Remainder of the division by a period, from -half to half.
fn wrapped(length: f64, period: f64) -> f64 {
    length - period * (length / period).round()
}

#[test]
fn an_hour_of_falling_stays_precise() {
    let mut simulation = simulation(1, FallMode::Camera);
    let start = eye(&simulation).as_dvec3();
    let (steps, dt) = (3600 * 60_u32, f64::from(TimeStep::default().seconds()));
    let mut last = eye(&simulation).y;
    let (mut wraps, mut slowest, mut fastest) = (0, f32::MAX, 0_f32);
    for step in 0..steps {
        run(&mut simulation, 1);
        let height = eye(&simulation).y;
        assert!(height.abs() <= HALF_EXTENT);
        let way = if height > last { last - height + 2.0 * HALF_EXTENT } else { last - height };
        wraps += u32::from(height > last);
        last = height;
        // From the second minute on the speed is the terminal one.
        if step > 60 * 60 {
            (slowest, fastest) = (slowest.min(way), fastest.max(way));
        }
    }
    let (t, terminal) = (f64::from(steps) * dt, GRAVITY / RATE);
    // No step differs from another by more than the rounding of positions up to 100 m, and of 200 m more.
    assert!(fastest - slowest <= 2_f32.powi(-15), "{slowest} to {fastest}");
    assert!((velocity(&simulation).y + terminal as f32).abs() < 1e-3);
    let fallen = terminal * t - terminal * (1.0 - (-RATE * t).exp()) / RATE;
    // Each of 216,000 steps rounds the position by 4 µm at most. The speed stops to change where a step adds
    // less than half of its last bit, 1.9 µm/s: up to 0.53 mm/s from the terminal one, 1.9 m in an hour.
    let apart = wrapped(start.y - fallen - f64::from(last), 200.0).abs();
    assert!(apart < 0.9 + 1.9, "{apart} m after {fallen} m");
    assert!((f64::from(wraps) - fallen / 200.0).abs() <= 1.0, "{wraps}");
}
