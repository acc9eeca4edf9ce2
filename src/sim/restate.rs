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

/// Restates all cubes with evaluated motion, on all threads of the current pool.
pub(super) fn restate_all(world: &mut World) -> Result<(), Error> {
    let groups = Groups::of(world);
    if groups.motion == Motion::Integrated {
        return Ok(());
    }
    let (evaluation, has_limits) = (Evaluation::of(world), !rewinds(world));
    for_each_chunk::<(&mut Rotation, &AngularVelocity, &Epoch)>(
        world,
        groups.spinning,
        CHUNK,
        |(rotations, spins, epochs)| {
            for ((rotation, spin), &epoch) in rotations.iter_mut().zip(spins).zip(epochs) {
                evaluation.turn(epoch, rotation, spin);
            }
        },
    )?;
    for_each_chunk::<(&mut Position, &mut Velocity, &Acceleration, &Gravity, &mut Epoch)>(
        world,
        groups.falling,
        CHUNK,
        |(positions, velocities, accelerations, gravities, epochs)| {
            let moved = positions.iter_mut().zip(velocities);
            let forces = accelerations.iter().zip(gravities);
            for (((position, velocity), forces), epoch) in moved.zip(forces).zip(epochs) {
                evaluation.advance(*epoch, (position, velocity), forces);
                if has_limits {
                    (*position, *velocity) = (position.clamped(), velocity.clamped());
                }
                *epoch = Epoch(evaluation.now);
            }
        },
    )
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
    let has_limits = !rewinds(world);
    if world.has::<AngularVelocity>(cube) {
        let (rotation, spin, &epoch) =
            world.query_one_mut::<(&mut Rotation, &AngularVelocity, &Epoch)>(cube)?;
        evaluation.turn(epoch, rotation, spin);
    }
    let (position, velocity, acceleration, gravity, epoch) =
        world
            .query_one_mut::<(&mut Position, &mut Velocity, &Acceleration, &Gravity, &mut Epoch)>(
                cube,
            )?;
    evaluation.advance(*epoch, (position, velocity), (acceleration, gravity));
    if has_limits {
        (*position, *velocity) = (position.clamped(), velocity.clamped());
    }
    *epoch = Epoch(evaluation.now);
    Ok(())
}
