//! Stage: successive systems over slices of which none changes what another one uses, run at once.
//!
//! ```text
//! order    steer         fall          fade     (world)   age
//!          &mut Speed    &mut Height   &mut Hue  spawn     &mut Age
//!          &Wind         &Speed        &Age
//!
//! stages   [ steer ]  [ fall | fade ]  [ spawn ]  [ age ]
//! ```
//!
//! Such systems get no more than the arrays they name, each lent to its one writer or to all who
//! read it. So which of them ran first cannot be told from the result, and no lock is needed.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;
use std::time::Instant;

use super::column::Column;
use super::group::{self, Group};
use super::loan::Loans;
use super::system::{Scheduled, Work};
use super::{Error, GroupId, Pass, Signature, SystemId, Terms, Tick, World, term};

/// A system over the slices of a group.
pub(super) struct SliceSystem {
    group: GroupId,
    written: Signature,
    run: Box<Run>,
}

/// Is given the arrays, and how many elements of each belong to the group.
type Run = dyn FnMut(Loans<'_>, usize, Tick) + Send + Sync;

impl SliceSystem {
    pub(super) fn group(&self) -> GroupId {
        self.group
    }
}

impl World {
    /// Puts a system at the end of the order of [`run`](Self::run) that works on the slices of a
    /// group and on nothing else: `add_slice_system::<(&mut A, &B)>(name, group, system)` calls
    /// `system((&mut [A], &[B]), tick)`, with slices as of [`slices_mut`](Self::slices_mut). It has
    /// no call on the world that could be refused, so it returns nothing.
    ///
    /// Successive systems of this kind form a stage for as long as none changes what another one
    /// reads or changes; systems that are off, or of the other pass, do not count. With the feature
    /// `parallel` those of one stage run at once, on the threads of the current rayon pool; without
    /// it, or with one thread, in their order. The result is the same.
    ///
    /// A stage of one system never leaves the thread. One of several costs about 5 µs if the thread
    /// that calls [`run`](Self::run) is not of the pool (see `rayon::ThreadPool::install`), and
    /// much less if it is: worth it from some ten thousand entities on. Nothing is allocated, but
    /// what rayon itself needs to hand work over to a pool.
    ///
    /// If one panics, the others of its stage still run to their end, and those behind it do not;
    /// of several panics, that of the first system in the order goes on.
    ///
    /// # Errors
    /// A component is unknown or named twice, the group belongs to another world or does not own a
    /// component that is named.
    pub fn add_slice_system<Q: Terms + 'static>(
        &mut self,
        name: &'static str,
        group: GroupId,
        system: impl FnMut(Q::Views<'_>, Tick) + Send + Sync + 'static,
    ) -> Result<SystemId, Error> {
        self.schedule_slices::<Q>(Pass::Update, name, group, system)
    }

    /// As [`add_slice_system`](Self::add_slice_system), for the order of [`draw`](Self::draw).
    ///
    /// # Errors
    /// As for [`add_slice_system`](Self::add_slice_system).
    pub fn add_draw_slice_system<Q: Terms + 'static>(
        &mut self,
        name: &'static str,
        group: GroupId,
        system: impl FnMut(Q::Views<'_>, Tick) + Send + Sync + 'static,
    ) -> Result<SystemId, Error> {
        self.schedule_slices::<Q>(Pass::Draw, name, group, system)
    }

    fn schedule_slices<Q: Terms + 'static>(
        &mut self,
        pass: Pass,
        name: &'static str,
        group: GroupId,
        mut system: impl FnMut(Q::Views<'_>, Tick) + Send + Sync + 'static,
    ) -> Result<SystemId, Error> {
        let types = Q::types(&self.columns)?;
        let signature = term::signature(&self.columns, types.as_ref())?;
        self.check_owned(group, signature)?;
        let written = Q::written(&types);
        let run = move |loans: Loans<'_>, len: usize, tick: Tick| {
            system(Q::split_at(Q::lent_views(loans, &types), len).0, tick);
        };
        let system = SliceSystem { group, written, run: Box::new(run) };
        Ok(self.schedule(pass, name, signature, Work::Slices(system)))
    }

    /// Runs the stage that begins with the system at position `first`; returns where it ends.
    pub(super) fn run_stage(&mut self, first: usize, pass: Pass, dt: f32) -> usize {
        let Self { systems, columns, groups, .. } = self;
        let stage = Stage::at_front_of(&systems[first..], groups, pass, dt);
        let end = first + stage.len;
        let result = stage.run(&mut systems[first..end], columns);
        result.unwrap_or_else(|panic| resume_unwind(panic));
        end
    }
}

/// What the systems of a stage have in common.
struct Stage<'w> {
    groups: &'w [Group],
    pass: Pass,
    dt: f32,
    /// How far it reaches in the order, counting systems that are passed over.
    len: usize,
    members: usize,
    used: Signature,
    written: Signature,
}

impl<'w> Stage<'w> {
    fn at_front_of(systems: &[Scheduled], groups: &'w [Group], pass: Pass, dt: f32) -> Self {
        let (used, written) = (Signature::EMPTY, Signature::EMPTY);
        let mut stage = Self { groups, pass, dt, len: 0, members: 0, used, written };
        let due = systems.iter().enumerate().filter(|(_, system)| system.is_due(pass));
        for (position, system) in due {
            let Work::Slices(SliceSystem { written, .. }) = system.work else { break };
            let used = system.info.signature;
            if !written.is_disjoint(stage.used) || !used.is_disjoint(stage.written) {
                break;
            }
            stage.len = position + 1;
            stage.members += 1;
            stage.used = stage.used.union(used);
            stage.written = stage.written.union(written);
        }
        stage
    }

    fn run(&self, systems: &mut [Scheduled], columns: &mut [Column]) -> thread::Result<()> {
        #[cfg(feature = "parallel")]
        if self.members > 1 && rayon::current_num_threads() > 1 {
            return self.run_at_once(systems, Loans::of(columns, self.written));
        }
        let mut result = Ok(());
        for system in systems {
            let loans = Loans::of(columns, self.written_by(system));
            result = result.and(self.run_one(system, loans));
        }
        result
    }

    /// Halves the systems until one is left, and runs the halves side by side.
    #[cfg(feature = "parallel")]
    fn run_at_once(&self, systems: &mut [Scheduled], mut loans: Loans<'_>) -> thread::Result<()> {
        if let [system] = systems {
            return self.run_one(system, loans);
        }
        let (front, back) = systems.split_at_mut(systems.len() / 2);
        let written = back.iter().map(|system| self.written_by(system));
        let lent_to_back = loans.part(written.fold(Signature::EMPTY, Signature::union));
        let (front, back) =
            rayon::join(|| self.run_at_once(front, loans), || self.run_at_once(back, lent_to_back));
        front.and(back)
    }

    fn written_by(&self, system: &Scheduled) -> Signature {
        match &system.work {
            Work::Slices(slices) if system.is_due(self.pass) => slices.written,
            _ => Signature::EMPTY,
        }
    }

    /// Runs one system, unless it is passed over; a panic is caught, so that the others can finish.
    fn run_one(&self, system: &mut Scheduled, loans: Loans<'_>) -> thread::Result<()> {
        let due = system.is_due(self.pass);
        let Scheduled { info, work: Work::Slices(slices) } = system else { return Ok(()) };
        if !due {
            return Ok(());
        }
        let group = group::find(self.groups, slices.group).expect("groups are never taken away");
        let tick = Tick { dt: self.dt, signature: info.signature };
        let start = Instant::now();
        let run = AssertUnwindSafe(|| (slices.run)(loans, group.len(), tick));
        let result = catch_unwind(run);
        info.time = Some(start.elapsed());
        result
    }
}
