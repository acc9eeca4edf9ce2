//! Evaluation: where a cube with evaluated motion is now.
//!
//! Its components hold the values of its [`Epoch`]. The formulas are those of physics and spin, with the age
//! of the values as the time step. Other entities are where their components say.

use std::slice::{from_mut, from_ref};

use super::clock::{MotionClock, age};
use super::integration::integrate;
use super::spin::turn;
use super::tuning::Tuning;
use crate::components::{
    Acceleration, AngularVelocity, Epoch, Gravity, Position, Rotation, Velocity,
};
use crate::ecs::{Entity, Error, World};

/// Resource of a world whose cubes with evaluated motion keep their rotation, because the system that turns
/// cubes is disabled.
pub(super) struct StoppedSpin;

/// What all cubes have in common: the time, and the factors of gravity and spin.
#[derive(Clone, Copy)]
pub(super) struct Evaluation {
    /// Time of the clock, in ticks.
    pub(super) now: u32,
    pub(super) gravity: f32,
    pub(super) spin: f32,
}

impl Evaluation {
    /// Returns the evaluation of a world at its current time.
    pub(super) fn of(world: &World) -> Self {
        let Tuning { gravity, spin, .. } = Tuning::of(world);
        let spin = if world.resources().get::<StoppedSpin>().is_some() { 0.0 } else { spin };
        Self { now: MotionClock::of(world).ticks(), gravity, spin }
    }

    /// Moves a cube from the values of its epoch to the current ones.
    #[inline]
    pub(super) fn advance(
        self,
        epoch: Epoch,
        (position, velocity): (&mut Position, &mut Velocity),
        (acceleration, gravity): (&Acceleration, &Gravity),
    ) {
        let (a, g) = (from_ref(acceleration), from_ref(gravity));
        let age = age(self.now, epoch);
        integrate(from_mut(position), from_mut(velocity), a, g, self.gravity, age);
    }

    /// Turns a cube from the rotation of its epoch to the current one.
    #[inline]
    pub(super) fn turn(self, epoch: Epoch, rotation: &mut Rotation, spin: &AngularVelocity) {
        turn(from_mut(rotation), from_ref(spin), age(self.now, epoch) * self.spin);
    }
}

/// Returns the current position of an entity.
pub(super) fn position(world: &World, entity: Entity) -> Result<Position, Error> {
    match world.get::<(&Position, Option<&Epoch>)>(entity)? {
        (_, Some(_)) => position_and_velocity(world, entity).map(|(position, _)| position),
        (&position, None) => Ok(position),
    }
}

/// Returns the current velocity of an entity.
pub(super) fn velocity(world: &World, entity: Entity) -> Result<Velocity, Error> {
    match world.get::<(&Velocity, Option<&Epoch>)>(entity)? {
        (_, Some(_)) => position_and_velocity(world, entity).map(|(_, velocity)| velocity),
        (&velocity, None) => Ok(velocity),
    }
}

fn position_and_velocity(world: &World, entity: Entity) -> Result<(Position, Velocity), Error> {
    type Course<'a> = (&'a Position, &'a Velocity, &'a Acceleration, &'a Gravity, &'a Epoch);
    let (&position, &velocity, acceleration, gravity, &epoch) = world.get::<Course<'_>>(entity)?;
    let (mut position, mut velocity) = (position, velocity);
    let moved = (&mut position, &mut velocity);
    Evaluation::of(world).advance(epoch, moved, (acceleration, gravity));
    Ok((position, velocity))
}

/// Returns the current rotation of an entity.
pub(super) fn rotation(world: &World, entity: Entity) -> Result<Rotation, Error> {
    let (&rotation, spin, epoch) =
        world.get::<(&Rotation, Option<&AngularVelocity>, Option<&Epoch>)>(entity)?;
    let mut rotation = rotation;
    if let (Some(spin), Some(&epoch)) = (spin, epoch) {
        Evaluation::of(world).turn(epoch, &mut rotation, spin);
    }
    Ok(rotation)
}
