//! Where all cubes with evaluated motion are now.

use super::clock::age;
use super::evaluation::Evaluation;
use super::groups::Groups;
use crate::components::{
    Acceleration, AngularVelocity, Epoch, EvaluatedMotion, Gravity, Motion, Position, Rotation,
    Velocity,
};
use crate::ecs::World;

impl<'a> EvaluatedMotion<'a> {
    /// Returns the motion of the cubes of a world; `None` while it is integrated.
    ///
    /// Index `i` is cube `i` of [`Cubes::slice`](super::Cubes::slice).
    pub(super) fn of(world: &'a World) -> Option<Self> {
        let Groups { motion, falling, spinning, .. } = Groups::of(world);
        if motion == Motion::Integrated {
            return None;
        }
        let Evaluation { now, gravity, spin } = Evaluation::of(world);
        let (velocities, accelerations, gravities, epochs) =
            world.group(falling).ok()?.slices::<(&Velocity, &Acceleration, &Gravity, &Epoch)>();
        let (angular_velocities,) = world.group(spinning).ok()?.slices::<(&AngularVelocity,)>();
        Some(Self {
            velocities,
            accelerations,
            gravities,
            angular_velocities,
            epochs,
            gravity_factor: gravity,
            spin_factor: spin,
            now,
        })
    }

    /// Returns the time since an epoch, in s.
    pub fn age(&self, epoch: Epoch) -> f32 {
        age(self.now, epoch)
    }

    /// Returns the current position of a cube from that of its epoch.
    #[inline]
    pub fn position(&self, index: usize, mut position: Position) -> Position {
        if let Some(&epoch) = self.epochs.get(index) {
            let mut velocity = self.velocities[index];
            let forces = (&self.accelerations[index], &self.gravities[index]);
            self.evaluation().advance(epoch, (&mut position, &mut velocity), forces);
        }
        position
    }

    /// Returns the current rotation of a cube from that of its epoch.
    #[inline]
    pub fn rotation(&self, index: usize, mut rotation: Rotation) -> Rotation {
        if let Some(spin) = self.angular_velocities.get(index) {
            self.evaluation().turn(self.epochs[index], &mut rotation, spin);
        }
        rotation
    }

    fn evaluation(&self) -> Evaluation {
        Evaluation { now: self.now, gravity: self.gravity_factor, spin: self.spin_factor }
    }
}
