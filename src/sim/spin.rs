//! Spin: constant angular velocity, integrated exactly.

use glam::{Quat, Vec2, Vec3};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::tuning::Tuning;
use crate::components::{AngularVelocity, Rotation};
use crate::ecs::{Entity, Error, GroupId, System, TakenGroup, Tick, World};

/// Entities a thread takes at a time; each costs a sine and a cosine.
#[cfg(feature = "parallel")]
const CHUNK: usize = 2048;

/// Slowest and fastest spin of a cube, in rad/s.
const RATES: [f32; 2] = [0.25, 2.0];

/// The system that turns the members of a group that owns rotations and angular velocities. Where
/// nothing spins it does nothing, so that no rotation counts as changed.
#[must_use]
pub fn spin(spinning: GroupId) -> impl System {
    move |world: &mut World, tick: Tick| -> Result<(), Error> {
        let Tuning { time, spin, .. } = world.resources().get().copied().unwrap_or_default();
        let turned = tick.dt * time * spin;
        if turned > 0.0 && world.group(spinning)?.len() > 0 {
            turn_group(world, spinning, turned)?;
        }
        Ok(())
    }
}

/// What the system changes and what it reads.
type Spinning<'a> = (&'a mut Rotation, &'a AngularVelocity);

#[cfg(feature = "parallel")]
fn turn_group(world: &mut World, spinning: GroupId, dt: f32) -> Result<(), Error> {
    world.group_mut(spinning)?.par_for_each_chunk::<Spinning>(CHUNK, |(rotations, velocities)| {
        turn(rotations, velocities, dt);
    })
}

#[cfg(not(feature = "parallel"))]
fn turn_group(world: &mut World, spinning: GroupId, dt: f32) -> Result<(), Error> {
    let (rotations, velocities) = world.group_mut(spinning)?.slices_mut::<Spinning>()?;
    turn(rotations, velocities, dt);
    Ok(())
}

/// Turns every entity by `dt` seconds of its spin. The slices have equal length and index `i` is one
/// entity in both.
///
/// A constant angular velocity `w` turns by the angle `|w| dt` about its axis, whatever `dt` is:
/// `q' = exp(w dt / 2) q` (Hamilton, *Lectures on Quaternions*, 1853). So the orientation does not
/// depend on how a span of time is cut into steps, up to rounding; what rounding does to the length
/// of the quaternion is taken back in each step.
pub fn turn(rotations: &mut [Rotation], velocities: &[AngularVelocity], dt: f32) {
    for (rotation, velocity) in rotations.iter_mut().zip(velocities) {
        rotation.0 = turned(rotation.0, velocity.0, dt);
    }
}

/// Sine and cosine come from glam, which is built to take them from its own library and not from
/// the platform's. The product is written out because glam adds up in another order with SIMD than
/// without: all of this gives the same bits everywhere.
fn turned(from: Quat, velocity: Vec3, dt: f32) -> Quat {
    let rate = velocity.length();
    if !(rate > 0.0 && rate.is_finite()) {
        return from;
    }
    let half = Vec2::from_angle(0.5 * rate * dt);
    let axis = velocity * (half.y / rate);
    let (p, q) = ([axis.x, axis.y, axis.z, half.x], from.to_array());
    let product = [
        (p[3] * q[0] + p[0] * q[3]) + (p[1] * q[2] - p[2] * q[1]),
        (p[3] * q[1] + p[1] * q[3]) + (p[2] * q[0] - p[0] * q[2]),
        (p[3] * q[2] + p[2] * q[3]) + (p[0] * q[1] - p[1] * q[0]),
        (p[3] * q[3] - p[0] * q[0]) - (p[1] * q[1] + p[2] * q[2]),
    ];
    let squares = product.map(|part| part * part);
    let length = ((squares[0] + squares[1]) + (squares[2] + squares[3])).sqrt();
    Quat::from_array(product.map(|part| part / length))
}

/// Gives every member of a group its own spin.
pub(super) fn start_spin(world: &mut World, drawn: GroupId, seed: u64) -> Result<(), Error> {
    let count = world.group(drawn)?.len();
    let (mut cubes, mut spins) = (Vec::new(), Vec::new());
    let reserved = cubes.try_reserve_exact(count).and_then(|()| spins.try_reserve_exact(count));
    reserved.map_err(|_| Error::OutOfMemory { entities: count })?;
    for cube in world.group(drawn)?.entities() {
        cubes.push(cube);
        spins.push(own_spin(seed, cube));
    }
    world.restore_group::<(AngularVelocity,)>(TakenGroup { entities: cubes, values: (spins,) })?;
    Ok(())
}

/// Removes every spin.
pub(super) fn stop_spin(world: &mut World, spinning: GroupId) -> Result<(), Error> {
    world.take_group::<(AngularVelocity,)>(spinning)?;
    // Cubes that hang still are not in the group.
    let others: Vec<_> = world.entities(world.signature_of::<(AngularVelocity,)>()?).collect();
    for cube in others.into_iter().rev() {
        world.remove::<AngularVelocity>(cube)?;
    }
    Ok(())
}

/// The spin of one cube of a scene: about any axis, uniform over all directions (Marsaglia,
/// "Choosing a Point from the Surface of a Sphere", 1972).
///
/// It hangs on the seed and the handle alone and not on the random stream, so that a scene whose
/// cubes begin to spin goes on with the same cubes.
pub(super) fn own_spin(seed: u64, cube: Entity) -> AngularVelocity {
    let mut key = u128::from(cube.to_bits());
    loop {
        let bits = xxh3_64_with_seed(&key.to_le_bytes(), seed);
        // Three numbers of 21 bits, uniform in 0.0..1.0.
        let unit = |shift: u32| ((bits >> shift) & 0x1F_FFFF) as f32 / (1 << 21) as f32;
        let (x, y) = (2.0 * unit(0) - 1.0, 2.0 * unit(21) - 1.0);
        let squared = x * x + y * y;
        if squared < 1.0 {
            let factor = 2.0 * (1.0 - squared).sqrt();
            let axis = Vec3::new(x * factor, y * factor, 1.0 - 2.0 * squared);
            return AngularVelocity(axis * (RATES[0] + (RATES[1] - RATES[0]) * unit(42)));
        }
        key += 1 << 64;
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, TAU};

    use super::*;
    use crate::ecs::World;

    /// One spinning entity after `seconds` at `rate` steps per second.
    fn spun(start: Quat, velocity: Vec3, seconds: u16, rate: u16) -> Quat {
        let mut rotations = [Rotation(start)];
        for _ in 0..seconds * rate {
            turn(&mut rotations, &[AngularVelocity(velocity)], 1.0 / f32::from(rate));
        }
        rotations[0].0
    }

    /// Largest difference of two orientations, by where they take the axes.
    fn apart(a: Quat, b: Quat) -> f32 {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        axes.map(|axis| (a * axis - b * axis).length()).into_iter().fold(0.0, f32::max)
    }

    #[test]
    fn a_quarter_turn_takes_axes_into_axes_right_handedly() {
        let about = |axis: Vec3| spun(Quat::IDENTITY, axis * FRAC_PI_2, 1, 1);
        for (axis, from, to) in
            [(Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X), (Vec3::Z, Vec3::X, Vec3::Y)]
        {
            assert!((about(axis) * from - to).length() < 1e-6, "{axis}");
            assert!((about(axis) * axis - axis).length() < 1e-6, "{axis}");
        }
        // The spin is about an axis of the world: it comes after the turn that was there before.
        let tilted = spun(Quat::from_rotation_x(FRAC_PI_2), Vec3::Y * FRAC_PI_2, 1, 1);
        assert!((tilted * Vec3::Y - Vec3::X).length() < 1e-6, "{tilted}");
    }

    #[test]
    fn the_orientation_is_the_closed_form_at_any_rate() {
        let start = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        let velocity = Vec3::new(0.3, -1.1, 0.7);
        // After t seconds the whole turn is one by |w| t about the axis.
        let angle = f64::from(velocity.length()) * 3.0;
        let (sin, cos) = (angle / 2.0).sin_cos();
        let axis = velocity.normalize() * sin as f32;
        let expected = Quat::from_xyzw(axis.x, axis.y, axis.z, cos as f32) * start;
        for rate in [1, 7, 30, 60, 144, 1000] {
            let reached = spun(start, velocity, 3, rate);
            // Each step rounds every part of the product by a few times 2^-24, and its angle too.
            let rounding = 3.0 * f32::from(rate) * 2_f32.powi(-21) + 2_f32.powi(-20);
            assert!(apart(reached, expected) <= rounding, "{rate} Hz: {reached} {expected}");
        }
    }

    #[test]
    fn a_million_steps_keep_the_length() {
        let mut rotations = [Rotation(Quat::from_xyzw(0.1, 0.7, -0.1, 0.7))];
        let velocities = [AngularVelocity(Vec3::new(1.3, -2.0, 0.4))];
        for _ in 0..1_000_000 {
            turn(&mut rotations, &velocities, 1.0 / 60.0);
        }
        // The last division alone rounds, each part by at most 2^-24 of 1.
        assert!((rotations[0].0.length() - 1.0).abs() < 4.0 * 2_f32.powi(-24));
    }

    #[test]
    fn whole_turns_at_any_speed_come_back() {
        for turns in [1.0_f32, 10.0] {
            let back = spun(Quat::IDENTITY, Vec3::new(0.0, 0.0, TAU * turns), 1, 20);
            assert!(apart(back, Quat::IDENTITY) < 1e-4, "{turns}: {back}");
        }
    }

    #[test]
    fn what_does_not_spin_stays_to_the_bit() {
        let odd = Quat::from_xyzw(0.1, 0.2, 0.3, 0.927);
        let still = [Vec3::ZERO, Vec3::new(-0.0, 0.0, 0.0), Vec3::splat(f32::MAX)];
        for velocity in still {
            assert_eq!(turned(odd, velocity, 0.1).to_array(), odd.to_array());
        }
    }

    #[test]
    fn spins_hang_on_seed_and_handle_and_have_no_preferred_direction() {
        let mut world = World::new();
        let cubes: Vec<_> = (0..10_000).map(|_| world.spawn(()).unwrap()).collect();
        let spins: Vec<_> = cubes.iter().map(|&cube| own_spin(5, cube).0).collect();
        assert_eq!(own_spin(5, cubes[77]).0, spins[77]);
        assert_ne!(own_spin(6, cubes[77]).0, spins[77]);
        let rates = spins.iter().map(|spin| spin.length());
        assert!(rates.clone().all(|rate| (0.2499..2.0001).contains(&rate)));
        let mean_rate = rates.sum::<f32>() / 10_000.0;
        assert!((mean_rate - 1.125).abs() < 0.03, "{mean_rate}");
        // The mean of n directions has a standard deviation of 1/sqrt(3 n) = 0.006 along each axis.
        let mean = spins.iter().map(|spin| spin.normalize()).sum::<Vec3>() / 10_000.0;
        assert!(mean.abs().max_element() < 0.03, "{mean}");
    }
}
