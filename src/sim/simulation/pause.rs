//! Pauses, and which systems are enabled.

use super::{GROUPS, SYSTEM, Simulation};
use crate::ecs::{Error, SystemId};
use crate::sim::due;
use crate::sim::evaluation::StoppedSpin;
use crate::sim::restate::restate_all;
use crate::sim::time_step::TimeStep;

impl Simulation {
    /// Returns `true` while the simulation is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Pauses or resumes physics, drag, spin, lifecycle, color, and what moves the camera by itself.
    pub fn set_paused(&mut self, paused: bool) {
        if paused == self.paused {
            return;
        }
        self.paused = paused;
        if paused {
            self.stopped = self.pausable.map(|system| self.is_enabled(system));
        }
        for (system, was_stopped) in self.pausable.into_iter().zip(self.stopped) {
            if was_stopped {
                self.world.schedule_mut().set_enabled(system, !paused).expect(SYSTEM);
            }
        }
        if !paused {
            self.set_turning(self.is_enabled(self.spin)).expect(GROUPS);
        }
    }

    /// Makes one step during a pause: of everything that the pause has stopped, too.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn step_in_pause(&mut self, dt: TimeStep) -> Result<(), Error> {
        if !self.paused {
            return self.step(dt);
        }
        let (stopped, enabled) = (self.stopped, self.pausable.map(|it| self.is_enabled(it)));
        self.set_paused(false);
        let result = self.step(dt);
        self.set_paused(true);
        self.stopped = stopped;
        for (system, was_enabled) in self.pausable.into_iter().zip(enabled) {
            if was_enabled {
                self.set_system_enabled(system, true)?;
            }
        }
        result
    }

    pub(super) fn is_enabled(&self, system: SystemId) -> bool {
        self.world.schedule().get(system).expect(SYSTEM).enabled
    }

    /// Returns `true` while a system that a pause stops is enabled.
    pub fn advances(&self) -> bool {
        self.pausable.iter().any(|&system| self.is_enabled(system))
    }

    /// Returns whether evaluated motion turns cubes.
    pub(super) fn turns(&self) -> bool {
        self.world.resources().get::<StoppedSpin>().is_none()
    }

    /// Sets whether evaluated motion turns cubes, as the system that is enabled for this does with integrated
    /// motion. They keep their current rotations.
    pub(super) fn set_turning(&mut self, turning: bool) -> Result<(), Error> {
        if turning == self.turns() {
            return Ok(());
        }
        restate_all(&mut self.world)?;
        if turning {
            self.world.resources_mut().remove::<StoppedSpin>();
        } else {
            self.world.resources_mut().insert(StoppedSpin);
        }
        due::make_calendar(&mut self.world)
    }

    /// Enables or disables a system of the [world](Self::world). The end of a pause enables all
    /// systems that it stopped.
    ///
    /// With evaluated motion, and in a scene that rewinds, disabling physics stops the clock, and so spin as well.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn set_system_enabled(&mut self, system: SystemId, enabled: bool) -> Result<(), Error> {
        self.world.schedule_mut().set_enabled(system, enabled)?;
        // For physics, too: a pause disables both, and cubes of which only physics is enabled again must not turn.
        if system != self.physics && system != self.spin {
            return Ok(());
        }
        self.set_turning(self.is_enabled(self.spin))
    }
}
