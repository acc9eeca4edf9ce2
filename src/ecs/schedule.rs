//! The schedule of a world: adding systems, enabling them and running both passes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

use super::system::Scheduled;
use super::{Bundle, Error, Pass, SystemId, SystemInfo, Tick, World};

/// A step of the simulation. Every `FnMut(&mut World, Tick) -> Result<(), Error>` is a system.
pub trait System: Send + Sync + 'static {
    /// Runs the step once.
    ///
    /// # Errors
    /// Any error of a call on the world. The systems after this one then do not run in this pass.
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

/// The systems of a world; returned by [`World::schedule`].
#[derive(Clone, Copy)]
pub struct Schedule<'w> {
    world: &'w World,
}

impl<'w> Schedule<'w> {
    /// Returns all systems of both passes, in the order in which they were added.
    pub fn systems(self) -> impl ExactSizeIterator<Item = &'w SystemInfo> {
        self.world.systems.iter().map(|scheduled| &scheduled.info)
    }

    /// Returns one system.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn get(self, id: SystemId) -> Result<&'w SystemInfo, Error> {
        let scheduled = self.world.systems.get(id.position);
        let own = scheduled.filter(|scheduled| scheduled.info.id == id);
        Ok(&own.ok_or(Error::NoSuchSystem)?.info)
    }
}

/// Changes the systems of a world; returned by [`World::schedule_mut`].
pub struct ScheduleMut<'w> {
    world: &'w mut World,
}

impl ScheduleMut<'_> {
    /// Adds a system at the end of a pass. A system that is added twice runs twice.
    ///
    /// `Required` names the components that the system works on.
    ///
    /// # Errors
    /// A component is not registered or named twice.
    pub fn add_system<Required: Bundle>(
        &mut self,
        pass: Pass,
        name: &'static str,
        mut system: impl System,
    ) -> Result<SystemId, Error> {
        let signature = self.world.signature_of::<Required>()?;
        let id = SystemId { world: self.world.id(), position: self.world.systems.len() };
        let info = SystemInfo { id, name, pass, signature, enabled: true, time: None };
        let run = Box::new(move |world: &mut World, tick: Tick| system.run(world, tick));
        self.world.systems.push(Scheduled { info, run: Some(run) });
        Ok(id)
    }

    /// Enables or disables a system. A disabled system is skipped.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn set_enabled(&mut self, id: SystemId, enabled: bool) -> Result<(), Error> {
        self.world.schedule().get(id)?;
        self.world.systems[id.position].info.enabled = enabled;
        Ok(())
    }
}

impl World {
    /// Returns the systems of this world.
    pub fn schedule(&self) -> Schedule<'_> {
        Schedule { world: self }
    }

    /// Returns the systems of this world, for changing them.
    pub fn schedule_mut(&mut self) -> ScheduleMut<'_> {
        ScheduleMut { world: self }
    }

    /// Runs all enabled systems of the update pass once, in order, with a time step of `dt`
    /// seconds. A system that another system adds runs in the same pass.
    ///
    /// # Errors
    /// The first error of a system, which ends the pass; or a system has replaced this world by
    /// another one.
    pub fn run(&mut self, dt: f32) -> Result<(), Error> {
        self.run_pass(Pass::Update, dt)
    }

    /// Runs all enabled systems of the draw pass once, in order, with a time step of 0.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn draw(&mut self) -> Result<(), Error> {
        self.run_pass(Pass::Draw, 0.0)
    }

    fn run_pass(&mut self, pass: Pass, dt: f32) -> Result<(), Error> {
        let mut next = 0;
        while let Some(scheduled) = self.systems.get_mut(next) {
            if scheduled.info.enabled && scheduled.info.pass == pass {
                self.run_system(next, dt)?;
            }
            next += 1;
        }
        Ok(())
    }

    fn run_system(&mut self, position: usize, dt: f32) -> Result<(), Error> {
        let Scheduled { info, run } = &mut self.systems[position];
        let (id, tick) = (info.id, Tick { dt, signature: info.signature });
        // Taken out because the system borrows the whole world. `None`: the system runs already
        // and has called `World::run` itself.
        let Some(mut run) = run.take() else { return Ok(()) };
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| run(self, tick)));
        let time = start.elapsed();
        // The system may have replaced this world by another one.
        let replaced = self.schedule().get(id).map(drop);
        if replaced.is_ok() {
            let scheduled = &mut self.systems[position];
            scheduled.info.time = Some(time);
            scheduled.run = Some(run);
        }
        result.unwrap_or_else(|panic| resume_unwind(panic)).and(replaced)
    }
}
