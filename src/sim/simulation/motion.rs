//! How the motion of the cubes is computed.

use super::Simulation;
use crate::components::Motion;
use crate::ecs::Error;
use crate::sim::clock::MotionClock;
use crate::sim::due;
use crate::sim::groups::Groups;
use crate::sim::restate::restate_all;

impl Simulation {
    /// How the motion of the cubes is computed.
    pub fn motion(&self) -> Motion {
        Groups::of(&self.world).motion
    }

    /// Sets how the motion of the cubes is computed. Every cube goes on from where it is.
    ///
    /// # Errors
    /// As for [`set_mode`](Self::set_mode).
    pub fn set_motion(&mut self, motion: Motion) -> Result<(), Error> {
        if motion == self.motion() {
            return Ok(());
        }
        restate_all(&mut self.world)?;
        let epoch = MotionClock::of(&self.world).epoch();
        Groups::replace(&mut self.world, motion, epoch)?;
        due::make_calendar(&mut self.world)?;
        // Frees the indices that arrays had while no group owned them.
        self.world.shrink_to(0);
        Ok(())
    }
}
