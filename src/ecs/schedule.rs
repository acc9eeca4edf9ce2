//! The schedule of a world: adding systems, enabling them and running both passes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::change_times::Checkpoint;
use super::exclusive::Exclusive;
use super::system::Scheduled;
use super::{Bundle, Error, Pass, SystemArgs, SystemId, SystemInfo, World};
use crate::time::Instant;

/// A function that a world runs in a pass. Every `FnMut(&mut World, SystemArgs)` that returns `()` or `Result<(), Error>`
/// is a system, and so is a `Box<dyn System>`. A closure must name the type of its world: `|world: &mut World, _|`.
///
/// To run a system only sometimes, [disable](ScheduleMut::set_enabled) it: then it sees later what changed in the meantime. A
/// system around another one can do the same, with a checkpoint of its own:
///
/// ```
/// use cubefall::ecs::{Checkpoint, System, SystemArgs, World};
///
/// fn run_if(condition: impl Fn(&World) -> bool + Send + 'static, mut system: impl System) -> impl System {
///     let mut last_run = Checkpoint::default();
///     move |world: &mut World, args: SystemArgs| {
///         if !condition(world) {
///             return Ok(());
///         }
///         let result = system.run(world, SystemArgs { last_run, ..args });
///         last_run = world.checkpoint();
///         result
///     }
/// }
/// # use cubefall::ecs::Pass;
/// # use std::sync::{Arc, atomic::{AtomicU32, Ordering}};
/// # struct Paused(bool);
/// # let mut world = World::new();
/// # world.track_changes::<u32>();
/// # world.spawn((1_u32,));
/// # world.resources_mut().insert(Paused(true));
/// # let seen = Arc::new(AtomicU32::new(0));
/// # let count = Arc::clone(&seen);
/// # let system = move |world: &mut World, args: SystemArgs| {
/// #     let changed = world.query::<&u32>().changed::<u32>(args.last_run).iter().count();
/// #     count.fetch_add(changed as u32, Ordering::Relaxed);
/// # };
/// # let system = run_if(|world: &World| !world.resource::<Paused>().0, system);
/// # world.schedule_mut().add_system::<()>(Pass::Update, "count", system);
/// # for (paused, total) in [(true, 0), (false, 1), (false, 1)] {
/// #     world.resource_mut::<Paused>().0 = paused;
/// #     world.run(0.0).unwrap();
/// #     assert_eq!(seen.load(Ordering::Relaxed), total);
/// # }
/// ```
pub trait System: Send + 'static {
    /// Runs the system once.
    ///
    /// # Errors
    /// Any error of a call on the world. The systems after this one then do not run in this pass.
    fn run(&mut self, world: &mut World, args: SystemArgs) -> Result<(), Error>;
}

/// Return type of a function that is a [`System`] or given to [`Commands::queue`](super::Commands::queue): `()` or
/// `Result<(), Error>`.
#[diagnostic::on_unimplemented(
    message = "a system or a queued command cannot return `{Self}`",
    note = "it returns `()` or `Result<(), cubefall::ecs::Error>`: keep another error in a resource; a closure that never returns names \
            its type: `-> ()`"
)]
pub trait SystemOutput {
    #[doc(hidden)]
    fn into_result(self) -> Result<(), Error>;
}

impl SystemOutput for () {
    fn into_result(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SystemOutput for Result<(), Error> {
    fn into_result(self) -> Self {
        self
    }
}

impl<F, R: SystemOutput> System for F
where
    F: FnMut(&mut World, SystemArgs) -> R + Send + 'static,
{
    fn run(&mut self, world: &mut World, args: SystemArgs) -> Result<(), Error> {
        self(world, args).into_result()
    }
}

impl System for Box<dyn System> {
    fn run(&mut self, world: &mut World, args: SystemArgs) -> Result<(), Error> {
        self.as_mut().run(world, args)
    }
}

/// The systems of a world; returned by [`World::schedule`].
#[derive(Clone, Copy, Debug)]
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
    /// The system was removed, or belongs to another world.
    pub fn get(self, id: SystemId) -> Result<&'w SystemInfo, Error> {
        Ok(&self.world.systems[self.world.system_position(id)?].info)
    }
}

/// Changes the systems of a world; returned by [`World::schedule_mut`].
#[derive(Debug)]
pub struct ScheduleMut<'w> {
    world: &'w mut World,
}

impl ScheduleMut<'_> {
    /// Adds a system at the end of a pass. A system that is added twice runs twice.
    ///
    /// `Required` names the components that the system works on, for [`SystemArgs::signature`] and
    /// [`SystemInfo::signature`]. It restricts nothing: the system also runs if no entity matches, and may use other components.
    /// Write `add_system::<(A,)>` for one component, and `add_system::<()>` for a system without any, such as one
    /// that works on resources.
    #[cfg_attr(not(web), track_caller)]
    pub fn add_system<Required: Bundle>(
        &mut self,
        pass: Pass,
        name: &'static str,
        mut system: impl System,
    ) -> SystemId {
        let signature = self.world.signature_of::<Required>();
        let id = SystemId { world: self.world.id(), number: self.world.systems_added };
        self.world.systems_added += 1;
        let info = SystemInfo {
            id,
            name,
            pass,
            signature,
            enabled: true,
            time: None,
            error: None,
            panicked: false,
        };
        let run = Box::new(move |world: &mut World, args: SystemArgs| system.run(world, args));
        let last_run = Checkpoint::default();
        self.world.systems.push(Scheduled { info, last_run, run: Exclusive::new(Some(run)) });
        id
    }

    /// Removes a system. One that is running finishes its run.
    ///
    /// # Errors
    /// The system was removed before, or belongs to another world.
    pub fn remove(&mut self, id: SystemId) -> Result<(), Error> {
        let position = self.world.system_position(id)?;
        self.world.systems.remove(position);
        Ok(())
    }

    /// Enables or disables a system. A disabled system is skipped.
    ///
    /// # Errors
    /// The system was removed, or belongs to another world.
    pub fn set_enabled(&mut self, id: SystemId, enabled: bool) -> Result<(), Error> {
        let position = self.world.system_position(id)?;
        self.world.systems[position].info.enabled = enabled;
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

    fn system_position(&self, id: SystemId) -> Result<usize, Error> {
        let own = id.world == self.id();
        let position = self.systems.binary_search_by_key(&id.number, |it| it.info.id.number);
        position.ok().filter(|_| own).ok_or(Error::NoSuchSystem)
    }

    /// Runs all enabled systems of the update pass once, in order, with a time step of `dt`
    /// seconds. A system that another system adds runs in the same pass. A system may run a pass itself. That pass skips
    /// the systems that are running, and the system that ran it does not see its changes as new in its own next run.
    ///
    /// # Errors
    /// The first error of a system, which ends the pass ([`SystemInfo::error`] tells of which system). Or
    /// [`Error::NoSuchSystem`]: a system has replaced this world by another one, which lacks the system. Replace worlds
    /// between passes: the replaced world skips that system from then on.
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
        for scheduled in &mut self.systems {
            (scheduled.info.error, scheduled.info.panicked) = (None, false);
        }
        let mut next = 0;
        // By number, because a system may remove itself or others.
        loop {
            let position = self.systems.partition_point(|it| it.info.id.number < next);
            let Some(scheduled) = self.systems.get(position) else { return Ok(()) };
            let info = scheduled.info;
            if info.enabled && info.pass == pass {
                self.run_system(position, dt)?;
            }
            next = info.id.number + 1;
        }
    }

    fn run_system(&mut self, position: usize, dt: f32) -> Result<(), Error> {
        let Scheduled { info, last_run, run } = &mut self.systems[position];
        let id = info.id;
        let args = SystemArgs { dt, signature: info.signature, last_run: *last_run };
        // Taken out because the system borrows the whole world. `None`: the system runs already
        // and has called `World::run` itself.
        let Some(mut run) = run.get_mut().take() else { return Ok(()) };
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| run(self, args)));
        let time = start.elapsed();
        let end = self.checkpoint();
        // The system may have removed itself, or replaced this world by another one.
        if let Ok(position) = self.system_position(id) {
            let scheduled = &mut self.systems[position];
            scheduled.info.time = Some(time);
            scheduled.info.error = result.as_ref().ok().and_then(|result| result.err());
            scheduled.info.panicked = result.is_err();
            scheduled.last_run = end;
            scheduled.run = Exclusive::new(Some(run));
        }
        let replaced = if self.id() == id.world { Ok(()) } else { Err(Error::NoSuchSystem) };
        result.unwrap_or_else(|panic| resume_unwind(panic)).and(replaced)
    }
}
