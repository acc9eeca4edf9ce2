//! Systems as a world stores them, in the order in which they run.

use std::time::Duration;

use super::change_times::Checkpoint;
use super::exclusive::Exclusive;
use super::{Error, Signature, WorldId};

/// Arguments of one run of a system.
#[derive(Clone, Copy, Debug)]
pub struct SystemArgs {
    /// Time step in seconds, as given to [`World::run`](super::World::run); 0 in the draw pass.
    pub dt: f32,
    /// Signature that the system was added with. [`World::entities`](super::World::entities) lists
    /// the entities that have it.
    pub signature: Signature,
    /// End of the last run of this system, for [`Query::changed`](super::Query::changed) and
    /// [`Query::added`](super::Query::added); in the first run, everything is newer.
    pub last_run: Checkpoint,
}

/// Identifies a system of one world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SystemId {
    pub(super) world: WorldId,
    pub(super) number: u64,
}

/// The two passes of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Advances the simulation; run by [`World::run`](super::World::run).
    Update,
    /// Presents the state; run by [`World::draw`](super::World::draw).
    Draw,
}

/// Description of a system, and how its last run went.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo {
    /// Identifies the system in calls on its world.
    pub id: SystemId,
    /// Name that the system was added with; need not be unique.
    pub name: &'static str,
    /// Pass in which the system runs.
    pub pass: Pass,
    /// Components that the system works on.
    pub signature: Signature,
    /// A disabled system is skipped.
    pub enabled: bool,
    /// Duration of the last run; `None` before the first run.
    pub time: Option<Duration>,
    /// Error that it returned in the latest pass. Several systems have one only if a system ran a pass itself and another
    /// one failed in that pass.
    pub error: Option<Error>,
    /// Whether it panicked in the latest pass.
    pub panicked: bool,
}

/// The code of a system. `W` is the world; as a parameter it keeps this file below that type.
pub(super) type RunSystem<W> = Box<dyn FnMut(&mut W, SystemArgs) -> Result<(), Error> + Send>;

/// One entry of the schedule.
pub(super) struct Scheduled<W> {
    pub(super) info: SystemInfo,
    pub(super) last_run: Checkpoint,
    /// `None` while the system runs, and after it has replaced its world.
    pub(super) run: Exclusive<Option<RunSystem<W>>>,
}
