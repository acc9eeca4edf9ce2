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

/// Batches until one must have been flat: pools of a driver that has just started grow longer.
const MOST_BATCHES: u32 = 25;

/// Growth of the flattest batch that is still no leak, in bytes.
const ALLOWED_PER_BATCH: u64 = 64 << 10;

/// Growth of all batches together that is still no leak, in bytes.
const ALLOWED: u64 = 24 << 20;

/// Repeats something, and asserts that memory becomes flat after a warm-up of a tenth.
pub(crate) fn assert_flat(what: &str, times: u32, mut repeat: impl FnMut(u32)) {
    let warm_up = times.div_ceil(10).max(10);
    (0..warm_up).for_each(&mut repeat);
    let batch = times / BATCHES;
    let mut bytes = vec![resident()];
    let mut flattest = u64::MAX;
    for index in 0..MOST_BATCHES {
        if index >= BATCHES && flattest <= ALLOWED_PER_BATCH {
            break;
        }
        let start = warm_up + index * batch;
        (start..start + batch).for_each(&mut repeat);
        let (before, after) = (bytes[bytes.len() - 1], resident());
        bytes.push(after);
        // Systems without `/proc` cannot measure, but repeat everything without an error.
        let growth = before.zip(after).map_or(0, |(before, after)| after.saturating_sub(before));
        flattest = flattest.min(growth);
    }
    let kib: Vec<u64> = bytes.iter().flatten().map(|bytes| bytes >> 10).collect();
    println!("{what}: batches of {batch} times, resident KiB: {kib:?}");
    assert!(flattest <= ALLOWED_PER_BATCH, "{what} leaks: {kib:?} KiB");
    let growth = kib.last().zip(kib.first()).map_or(0, |(last, first)| last.saturating_sub(*first));
    assert!(growth < ALLOWED >> 10, "{what} leaks: {kib:?} KiB");
}
