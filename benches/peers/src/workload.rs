//! The workloads, the trait that each library implements, and the time measurement.

use std::hint::black_box;

use rustix::time::{ClockId, clock_gettime};

/// A timed section lasts at least this many nanoseconds; shorter work is repeated.
const SHORTEST: i64 = 2_000_000;

/// A workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Workload {
    Integrate,
    IntegrateFields,
    CreateEach,
    CreateBatch,
    DestroyEach,
    DestroyBatch,
    ReplaceGrouped,
    ToggleMarker,
    GetHoisted,
    GetPerCall,
    Fragmented,
    Flip,
    LoopOne,
    LoopTwo,
    EachOne,
    EachTwo,
}

impl Workload {
    pub(crate) const ALL: [Self; 16] = [
        Self::Integrate,
        Self::IntegrateFields,
        Self::CreateEach,
        Self::CreateBatch,
        Self::DestroyEach,
        Self::DestroyBatch,
        Self::ReplaceGrouped,
        Self::ToggleMarker,
        Self::GetHoisted,
        Self::GetPerCall,
        Self::Fragmented,
        Self::Flip,
        Self::LoopOne,
        Self::LoopTwo,
        Self::EachOne,
        Self::EachTwo,
    ];

    /// Returns the short name for `--only`, and a description.
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Integrate => ("a", "integrate"),
            Self::IntegrateFields => ("af", "integrate, an array per field"),
            Self::CreateEach => ("b1", "create one by one"),
            Self::CreateBatch => ("bb", "create in a batch"),
            Self::DestroyEach => ("c1", "destroy shuffled, one by one"),
            Self::DestroyBatch => ("cb", "destroy shuffled, in a batch"),
            Self::ReplaceGrouped => ("d1", "remove + add a grouped component"),
            Self::ToggleMarker => ("dm", "add + remove a marker"),
            Self::GetHoisted => ("e1", "get shuffled, hoisted view"),
            Self::GetPerCall => ("e2", "get shuffled, per call"),
            Self::Fragmented => ("f", "26 kinds, iterate what they share"),
            Self::Flip => ("g", "flip: take two from all, give to one, back"),
            Self::LoopOne => ("q1", "loop over a query of one component"),
            Self::LoopTwo => ("q2", "loop over a query of two components"),
            Self::EachOne => ("q1e", "`for_each` over a query of one component"),
            Self::EachTwo => ("q2e", "`for_each` over a query of two components"),
        }
    }
}

/// A library to measure.
pub(crate) trait Subject {
    /// Name of the crate, as in Cargo.lock.
    fn name(&self) -> &'static str;

    /// Nanoseconds per entity; `None` if the library has no such operation.
    fn measure(&self, workload: Workload, count: usize) -> Option<f64>;
}

/// Returns the CPU time of this thread in nanoseconds, which excludes other load.
fn now() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Measures repeatable work, in nanoseconds per entity and run.
pub(crate) fn repeated(count: usize, mut work: impl FnMut()) -> f64 {
    work();
    let mut runs = 1;
    loop {
        let start = now();
        for _ in 0..runs {
            work();
        }
        let spent = now() - start;
        if spent >= SHORTEST {
            return per_entity(spent, runs, count);
        }
        runs *= 2;
    }
}

/// Measures work that needs a new state each time, in nanoseconds per entity and run. Creating the state
/// and dropping the result of `work` are not counted.
pub(crate) fn fresh<S, R>(
    count: usize,
    mut set_up: impl FnMut() -> S,
    mut work: impl FnMut(S) -> R,
) -> f64 {
    let (mut spent, mut runs) = (0, 0);
    while spent < SHORTEST {
        let state = set_up();
        let start = now();
        let result = work(state);
        spent += now() - start;
        runs += 1;
        black_box(result);
    }
    per_entity(spent, runs, count)
}

fn per_entity(spent: i64, runs: usize, count: usize) -> f64 {
    spent as f64 / (runs * count) as f64
}

/// Returns the handles in a random order that is the same in every run (xorshift, Fisher-Yates).
pub(crate) fn shuffled<T: Clone>(handles: &[T]) -> Vec<T> {
    let mut handles = handles.to_vec();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..handles.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        handles.swap(last, (state % (last as u64 + 1)) as usize);
    }
    handles
}

/// Reads one number of an element: the cheapest operation that needs the element.
#[inline]
pub(crate) fn read(sum: &mut f32, transform: &crate::components::Transform) {
    *sum += transform.position[0];
}
