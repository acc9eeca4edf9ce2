//! Physics: constant acceleration, integrated exactly.

use crate::components::{Gravity, RigidBody, Transform};
use crate::ecs::{Error, GroupId, System, Tick, World};

/// Entities a thread takes at a time: enough work to be worth the hand-over, little enough to share
/// evenly.
#[cfg(feature = "parallel")]
const CHUNK: usize = 16_384;

/// The system that moves everything that has `Transform`, `RigidBody` and `Gravity`: the members of
/// the owning group (the cubes) as parallel slices, on all threads of the current pool, and who is
/// outside of it (the camera) by a query.
#[must_use]
pub fn physics(falling: GroupId) -> impl System {
    move |world: &mut World, tick: Tick| -> Result<(), Error> {
        integrate_group(world, falling, tick.dt)?;
        world
            .query_mut::<Moving>()?
            .outside(falling)?
            .for_each(|_, (transform, body, gravity)| fall(transform, body, *gravity, tick.dt))
    }
}

/// What physics changes and what it reads.
type Moving<'a> = (&'a mut Transform, &'a mut RigidBody, &'a Gravity);

#[cfg(feature = "parallel")]
fn integrate_group(world: &mut World, falling: GroupId, dt: f32) -> Result<(), Error> {
    world.par_for_each_chunk::<Moving>(falling, CHUNK, |(transforms, bodies, gravities)| {
        integrate(transforms, bodies, gravities, dt);
    })
}

#[cfg(not(feature = "parallel"))]
fn integrate_group(world: &mut World, falling: GroupId, dt: f32) -> Result<(), Error> {
    let (transforms, bodies, gravities) = world.slices_mut::<Moving>(falling)?;
    integrate(transforms, bodies, gravities, dt);
    Ok(())
}

/// Moves every entity by `dt` seconds. The slices have equal length and index `i` is one entity in
/// all of them; what is longer than the shortest one is left alone.
///
/// The acceleration `a = gravity + body.acceleration` is constant over a step, so the motion is
/// known in closed form, `position += velocity dt + a dt^2 / 2; velocity += a dt` (Newton,
/// *Principia*, book I), and does not depend on how a span of time is cut into steps, up to
/// rounding.
pub fn integrate(
    transforms: &mut [Transform],
    bodies: &mut [RigidBody],
    gravities: &[Gravity],
    dt: f32,
) {
    for ((transform, body), gravity) in transforms.iter_mut().zip(bodies).zip(gravities) {
        fall(transform, body, *gravity, dt);
    }
}

#[inline]
fn fall(transform: &mut Transform, body: &mut RigidBody, gravity: Gravity, dt: f32) {
    let acceleration = gravity.0 + body.acceleration;
    transform.position += body.velocity * dt + acceleration * (0.5 * dt * dt);
    body.velocity += acceleration * dt;
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Falls for `seconds` at `rate` steps per second; position and velocity at the end.
    fn fall_for(seconds: u16, rate: u16) -> (Vec3, Vec3) {
        let mut transforms = [Transform::at(Vec3::new(1.0, 50.0, -3.0))];
        let mut bodies = [RigidBody {
            velocity: Vec3::new(2.0, 5.0, -1.0),
            acceleration: Vec3::new(0.5, 0.0, 0.25),
        }];
        let gravities = [Gravity(Vec3::new(0.0, -9.5, 0.0))];
        for _ in 0..seconds * rate {
            integrate(&mut transforms, &mut bodies, &gravities, 1.0 / f32::from(rate));
        }
        (transforms[0].position, bodies[0].velocity)
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
        let (mut transforms, mut bodies) = ([Transform::at(Vec3::ONE)], [RigidBody::default()]);
        integrate(&mut transforms, &mut bodies, &[Gravity::STANDARD], 0.0);
        assert_eq!((transforms[0], bodies[0]), (Transform::at(Vec3::ONE), RigidBody::default()));
    }
}
