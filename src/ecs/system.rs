//! System: a named step over the entities that have a signature, run in order.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::{Bundle, Entity, Error, Signature, World, WorldId};

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
pub struct SystemId {
    world: WorldId,
    position: usize,
}

/// When a system runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// In [`World::run`]: it moves the world on.
    Update,
    /// In [`World::draw`]: it shows the world, which stands still.
    Draw,
}

/// What is known of a system.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo {
    /// By which calls on the world know it.
    pub id: SystemId,
    /// As it was added.
    pub name: &'static str,
    /// When it runs.
    pub pass: Pass,
    /// The components it works on.
    pub signature: Signature,
    /// Whether it runs at all.
    pub enabled: bool,
    /// How long its last run took; `None` before the first.
    pub time: Option<Duration>,
}

/// One entry of the order.
pub(super) struct Scheduled {
    info: SystemInfo,
    /// Absent only while the system runs.
    system: Option<Box<dyn System>>,
}

impl World {
    /// Puts a system at the end of the order of [`run`](Self::run). The same system may be added
    /// again and then runs twice.
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
        self.schedule::<Required>(Pass::Update, name, Box::new(system))
    }

    /// As [`add_system`](Self::add_system), for the order of [`draw`](Self::draw).
    ///
    /// # Errors
    /// A component is unknown or named twice.
    pub fn add_draw_system<Required: Bundle>(
        &mut self,
        name: &'static str,
        system: impl System,
    ) -> Result<SystemId, Error> {
        self.schedule::<Required>(Pass::Draw, name, Box::new(system))
    }

    fn schedule<Required: Bundle>(
        &mut self,
        pass: Pass,
        name: &'static str,
        system: Box<dyn System>,
    ) -> Result<SystemId, Error> {
        let signature = self.signature_of::<Required>()?;
        let id = SystemId { world: self.id(), position: self.systems.len() };
        let info = SystemInfo { id, name, pass, signature, enabled: true, time: None };
        self.systems.push(Scheduled { info, system: Some(system) });
        Ok(id)
    }

    /// Switches a system on or off; one that is off is passed over.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn set_system_enabled(&mut self, id: SystemId, enabled: bool) -> Result<(), Error> {
        let position = self.find_system(id)?;
        self.systems[position].info.enabled = enabled;
        Ok(())
    }

    /// The systems, in their order.
    #[must_use]
    pub fn systems(&self) -> impl ExactSizeIterator<Item = &SystemInfo> {
        self.systems.iter().map(|scheduled| &scheduled.info)
    }

    /// The entities a system works on, now.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn system_entities(&self, id: SystemId) -> Result<impl Iterator<Item = Entity>, Error> {
        let position = self.find_system(id)?;
        Ok(self.entities(self.systems[position].info.signature))
    }

    fn find_system(&self, id: SystemId) -> Result<usize, Error> {
        (id.world == self.id()).then_some(id.position).ok_or(Error::NoSuchSystem)
    }

    /// Runs every system of the update pass that is on once, in the order they were added; `dt` in
    /// seconds. A system added by another one runs in the same pass.
    ///
    /// # Errors
    /// `dt` is negative or not finite, in which case nothing runs; the first error of a system; or
    /// a system has put another world in the place of this one.
    pub fn run(&mut self, dt: f32) -> Result<(), Error> {
        self.run_pass(Pass::Update, dt)
    }

    /// Runs the systems of the draw pass, as [`run`](Self::run) does; no time goes by.
    ///
    /// # Errors
    /// The first error of a system.
    pub fn draw(&mut self) -> Result<(), Error> {
        self.run_pass(Pass::Draw, 0.0)
    }

    fn run_pass(&mut self, pass: Pass, dt: f32) -> Result<(), Error> {
        if !dt.is_finite() || dt < 0.0 {
            return Err(Error::InvalidTimeStep(dt));
        }
        let (mut next, world) = (0, self.id());
        while let Some(scheduled) = self.systems.get_mut(next) {
            let SystemInfo { signature, enabled, .. } = scheduled.info;
            // Taken out, so that it can be handed the world it belongs to.
            if enabled
                && scheduled.info.pass == pass
                && let Some(mut system) = scheduled.system.take()
            {
                let start = Instant::now();
                let run = AssertUnwindSafe(|| system.run(self, Tick { dt, signature }));
                let result = catch_unwind(run);
                if self.id() != world {
                    // The system put another world in the place of the one it belongs to.
                    return Err(Error::NoSuchSystem);
                }
                let scheduled = &mut self.systems[next];
                scheduled.info.time = Some(start.elapsed());
                scheduled.system = Some(system);
                result.unwrap_or_else(|panic| resume_unwind(panic))?;
            }
            next += 1;
        }
        Ok(())
    }
}
