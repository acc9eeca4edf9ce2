//! System: a named step over the entities that have a signature, run in order.

use super::{Bundle, Entity, Error, Signature, World};

/// What a system is told when it runs.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// Time since the last run, in seconds; finite and not negative.
    pub dt: f32,
    /// The signature the system was added with; [`World::entities`] lists who has it.
    pub signature: Signature,
}

/// A step of the simulation. Any `FnMut(&mut World, Tick) -> Result<(), Error>` is one.
pub trait System: Send + Sync + 'static {
    /// Does the step.
    ///
    /// # Errors
    /// Whatever call on the world is refused; the systems behind this one do not run then.
    fn run(&mut self, world: &mut World, tick: Tick) -> Result<(), Error>;
}

impl<F> System for F
where
    F: FnMut(&mut World, Tick) -> Result<(), Error> + Send + Sync + 'static,
{
    fn run(&mut self, world: &mut World, tick: Tick) -> Result<(), Error> {
        self(world, tick)
    }
}

/// Name of a system of one world: its position in the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SystemId(usize);

/// One entry of the order.
pub(super) struct Scheduled {
    name: &'static str,
    signature: Signature,
    enabled: bool,
    /// Absent only while the system runs.
    system: Option<Box<dyn System>>,
}

impl World {
    /// Puts a system at the end of the order. The same system may be added again and then runs
    /// twice.
    ///
    /// `Required` names the components the system works on.
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn add_system<Required: Bundle>(
        &mut self,
        name: &'static str,
        system: impl System,
    ) -> Result<SystemId, Error> {
        let signature = self.signature_of::<Required>()?;
        self.systems.push(Scheduled {
            name,
            signature,
            enabled: true,
            system: Some(Box::new(system)),
        });
        Ok(SystemId(self.systems.len() - 1))
    }

    /// Switches a system on or off; one that is off is passed over. Does nothing if this world has
    /// no such system.
    pub fn set_system_enabled(&mut self, id: SystemId, enabled: bool) {
        if let Some(scheduled) = self.systems.get_mut(id.0) {
            scheduled.enabled = enabled;
        }
    }

    /// Names of the systems, in their order.
    pub fn system_names(&self) -> impl Iterator<Item = &'static str> {
        self.systems.iter().map(|scheduled| scheduled.name)
    }

    /// The entities a system works on, now. `None` if this world has no such system.
    #[must_use]
    pub fn system_entities(&self, id: SystemId) -> Option<impl Iterator<Item = Entity>> {
        let scheduled = self.systems.get(id.0)?;
        Some(self.entities(scheduled.signature))
    }

    /// Runs every system that is on once, in the order they were added; `dt` in seconds. A system
    /// added by another one runs in the same pass.
    ///
    /// # Errors
    /// `dt` is negative or not finite, in which case nothing runs; or the first error of a system.
    pub fn run(&mut self, dt: f32) -> Result<(), Error> {
        if !dt.is_finite() || dt < 0.0 {
            return Err(Error::InvalidTimeStep(dt));
        }
        let mut next = 0;
        while let Some(scheduled) = self.systems.get_mut(next) {
            let signature = scheduled.signature;
            // Taken out, so that it can be handed the world it belongs to.
            if scheduled.enabled
                && let Some(mut system) = scheduled.system.take()
            {
                let result = system.run(self, Tick { dt, signature });
                self.systems[next].system = Some(system);
                result?;
            }
            next += 1;
        }
        Ok(())
    }
}
