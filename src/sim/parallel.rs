//! Work on all threads of the current pool.

/// Items of one task of a thread, at least: enough work to outweigh the cost of handing it over.
#[cfg(feature = "parallel")]
const TASK: usize = 512;

/// Replaces `results` by those of `work` for each index below `count`, in order. Without the feature
/// `parallel` on this thread.
pub(super) fn map<R: Send>(
    count: usize,
    results: &mut Vec<R>,
    work: impl Fn(usize) -> R + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if count > TASK {
        use rayon::prelude::*;
        return (0..count).into_par_iter().with_min_len(TASK).map(work).collect_into_vec(results);
    }
    results.clear();
    results.extend((0..count).map(work));
}
