//! Memory of the process, measured over repetitions.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Resident memory in bytes. `None` on systems without `/proc`.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Runs tests that measure memory one at a time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Repetitions are measured in batches. A leak grows in every batch, pools of the allocator and the
/// driver only in some.
const BATCHES: u32 = 5;

/// Growth of the flattest batch that is still no leak, in bytes.
const ALLOWED_PER_BATCH: u64 = 64 << 10;

/// Growth of all batches together that is still no leak, in bytes.
const ALLOWED: u64 = 24 << 20;

/// Repeats something, and asserts that memory stays flat after a warm-up of a tenth.
pub(crate) fn assert_flat(what: &str, times: u32, mut repeat: impl FnMut(u32)) {
    let warm_up = times.div_ceil(10).max(10);
    (0..warm_up).for_each(&mut repeat);
    let batch = times / BATCHES;
    let mut measured = vec![resident()];
    for start in (0..BATCHES).map(|index| warm_up + index * batch) {
        (start..start + batch).for_each(&mut repeat);
        measured.push(resident());
    }
    // Systems without `/proc` cannot measure, but have repeated everything without an error.
    let Some(bytes) = measured.into_iter().collect::<Option<Vec<_>>>() else { return };
    let growth: Vec<u64> = bytes.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
    let kib: Vec<u64> = bytes.iter().map(|bytes| bytes >> 10).collect();
    println!("{what}: {BATCHES} x {batch} times, resident KiB: {kib:?}");
    let flattest = growth.iter().min();
    assert!(flattest <= Some(&ALLOWED_PER_BATCH), "{what} leaks: {kib:?} KiB");
    assert!(growth.iter().sum::<u64>() < ALLOWED, "{what} leaks: {kib:?} KiB");
}
