//! Exact integration of constant acceleration.

use crate::components::{Acceleration, Gravity, Position, Velocity};

/// Moves every entity by `dt` seconds, with every gravity multiplied by `gravity_factor`. Index `i`
/// of each slice is the same entity; only the common length of the slices is processed.
///
/// The acceleration `a = acceleration + gravity` is constant, so the motion has a closed form:
/// `position += velocity dt + a dt²/2; velocity += a dt` (Newton, *Principia*, book I). The path does
/// not depend on the number of steps, up to rounding.
pub fn integrate(
    positions: &mut [Position],
    velocities: &mut [Velocity],
    accelerations: &[Acceleration],
    gravities: &[Gravity],
    gravity_factor: f32,
    dt: f32,
) {
    // Axes are independent: as flat slices of numbers the loop uses full-width SIMD.
    let positions: &mut [f32] = bytemuck::cast_slice_mut(positions);
    let velocities: &mut [f32] = bytemuck::cast_slice_mut(velocities);
    let accelerations: &[f32] = bytemuck::cast_slice(accelerations);
    let gravities: &[f32] = bytemuck::cast_slice(gravities);
    let half_dt_squared = 0.5 * dt * dt;
    let moving = positions.iter_mut().zip(velocities);
    for ((position, velocity), (acceleration, gravity)) in
        moving.zip(accelerations.iter().zip(gravities))
    {
        // `Acceleration::with_gravity` for one axis.
        let acceleration = acceleration + gravity * gravity_factor;
        *position += *velocity * dt + acceleration * half_dt_squared;
        *velocity += acceleration * dt;
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Returns position and velocity after `seconds` at `rate` steps per second.
    fn fall_for(seconds: u16, rate: u16) -> (Vec3, Vec3) {
        let mut positions = [Position(Vec3::new(1.0, 50.0, -3.0))];
        let mut velocities = [Velocity(Vec3::new(2.0, 5.0, -1.0))];
        let accelerations = [Acceleration(Vec3::new(0.5, 0.0, 0.25))];
        let gravities = [Gravity(Vec3::new(0.0, -9.5, 0.0))];
        for _ in 0..seconds * rate {
            let dt = 1.0 / f32::from(rate);
            integrate(&mut positions, &mut velocities, &accelerations, &gravities, 1.0, dt);
        }
        (positions[0].0, velocities[0].0)
    }

    #[test]
    fn path_is_the_closed_form_at_any_rate() {
        // p = p0 + v0 t + a t^2 / 2 and v = v0 + a t with a = (0.5, -9.5, 0.25), t = 3 s.
        let position = Vec3::new(1.0 + 6.0 + 2.25, 50.0 + 15.0 - 42.75, -3.0 - 3.0 + 1.125);
        let velocity = Vec3::new(3.5, -23.5, -0.25);
        for rate in [30, 60, 144, 1000] {
            let (reached, speed) = fall_for(3, rate);
            // Each step rounds positions of up to 60 m by at most half of 2^-18 m.
            let rounding = 3.0 * f32::from(rate) * 2_f32.powi(-19);
            assert!((reached - position).abs().max_element() <= rounding, "{rate} Hz: {reached}");
            assert!((speed - velocity).abs().max_element() <= rounding, "{rate} Hz: {speed}");
        }
    }

    #[test]
    fn zero_time_changes_nothing() {
        let (mut positions, mut velocities) = ([Position(Vec3::ONE)], [Velocity::default()]);
        let accelerations = [Acceleration::default()];
        integrate(&mut positions, &mut velocities, &accelerations, &[Gravity::STANDARD], 1.0, 0.0);
        assert_eq!((positions[0], velocities[0]), (Position(Vec3::ONE), Velocity::default()));
    }

    #[test]
    fn entities_and_axes_are_independent() {
        let mut positions = [Position::default(); 3];
        let mut velocities = [Velocity::default(); 3];
        let accelerations = [Acceleration(Vec3::X), Acceleration(Vec3::Y), Acceleration(Vec3::Z)];
        integrate(
            &mut positions,
            &mut velocities,
            &accelerations,
            &[Gravity(Vec3::ZERO); 3],
            1.0,
            2.0,
        );
        assert_eq!(positions.map(|position| position.0 / 2.0), [Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(velocities.map(|velocity| velocity.0 / 2.0), [Vec3::X, Vec3::Y, Vec3::Z]);
    }
}
