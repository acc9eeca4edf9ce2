//! Physics: the system that moves what falls.

use super::clock::MotionClock;
use super::due;
use super::groups::Groups;
use super::integration::integrate;
use super::parallel::for_each_chunk;
use super::timeline::{rewinds, simulated_time};
use super::tuning::Tuning;
use crate::components::{Acceleration, Drag, Gravity, Motion, Position, Velocity};
use crate::ecs::{Error, GroupId, System, SystemArgs, World};

/// Entities per chunk: enough work to outweigh the cost of handing it to a thread.
const CHUNK: usize = 16_384;

/// Ticks of simulated time after which values are moved into their range, as a power of 2: 64 s.
const PERIOD_BITS: u32 = 22;

/// The components that physics writes and reads.
type Moving<'a> = (&'a mut Position, &'a mut Velocity, &'a Acceleration, &'a Gravity);

/// Returns the system that moves every entity with a position, velocity, acceleration and gravity, and
/// without [`Drag`].
///
/// Members of the owning group `falling` (the cubes) are processed as slices, with the feature `parallel` on all threads
/// of the current rayon pool; others by a query. Applies the resource [`Tuning`], if the world has one. If the world has
/// entities with [`Drag`], exclude it from the group (`create_group_without`): members are not checked for it.
///
/// # Panics
/// The system panics when it runs, if the group does not own all four components.
pub fn physics(falling: GroupId) -> impl System {
    move |world: &mut World, args: SystemArgs| -> Result<(), Error> {
        let tuning = Tuning::of(world);
        let dt = simulated_time(world, args);
        move_group(world, falling, tuning.gravity, dt)?;
        move_others(world, falling, tuning.gravity, dt)
    }
}

/// System of a simulation: physics with the group of falling cubes that the world has now. Advances the clock,
/// which is all that moves cubes with evaluated motion.
pub(super) fn move_all(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let seconds = simulated_time(world, args);
    let clock = world.resource_mut::<MotionClock>();
    let before = clock.ticks();
    let dt = clock.advance(seconds);
    let is_due = (before ^ clock.ticks()) >> PERIOD_BITS != 0;
    let gravity_factor = world.resource::<Tuning>().gravity;
    let Groups { motion, falling, .. } = Groups::of(world);
    match motion {
        Motion::Integrated => move_group(world, falling, gravity_factor, dt)?,
        Motion::Evaluated => due::restate_unexamined(world)?,
    }
    move_others(world, falling, gravity_factor, dt)?;
    if is_due { move_into_range(world) } else { Ok(()) }
}

/// Moves what has gone beyond the range of positions and velocities back to its limits, so that a saved state
/// can hold it. Cubes with evaluated motion are restated within the range. In a scene that rewinds, nothing is moved: all
/// cubes come back by themselves.
pub(super) fn move_into_range(world: &mut World) -> Result<(), Error> {
    let Groups { motion, falling, .. } = Groups::of(world);
    if rewinds(world) {
        return Ok(());
    }
    let clamp = |position: &mut Position, velocity: &mut Velocity| {
        (*position, *velocity) = (position.clamped(), velocity.clamped());
    };
    // Mostly nothing changes.
    let are_beyond = || -> Result<bool, Error> {
        let (p, v) = world.group(falling)?.slices::<(&Position, &Velocity)>();
        Ok(p.iter().any(|it| *it != it.clamped()) || v.iter().any(|it| *it != it.clamped()))
    };
    if motion == Motion::Integrated && are_beyond()? {
        for_each_chunk::<(&mut Position, &mut Velocity)>(world, falling, CHUNK, |(p, v)| {
            p.iter_mut().zip(v).for_each(|(position, velocity)| clamp(position, velocity));
        })?;
    }
    let others = world.query_mut::<(&mut Position, &mut Velocity)>().outside(falling)?;
    others.for_each(|(position, velocity)| clamp(position, velocity));
    Ok(())
}

/// Moves the members of the group.
fn move_group(
    world: &mut World,
    falling: GroupId,
    gravity_factor: f32,
    dt: f32,
) -> Result<(), Error> {
    // Marks no value as changed.
    if dt == 0.0 {
        return Ok(());
    }
    for_each_chunk::<Moving>(world, falling, CHUNK, |(positions, velocities, a, g)| {
        integrate(positions, velocities, a, g, gravity_factor, dt);
    })
}

/// Moves the entities outside of the group.
fn move_others(
    world: &mut World,
    falling: GroupId,
    gravity_factor: f32,
    dt: f32,
) -> Result<(), Error> {
    let others = world.query_mut::<Moving>().outside(falling)?.without::<&Drag>();
    others.for_each(|(position, velocity, a, g)| {
        use std::slice::{from_mut, from_ref};
        let (a, g) = (from_ref(a), from_ref(g));
        integrate(from_mut(position), from_mut(velocity), a, g, gravity_factor, dt);
    });
    Ok(())
}
