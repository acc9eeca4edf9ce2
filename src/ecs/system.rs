//! System: a named step over the entities that have a signature, run in order.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::stage::SliceSystem;
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
    /// How long its last run took; `None` before the first. Systems that run at once take their
    /// times side by side.
    pub time: Option<Duration>,
}

/// One entry of the order.
pub(super) struct Scheduled {
    pub(super) info: SystemInfo,
    pub(super) work: Work,
}

/// What a system works on, and the system.
pub(super) enum Work {
    /// The whole world. Absent only while the system runs.
    World(Option<Box<dyn System>>),
    /// The slices of a group.
    Slices(SliceSystem),
}

impl Scheduled {
    pub(super) fn is_due(&self, pass: Pass) -> bool {
        self.info.enabled && self.info.pass == pass
    }
}

impl World {
    /// Puts a system at the end of the order of [`run`](Self::run). The same system may be added
    /// again and then runs twice. It has the whole world and so runs alone; see
    /// [`add_slice_system`](Self::add_slice_system) for those that may run beside others.
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
        Ok(self.schedule(Pass::Update, name, signature, Work::World(Some(Box::new(system)))))
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
        let signature = self.signature_of::<Required>()?;
        Ok(self.schedule(Pass::Draw, name, signature, Work::World(Some(Box::new(system)))))
    }

    pub(super) fn schedule(
        &mut self,
        pass: Pass,
        name: &'static str,
        signature: Signature,
        work: Work,
    ) -> SystemId {
        let id = SystemId { world: self.id(), position: self.systems.len() };
        let info = SystemInfo { id, name, pass, signature, enabled: true, time: None };
        self.systems.push(Scheduled { info, work });
        id
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

    /// The entities a system works on, now: those that have its components, or the members of the
    /// group whose slices it works on.
    ///
    /// # Errors
    /// The system belongs to another world.
    pub fn system_entities(&self, id: SystemId) -> Result<impl Iterator<Item = Entity>, Error> {
        let Scheduled { info, work } = &self.systems[self.find_system(id)?];
        let (members, having) = match work {
            Work::Slices(system) => (Some(self.group_entities(system.group())?), None),
            Work::World(_) => (None, Some(self.entities(info.signature))),
        };
        Ok(members.into_iter().flatten().chain(having.into_iter().flatten()))
    }

    fn find_system(&self, id: SystemId) -> Result<usize, Error> {
        (id.world == self.id()).then_some(id.position).ok_or(Error::NoSuchSystem)
    }

    /// Runs every system of the update pass that is on once, in the order they were added; `dt` in
    /// seconds. Neighbours over slices may run at once, with the same result; see
    /// [`add_slice_system`](Self::add_slice_system). A system added by another one runs in the same
    /// pass.
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
        let mut next = 0;
        while let Some(scheduled) = self.systems.get_mut(next) {
            let due = scheduled.is_due(pass);
            let Work::World(system) = &mut scheduled.work else {
                next = if due { self.run_stage(next, pass, dt) } else { next + 1 };
                continue;
            };
            // Taken out, so that it can be handed the world it belongs to.
            if due && let Some(system) = system.take() {
                self.run_with_world(next, system, dt)?;
            }
            next += 1;
        }
        Ok(())
    }

    fn run_with_world(
        &mut self,
        position: usize,
        mut system: Box<dyn System>,
        dt: f32,
    ) -> Result<(), Error> {
        let world = self.id();
        let signature = self.systems[position].info.signature;
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| system.run(self, Tick { dt, signature })));
        if self.id() != world {
            // The system put another world in the place of the one it belongs to.
            return Err(Error::NoSuchSystem);
        }
        let scheduled = &mut self.systems[position];
        scheduled.info.time = Some(start.elapsed());
        scheduled.work = Work::World(Some(system));
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}
