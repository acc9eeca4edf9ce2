//! Spin: exact integration of constant angular velocity.

use std::array;
use std::ops::{Add, Div, Mul, Sub};

use glam::{Quat, Vec2, Vec3};
use wide::f32x4;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::groups::Groups;
use super::parallel::{for_each_chunk, map};
use super::timeline::simulated_time;
use super::tuning::Tuning;
use crate::components::{AngularVelocity, Motion, Rotation};
use crate::ecs::{Entity, Error, GroupId, System, SystemArgs, TakenGroup, World};

/// Cubes that are turned at once. Vector operations round as those on a single number do, so results do not
/// depend on the processor.
const LANES: usize = 4;

/// Entities per chunk: fewer than for physics, since each costs more.
const CHUNK: usize = 4096;

/// Slowest and fastest spin of a cube, in rad/s.
const RATES: [f32; 2] = [0.25, 2.0];

/// Returns the system that turns the members of the owning group `spinning`, with the feature `parallel` on all
/// threads of the current rayon pool. Applies the resource [`Tuning`], if the world has one. Without members it marks no
/// rotation as changed.
///
/// # Panics
/// The system panics when it runs, if the group does not own rotation and angular velocity.
pub fn spin(spinning: GroupId) -> impl System {
    move |world: &mut World, args: SystemArgs| -> Result<(), Error> {
        let tuning = Tuning::of(world);
        let dt = simulated_time(world, args) * tuning.spin;
        if dt != 0.0 && !world.group(spinning)?.is_empty() {
            for_each_chunk::<(&mut Rotation, &AngularVelocity)>(
                world,
                spinning,
                CHUNK,
                |(rotations, velocities)| turn(rotations, velocities, dt),
            )?;
        }
        Ok(())
    }
}

/// System of a simulation: spin with the group of spinning cubes that the world has now. Cubes with evaluated
/// motion turn with the clock.
pub(super) fn turn_all(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let Groups { motion, spinning, .. } = Groups::of(world);
    match motion {
        Motion::Integrated => spin(spinning).run(world, args),
        Motion::Evaluated => Ok(()),
    }
}

/// Turns every entity by `dt` seconds of its spin. Index `i` of both slices is the same entity; the longer slice
/// is cut.
///
/// A constant angular velocity `w` turns by the angle `|w| dt` about its axis:
/// `q' = exp(w dt / 2) q` (Hamilton, *Lectures on Quaternions*, 1853). The orientation does not
/// depend on the number of steps, up to rounding. Each step normalizes the quaternion.
pub fn turn(rotations: &mut [Rotation], velocities: &[AngularVelocity], dt: f32) {
    let count = rotations.len().min(velocities.len());
    let (rotation_lanes, rotations) = rotations[..count].as_chunks_mut::<LANES>();
    let (velocity_lanes, velocities) = velocities[..count].as_chunks::<LANES>();
    for (rotations, velocities) in rotation_lanes.iter_mut().zip(velocity_lanes) {
        turn_lanes(rotations, velocities, dt);
    }
    // The same arithmetic, so that the result does not depend on the position in the slice.
    let count = rotations.len();
    let mut lanes = ([Rotation::default(); LANES], [AngularVelocity::default(); LANES]);
    lanes.0[..count].copy_from_slice(rotations);
    lanes.1[..count].copy_from_slice(velocities);
    turn_lanes(&mut lanes.0, &lanes.1, dt);
    rotations.copy_from_slice(&lanes.0[..count]);
}

/// Largest square of half the angle of a step for which the power series below is exact to half a unit in
/// the last place: the first omitted terms are below 2^-31.
const MAX_SQUARED: f32 = 0.25;

fn turn_lanes(rotations: &mut [Rotation; LANES], velocities: &[AngularVelocity; LANES], dt: f32) {
    let half_dt = f32x4::splat(0.5 * dt);
    let half = [0, 1, 2].map(|axis| lanes(|lane| velocities[lane].0[axis]) * half_dt);
    let parts = f32x4::transpose(rotations.map(|rotation| f32x4::new(rotation.0.to_array())));
    // Half the angle, squared; sine over angle and cosine are power series of it (Taylor).
    let h = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    let sinc = series(h, &[1.0, 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0], 362_880.0);
    let cos = series(h, &[1.0, 0.5, 1.0 / 24.0, 1.0 / 720.0], 40_320.0);
    let [x, y, z] = half.map(|part| part * sinc);
    let turned = product([x, y, z, cos], parts, f32x4::sqrt);
    let turned = f32x4::transpose(turned).map(f32x4::to_array);
    for (lane, squared) in h.to_array().into_iter().enumerate() {
        // Every bit stays without spin. NaN and infinity are left alone, too.
        if squared > 0.0 && squared <= MAX_SQUARED {
            rotations[lane].0 = Quat::from_array(turned[lane]);
        } else if squared > MAX_SQUARED && squared.is_finite() {
            rotations[lane].0 = turned_far(rotations[lane].0, velocities[lane].0, dt);
        }
    }
}

/// Returns the alternating power series of `x` with these coefficients, and with `1 / last` after them.
#[inline]
fn series(x: f32x4, coefficients: &[f32; 4], last: f32) -> f32x4 {
    let mut sum = x / f32x4::splat(last);
    for &coefficient in coefficients[1..].iter().rev() {
        sum = x * (f32x4::splat(coefficient) - sum);
    }
    f32x4::splat(coefficients[0]) - sum
}

#[inline]
fn lanes(number: impl FnMut(usize) -> f32) -> f32x4 {
    f32x4::new(array::from_fn(number))
}

/// Turns by an angle of any size. glam computes sine and cosine with the `libm` crate, which gives the same
/// bits on every platform.
#[cold]
fn turned_far(from: Quat, velocity: Vec3, dt: f32) -> Quat {
    let rate = velocity.length();
    let half = Vec2::from_angle(0.5 * rate * dt);
    let axis = velocity * (half.y / rate);
    Quat::from_array(product([axis.x, axis.y, axis.z, half.x], from.to_array(), f32::sqrt))
}

/// Returns the normalized product of two quaternions. Written out, since glam sums in another order with
/// SIMD than without.
#[inline]
fn product<T>(p: [T; 4], q: [T; 4], sqrt: impl Fn(T) -> T) -> [T; 4]
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
{
    let product = [
        (p[3] * q[0] + p[0] * q[3]) + (p[1] * q[2] - p[2] * q[1]),
        (p[3] * q[1] + p[1] * q[3]) + (p[2] * q[0] - p[0] * q[2]),
        (p[3] * q[2] + p[2] * q[3]) + (p[0] * q[1] - p[1] * q[0]),
        (p[3] * q[3] - p[0] * q[0]) - (p[1] * q[1] + p[2] * q[2]),
    ];
    let squares = product.map(|part| part * part);
    let length = sqrt((squares[0] + squares[1]) + (squares[2] + squares[3]));
    product.map(|part| part / length)
}

/// Gives every member of the group `drawn` its own angular velocity.
pub(super) fn start_spin(world: &mut World, drawn: GroupId, seed: u64) -> Result<(), Error> {
    let (entities, spins) = own_spins(world, drawn, seed)?;
    world.restore_group::<(AngularVelocity,)>(TakenGroup { entities, values: (spins,) });
    Ok(())
}

/// Replaces the angular velocity of each member of the group `spinning` by its own.
pub(super) fn spin_by_seed(world: &mut World, spinning: GroupId, seed: u64) -> Result<(), Error> {
    let (_, spins) = own_spins(world, spinning, seed)?;
    world.group_mut(spinning)?.slices_mut::<(&mut AngularVelocity,)>().0.copy_from_slice(&spins);
    Ok(())
}

/// Returns the members of a group, and the angular velocity of each.
fn own_spins(
    world: &World,
    group: GroupId,
    seed: u64,
) -> Result<(Vec<Entity>, Vec<AngularVelocity>), Error> {
    let group = world.group(group)?;
    let (mut cubes, mut spins) = (Vec::new(), Vec::new());
    let reserved =
        cubes.try_reserve_exact(group.len()).and_then(|()| spins.try_reserve_exact(group.len()));
    reserved.map_err(|_| Error::OutOfMemory { entities: group.len() })?;
    cubes.extend(group.entities());
    map(cubes.len(), &mut spins, |index| own_spin(seed, cubes[index]));
    Ok((cubes, spins))
}

/// Removes all angular velocities.
pub(super) fn stop_spin(world: &mut World, spinning: GroupId) -> Result<(), Error> {
    drop(world.take_group::<(AngularVelocity,)>(spinning)?);
    // Cubes that hang still are not in the group.
    let others: Vec<_> =
        world.query::<(Entity, &AngularVelocity)>().iter().map(|(cube, _)| cube).collect();
    for cube in others.into_iter().rev() {
        world.remove::<AngularVelocity>(cube)?;
    }
    Ok(())
}

/// Returns the angular velocity of a cube, uniform over all directions (Marsaglia, "Choosing a Point
/// from the Surface of a Sphere", 1972).
///
/// It depends on the seed and the handle only. Spin therefore does not change which random cubes
/// follow.
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

    /// Returns the rotation after `seconds` at `rate` steps per second.
    fn spun(start: Quat, velocity: Vec3, seconds: u16, rate: u16) -> Quat {
        let mut rotations = [Rotation(start)];
        for _ in 0..seconds * rate {
            turn(&mut rotations, &[AngularVelocity(velocity)], 1.0 / f32::from(rate));
        }
        rotations[0].0
    }

    /// Returns the largest distance between the axes of two orientations.
    fn apart(a: Quat, b: Quat) -> f32 {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        axes.map(|axis| (a * axis - b * axis).length()).into_iter().fold(0.0, f32::max)
    }

    #[test]
    fn the_longer_slice_is_cut() {
        let spins: [_; 20] = array::from_fn(|i| AngularVelocity(Vec3::X * (1 + i) as f32));
        let turned = |rotations: usize, spins: &[AngularVelocity]| {
            let mut turned = vec![Rotation::default(); rotations];
            turn(&mut turned, spins, 0.1);
            turned
        };
        let expected = turned(10, &spins[..10]);
        assert_eq!(turned(10, &spins), expected);
        let still = [Rotation::default(); 10];
        assert_eq!(turned(20, &spins[..10]), [&expected[..], &still].concat());
    }

    #[test]
    fn quarter_turn_is_right_handed() {
        let about = |axis: Vec3| spun(Quat::IDENTITY, axis * FRAC_PI_2, 1, 1);
        for (axis, from, to) in
            [(Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X), (Vec3::Z, Vec3::X, Vec3::Y)]
        {
            assert!((about(axis) * from - to).length() < 1e-6, "{axis}");
            assert!((about(axis) * axis - axis).length() < 1e-6, "{axis}");
        }
        // The axis is in world coordinates: the spin applies after the existing rotation.
        let tilted = spun(Quat::from_rotation_x(FRAC_PI_2), Vec3::Y * FRAC_PI_2, 1, 1);
        assert!((tilted * Vec3::Y - Vec3::X).length() < 1e-6, "{tilted}");
    }

    #[test]
    fn orientation_is_the_closed_form_at_any_rate() {
        let start = Quat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        let velocity = Vec3::new(0.3, -1.1, 0.7);
        // After t seconds the rotation is by the angle |w| t about the axis.
        let angle = f64::from(velocity.length()) * 3.0;
        let (sin, cos) = (angle / 2.0).sin_cos();
        let axis = velocity.normalize() * sin as f32;
        let expected = Quat::from_xyzw(axis.x, axis.y, axis.z, cos as f32) * start;
        for rate in [1, 7, 30, 60, 144, 1000] {
            let reached = spun(start, velocity, 3, rate);
            // Each step rounds the angle and every part of the product by a few times 2^-24.
            let rounding = 3.0 * f32::from(rate) * 2_f32.powi(-21) + 2_f32.powi(-20);
            assert!(apart(reached, expected) <= rounding, "{rate} Hz: {reached} {expected}");
        }
    }

    #[test]
    fn million_steps_keep_the_length() {
        let mut rotations = [Rotation(Quat::from_xyzw(0.1, 0.7, -0.1, 0.7))];
        let velocities = [AngularVelocity(Vec3::new(1.3, -2.0, 0.4))];
        for _ in 0..1_000_000 {
            turn(&mut rotations, &velocities, 1.0 / 60.0);
        }
        // Only the last division rounds, each part by at most 2^-24.
        assert!((rotations[0].0.length() - 1.0).abs() < 4.0 * 2_f32.powi(-24));
    }

    #[test]
    fn whole_turns_restore_the_orientation() {
        for turns in [1.0_f32, 10.0] {
            let back = spun(Quat::IDENTITY, Vec3::new(0.0, 0.0, TAU * turns), 1, 20);
            assert!(apart(back, Quat::IDENTITY) < 1e-4, "{turns}: {back}");
        }
    }

    #[test]
    fn rotation_without_spin_keeps_every_bit() {
        let odd = Quat::from_xyzw(0.1, 0.2, 0.3, 0.927);
        let still = [Vec3::ZERO, Vec3::new(-0.0, 0.0, 0.0), Vec3::splat(f32::MAX)];
        for velocity in still {
            let mut rotations = [Rotation(odd)];
            turn(&mut rotations, &[AngularVelocity(velocity)], 0.1);
            assert_eq!(rotations[0].0.to_array(), odd.to_array());
        }
    }

    #[test]
    fn spin_depends_on_seed_and_handle_and_is_isotropic() {
        let mut world = World::new();
        let cubes: Vec<_> = (0..10_000).map(|_| world.spawn(())).collect();
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
