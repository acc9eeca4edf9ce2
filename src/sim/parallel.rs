//! Work on all threads of the current pool.

use crate::ecs::{Error, GroupId, Terms, World};

/// Items of one task of a thread, at least: enough work to outweigh the cost of handing it over.
#[cfg(parallel)]
const TASK: usize = 512;

/// Replaces `results` by those of `work` for each index below `count`, in order. Without the feature
/// `parallel` on this thread.
pub(super) fn map<R: Send>(
    count: usize,
    results: &mut Vec<R>,
    work: impl Fn(usize) -> R + Sync + Send,
) {
    #[cfg(parallel)]
    if count > TASK {
        use rayon::prelude::*;
        return (0..count).into_par_iter().with_min_len(TASK).map(work).collect_into_vec(results);
    }
    results.clear();
    results.extend((0..count).map(work));
}

/// Calls `work` for chunks of a group's slices, on all threads of the current pool. Without the
/// feature `parallel` there is one chunk.
pub(super) fn for_each_chunk<Q: Terms>(
    world: &mut World,
    group: GroupId,
    #[cfg_attr(not(parallel), expect(unused_variables, reason = "one chunk"))] size: usize,
    work: impl Fn(Q::Slices<'_>) + Sync,
) -> Result<(), Error> {
    let group = world.group_mut(group)?;
    #[cfg(parallel)]
    group.par_for_each_chunk::<Q>(size, work);
    #[cfg(not(parallel))]
    work(group.slices_mut::<Q>());
    Ok(())
}
