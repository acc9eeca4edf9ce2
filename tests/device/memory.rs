//! Memory: what the process has in use, to see that a repetition does not add to it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes in memory; none on systems that do not say.
pub(crate) fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Tests that look at the memory of the process, which is that of all its threads, run one by one.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes by which memory may grow all the same: heaps of other threads fill up over time. A single
/// renderer that is kept is as large.
const ALLOWED: u64 = 24 << 20;

/// Repeats something, with a tenth more before it until all that is kept has been allocated, and
/// requires that memory does not grow.
pub(crate) fn assert_flat(what: &str, times: u32, mut repeat: impl FnMut(u32)) {
    let warm_up = times.div_ceil(10).max(10);
    (0..warm_up).for_each(&mut repeat);
    let before = resident();
    (warm_up..warm_up + times).for_each(&mut repeat);
    let (Some(before), Some(after)) = (before, resident()) else { return };
    let mib = |bytes| bytes as f64 / f64::from(1 << 20);
    println!("{what}: {times} times, {:.1} MiB before, {:.1} after", mib(before), mib(after));
    assert!(after < before + ALLOWED, "{before} bytes have become {after}");
}
