//! Restating: cubes with evaluated motion get their current values, as of now.
//!
//! Their paths stay the same up to rounding, but what is beyond the range of positions and velocities is moved to its
//! limits, unless the scene rewinds. It is done before anything changes that all evaluations have in
//! common: the factors of gravity and spin, the fall mode, the motion.

use super::evaluation::Evaluation;
use super::groups::Groups;
use super::parallel::for_each_chunk;
use super::timeline::rewinds;
use crate::components::{
    Acceleration, AngularVelocity, Epoch, Gravity, Motion, Position, Rotation, Velocity,
};
use crate::ecs::{Entity, Error, World};

/// Entities per chunk: as for spin, which takes most of the time.
const CHUNK: usize = 4096;

/// The components that spin reads and writes.
type Spinning<'a> = (&'a mut Rotation, &'a AngularVelocity, &'a Epoch);

/// The components that motion reads and writes.
type Moving<'a> =
    (&'a mut Position, &'a mut Velocity, &'a Acceleration, &'a Gravity, &'a mut Epoch);

/// Replaces position and velocity of a cube by the current ones, and its epoch by the current time. The rotation, which
/// depends on the epoch, must be current already. `has_limits` moves values beyond their range to its limits.
#[inline]
fn advance(
    evaluation: Evaluation,
    has_limits: bool,
    epoch: &mut Epoch,
    (position, velocity): (&mut Position, &mut Velocity),
    forces: (&Acceleration, &Gravity),
) {
    evaluation.advance(*epoch, (position, velocity), forces);
    if has_limits {
        (*position, *velocity) = (position.clamped(), velocity.clamped());
    }
    *epoch = Epoch(evaluation.now);
}

/// Restates all cubes with evaluated motion, on all threads of the current pool.
pub(super) fn restate_all(world: &mut World) -> Result<(), Error> {
    let Groups { motion, falling, spinning, .. } = Groups::of(world);
    if motion == Motion::Integrated {
        return Ok(());
    }
    let (evaluation, has_limits) = (Evaluation::of(world), !rewinds(world));
    for_each_chunk::<Spinning<'_>>(world, spinning, CHUNK, |(rotations, spins, epochs)| {
        for ((rotation, spin), &epoch) in rotations.iter_mut().zip(spins).zip(epochs) {
            evaluation.turn(epoch, rotation, spin);
        }
    })?;
    for_each_chunk::<Moving<'_>>(world, falling, CHUNK, |(positions, velocities, a, g, epochs)| {
        let moved = positions.iter_mut().zip(velocities);
        for ((moved, forces), epoch) in moved.zip(a.iter().zip(g)).zip(epochs) {
            advance(evaluation, has_limits, epoch, moved, forces);
        }
    })
}

/// Restates one cube as of the time of `evaluation`. Does nothing to an entity without an epoch.
pub(super) fn restate(
    world: &mut World,
    cube: Entity,
    evaluation: Evaluation,
) -> Result<(), Error> {
    if !world.has::<Epoch>(cube) {
        return Ok(());
    }
    if world.has::<AngularVelocity>(cube) {
        let (rotation, spin, &epoch) = world.query_one_mut::<Spinning<'_>>(cube)?;
        evaluation.turn(epoch, rotation, spin);
    }
    let has_limits = !rewinds(world);
    let (position, velocity, a, g, epoch) = world.query_one_mut::<Moving<'_>>(cube)?;
    advance(evaluation, has_limits, epoch, (position, velocity), (a, g));
    Ok(())
}
