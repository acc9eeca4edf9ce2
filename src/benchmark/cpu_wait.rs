//! Time in which the main thread could have worked, but other threads had the CPUs.

/// Returns how long this thread has waited for a CPU since it started, in ns; `None` where the system does not tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn cpu_wait_ns() -> Option<u64> {
    // The time on a CPU, which is 0 if the system counts none, the time waiting for one, and the number of time slices.
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut times = times.split_whitespace();
    times.next().filter(|time| *time != "0")?;
    times.next()?.parse().ok()
}

/// Returns `None`: the system does not tell.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn cpu_wait_ns() -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn threads_that_share_a_cpu_wait_for_it() {
        use std::time::{Duration, Instant};

        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

        let waited = std::thread::spawn(|| {
            let allowed = sched_getaffinity(None).unwrap();
            let cpu = (0..CpuSet::MAX_CPU).find(|&cpu| allowed.is_set(cpu)).unwrap();
            let mut one = CpuSet::new();
            one.set(cpu);
            // Inherited by the other thread.
            sched_setaffinity(None, &one).unwrap();
            let end = Instant::now() + Duration::from_millis(300);
            let spin = move || while Instant::now() < end {};
            let other = std::thread::spawn(spin);
            spin();
            other.join().unwrap();
            cpu_wait_ns()
        });
        // Some sandboxes do not tell it.
        if let Some(waited) = waited.join().unwrap() {
            assert!(waited > 10_000_000, "{waited} ns");
        }
    }
}
