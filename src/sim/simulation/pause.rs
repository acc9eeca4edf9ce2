//! Pauses, and which systems are enabled.

use super::{GROUPS, PAUSABLE, SYSTEM, Simulation};
use crate::ecs::{Error, SystemId};
use crate::sim::due;
use crate::sim::evaluation::StoppedSpin;
use crate::sim::restate::restate_all;
use crate::sim::time_step::TimeStep;

impl Simulation {
    /// Returns `true` while the simulation is paused.
    pub fn is_paused(&self) -> bool {
        self.stopped.is_some()
    }

    /// Pauses or resumes physics, drag, spin, lifecycle, color, and what moves the camera by itself.
    pub fn set_paused(&mut self, paused: bool) {
        match self.stopped {
            None if paused => {
                let running = self.pausable.map(|system| self.is_enabled(system));
                self.set_pausable_enabled(running, false);
                self.stopped = Some(running);
            }
            Some(stopped) if !paused => {
                self.set_pausable_enabled(stopped, true);
                self.stopped = None;
                self.set_turning(self.is_enabled(self.spin)).expect(GROUPS);
            }
            _ => {}
        }
    }

    /// Enables or disables some of the systems that a pause stops.
    fn set_pausable_enabled(&mut self, which: [bool; PAUSABLE], enabled: bool) {
        for (system, _) in self.pausable.into_iter().zip(which).filter(|(_, selected)| *selected) {
            self.world.schedule_mut().set_enabled(system, enabled).expect(SYSTEM);
        }
    }

    /// Makes one step during a pause: of everything that the pause has stopped, too.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    pub fn step_in_pause(&mut self, dt: TimeStep) -> Result<(), Error> {
        let Some(stopped) = self.stopped else { return self.step(dt) };
        let enabled = self.pausable.map(|it| self.is_enabled(it));
        self.set_paused(false);
        let result = self.step(dt);
        self.set_paused(true);
        self.stopped = Some(stopped);
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
