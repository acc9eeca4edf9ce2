//! Drag: exact integration of constant acceleration against linear drag.

use glam::{DVec2, Vec3};

use super::timeline::simulated_time;
use super::tuning::Tuning;
use crate::components::{Acceleration, Drag, Gravity, Position, Velocity};
use crate::ecs::{SystemArgs, World};

/// The components that drag writes and reads.
type Dragged<'a> = (&'a mut Position, &'a mut Velocity, &'a Acceleration, &'a Gravity, &'a Drag);

/// System that moves every entity with a [`Drag`]. Physics leaves these out. Applies the resource
/// [`Tuning`], if the world has one.
pub fn drag(world: &mut World, args: SystemArgs) {
    let tuning = Tuning::of(world);
    let dt = simulated_time(world, args);
    world.query_mut::<Dragged<'_>>().for_each(|(position, velocity, a, g, &drag)| {
        let acceleration = a.with_gravity(*g, tuning.gravity);
        (*position, *velocity) = fall(*position, *velocity, acceleration, drag, dt);
    });
}

/// Returns position and velocity after `dt` seconds of a constant acceleration against linear drag.
///
/// With the terminal velocity `v_t = a / k` the motion has a closed form (Newton, *Principia*, book II):
/// `v = v_t + (v0 - v_t) e^(-k t)`, and its integral for the position. It is computed in terms that stay
/// finite for `k = 0`: the means of `e^(-k t)` over the step, and of its integral. The path does not depend
/// on the number of steps, up to rounding.
pub fn fall(
    Position(position): Position,
    Velocity(velocity): Velocity,
    acceleration: Vec3,
    Drag(rate): Drag,
    dt: f32,
) -> (Position, Velocity) {
    let (rate, dt) = (f64::from(rate), f64::from(dt));
    let x = rate * dt;
    // glam computes `exp` with the `libm` crate: the same bits on every platform.
    let decay = DVec2::splat(-x).exp().x;
    let (mean, mean_of_integral) = if x < 1e-4 {
        // The difference below would lose digits.
        (1.0 - x / 2.0 + x * x / 6.0, 0.5 - x / 6.0 + x * x / 24.0)
    } else {
        let mean = (1.0 - decay) / x;
        (mean, (1.0 - mean) / x)
    };
    let (from, v, a) = (position.as_dvec3(), velocity.as_dvec3(), acceleration.as_dvec3());
    let to = from + v * (mean * dt) + a * (mean_of_integral * dt * dt);
    (Position(to.as_vec3()), Velocity((v * decay + a * (mean * dt)).as_vec3()))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    const FROM: Position = Position(Vec3::new(1.0, 50.0, -3.0));
    const START: Velocity = Velocity(Vec3::new(12.0, 5.0, -1.0));
    const GRAVITY: Vec3 = Vec3::new(0.5, -9.8, 0.25);

    /// Position and velocity after `t` seconds, from the terminal velocity.
    fn closed_form(rate: f64, t: f64) -> (DVec3, DVec3) {
        let (from, v0, a) = (FROM.0.as_dvec3(), START.0.as_dvec3(), GRAVITY.as_dvec3());
        if rate == 0.0 {
            return (from + v0 * t + a * (t * t / 2.0), v0 + a * t);
        }
        let terminal = a / rate;
        let decay = (-rate * t).exp();
        let position = from + terminal * t + (v0 - terminal) * ((1.0 - decay) / rate);
        (position, terminal + (v0 - terminal) * decay)
    }

    #[test]
    fn path_is_the_closed_form_for_any_number_of_steps() {
        for rate in [0.0, 0.01, 0.218, 1.0, 7.5, 100.0] {
            let (position, velocity) = closed_form(f64::from(rate), 3.0);
            for steps in [1_u16, 2, 7, 90, 180, 432, 3000] {
                let dt = 3.0 / f32::from(steps);
                let mut at = (FROM, START);
                for _ in 0..steps {
                    at = fall(at.0, at.1, GRAVITY, Drag(rate), dt);
                }
                // Each step rounds positions of up to 128 m by at most 2^-18 m, and `dt` once.
                let rounding = f32::from(steps) * 2_f32.powi(-18) + 2_f32.powi(-16);
                let apart = [at.0.0.as_dvec3() - position, at.1.0.as_dvec3() - velocity];
                let apart = apart.map(|it| it.abs().max_element());
                assert!(apart.iter().all(|&it| it <= rounding.into()), "{rate} {steps}: {apart:?}");
            }
        }
    }

    #[test]
    fn the_limit_without_drag_is_reached_smoothly() {
        // Around the switch of the formula, too.
        for exponent in -40..2_i32 {
            let rate = 2_f32.powi(exponent);
            let (position, velocity) = closed_form(f64::from(rate), 0.5);
            let (at, reached) = fall(FROM, START, GRAVITY, Drag(rate), 0.5);
            // The closed form itself loses digits at small rates: a / k^2 times 2^-53.
            let lost = if rate < 1e-6 { f64::from(rate) } else { 0.0 };
            let (expected, speed) =
                if lost > 0.0 { closed_form(0.0, 0.5) } else { (position, velocity) };
            assert!((at.0.as_dvec3() - expected).length() < 1e-5 + lost * 50.0, "2^{exponent}");
            assert!((reached.0.as_dvec3() - speed).length() < 1e-5 + lost * 50.0, "2^{exponent}");
        }
    }

    #[test]
    fn zero_time_changes_nothing() {
        assert_eq!(fall(FROM, START, GRAVITY, Drag(0.3), 0.0), (FROM, START));
    }
}
