//! Physics: constant acceleration, integrated exactly.

use super::tuning::Tuning;
use crate::components::{Acceleration, Gravity, Position, Velocity};
use crate::ecs::{Error, GroupId, System, Tick, World};

/// Entities a thread takes at a time: enough work to be worth the hand-over, little enough to share
/// evenly.
#[cfg(feature = "parallel")]
const CHUNK: usize = 16_384;

/// The system that moves everything that has a position, a velocity, an acceleration and a gravity:
/// the members of the owning group (the cubes) as parallel slices, on all threads of the current
/// pool, and who is outside of it (the camera) by a query. Gravity and time are as strong and as
/// fast as the [`Tuning`] of the world says, if it has one.
#[must_use]
pub fn physics(falling: GroupId) -> impl System {
    move |world: &mut World, tick: Tick| -> Result<(), Error> {
        let Tuning { gravity: pull, time, .. } =
            world.resources().get().copied().unwrap_or_default();
        let dt = tick.dt * time;
        integrate_group(world, falling, pull, dt)?;
        world.query_mut::<Moving>()?.outside(falling)?.for_each(|_, (position, velocity, a, g)| {
            let (position, velocity) = (position.0.as_mut(), velocity.0.as_mut());
            fall(position, velocity, a.0.as_ref(), g.0.as_ref(), [pull, dt]);
        })
    }
}

/// What physics changes and what it reads.
type Moving<'a> = (&'a mut Position, &'a mut Velocity, &'a Acceleration, &'a Gravity);

#[cfg(feature = "parallel")]
fn integrate_group(world: &mut World, falling: GroupId, pull: f32, dt: f32) -> Result<(), Error> {
    world.group_mut(falling)?.par_for_each_chunk::<Moving>(
        CHUNK,
        |(positions, velocities, a, g)| {
            integrate_pulled(positions, velocities, a, g, [pull, dt]);
        },
    )
}

#[cfg(not(feature = "parallel"))]
fn integrate_group(world: &mut World, falling: GroupId, pull: f32, dt: f32) -> Result<(), Error> {
    let (positions, velocities, a, g) = world.group_mut(falling)?.slices_mut::<Moving>()?;
    integrate_pulled(positions, velocities, a, g, [pull, dt]);
    Ok(())
}

/// Moves every entity by `dt` seconds. The slices have equal length and index `i` is one entity in
/// all of them; what is longer than the shortest one is left alone.
///
/// The acceleration `a = acceleration + gravity` is constant over a step, so the motion is known in
/// closed form, `position += velocity dt + a dt^2 / 2; velocity += a dt` (Newton, *Principia*, book
/// I), and does not depend on how a span of time is cut into steps, up to rounding.
pub fn integrate(
    positions: &mut [Position],
    velocities: &mut [Velocity],
    accelerations: &[Acceleration],
    gravities: &[Gravity],
    dt: f32,
) {
    integrate_pulled(positions, velocities, accelerations, gravities, [1.0, dt]);
}

/// As [`integrate`], with each gravity times the first of the two numbers; a factor of 1 leaves
/// every bit as it is.
fn integrate_pulled(
    positions: &mut [Position],
    velocities: &mut [Velocity],
    accelerations: &[Acceleration],
    gravities: &[Gravity],
    pull_and_dt: [f32; 2],
) {
    // Axes do not mix, so an array of vectors is a flat array of numbers, which any compiler turns
    // into full-width arithmetic.
    fall(
        bytemuck::cast_slice_mut(positions),
        bytemuck::cast_slice_mut(velocities),
        bytemuck::cast_slice(accelerations),
        bytemuck::cast_slice(gravities),
        pull_and_dt,
    );
}

/// As [`integrate_pulled`], axis by axis.
#[inline]
fn fall(
    positions: &mut [f32],
    velocities: &mut [f32],
    accelerations: &[f32],
    gravities: &[f32],
    [pull, dt]: [f32; 2],
) {
    let half_dt_squared = 0.5 * dt * dt;
    let moving = positions.iter_mut().zip(velocities);
    for ((position, velocity), (acceleration, gravity)) in
        moving.zip(accelerations.iter().zip(gravities))
    {
        let acceleration = acceleration + gravity * pull;
        *position += *velocity * dt + acceleration * half_dt_squared;
        *velocity += acceleration * dt;
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Falls for `seconds` at `rate` steps per second; position and velocity at the end.
    fn fall_for(seconds: u16, rate: u16) -> (Vec3, Vec3) {
        let mut positions = [Position(Vec3::new(1.0, 50.0, -3.0))];
        let mut velocities = [Velocity(Vec3::new(2.0, 5.0, -1.0))];
        let accelerations = [Acceleration(Vec3::new(0.5, 0.0, 0.25))];
        let gravities = [Gravity(Vec3::new(0.0, -9.5, 0.0))];
        for _ in 0..seconds * rate {
            let dt = 1.0 / f32::from(rate);
            integrate(&mut positions, &mut velocities, &accelerations, &gravities, dt);
        }
        (positions[0].0, velocities[0].0)
    }

    #[test]
    fn the_path_is_the_closed_form_at_any_rate() {
        // p = p0 + v0 t + a t^2 / 2 and v = v0 + a t with a = (0.5, -9.5, 0.25), t = 3 s.
        let position = Vec3::new(1.0 + 6.0 + 2.25, 50.0 + 15.0 - 42.75, -3.0 - 3.0 + 1.125);
        let velocity = Vec3::new(3.5, -23.5, -0.25);
        for rate in [30, 60, 144, 1000] {
            let (reached, speed) = fall_for(3, rate);
            // Each of the steps rounds positions of up to 60 m by at most half of 2^-18 m.
            let rounding = 3.0 * f32::from(rate) * 2_f32.powi(-19);
            assert!((reached - position).abs().max_element() <= rounding, "{rate} Hz: {reached}");
            assert!((speed - velocity).abs().max_element() <= rounding, "{rate} Hz: {speed}");
        }
    }

    #[test]
    fn no_time_changes_nothing() {
        let (mut positions, mut velocities) = ([Position(Vec3::ONE)], [Velocity::default()]);
        let accelerations = [Acceleration::default()];
        integrate(&mut positions, &mut velocities, &accelerations, &[Gravity::STANDARD], 0.0);
        assert_eq!((positions[0], velocities[0]), (Position(Vec3::ONE), Velocity::default()));
    }

    #[test]
    fn entities_and_axes_do_not_mix() {
        let mut positions = [Position::default(); 3];
        let mut velocities = [Velocity::default(); 3];
        let accelerations = [Acceleration(Vec3::X), Acceleration(Vec3::Y), Acceleration(Vec3::Z)];
        integrate(&mut positions, &mut velocities, &accelerations, &[Gravity(Vec3::ZERO); 3], 2.0);
        assert_eq!(positions.map(|position| position.0 / 2.0), [Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(velocities.map(|velocity| velocity.0 / 2.0), [Vec3::X, Vec3::Y, Vec3::Z]);
    }
}
