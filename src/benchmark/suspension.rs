//! Suspension: times in which the whole process stood still, stopped by a signal or a debugger, or with a
//! sleeping system. They are no frame times of the program.
//!
//! A frame that takes long looks the same to the thread that draws it. So a second thread, the heartbeat,
//! sleeps and notes when it wakes. While a driver compiles shaders or waits for seconds, a genuine hitch,
//! the heartbeat goes on; in a suspended process it stands still as well. Ten wake-ups a second of a few
//! microseconds are far below the noise of frame times.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::time::Instant;

/// Time between two beats.
const INTERVAL: Duration = Duration::from_millis(100);

/// Shortest time without a beat that counts as a suspension. A busy system delays a thread that mostly
/// sleeps by a few scheduler slices, which are some milliseconds each.
const SHORTEST: Duration = Duration::from_millis(500);

/// Shortest sleep of the system that counts.
const SHORTEST_SLEEP: Duration = Duration::from_millis(100);

/// Detects suspensions, with a heartbeat thread that ends when this is dropped.
#[derive(Debug)]
pub struct SuspensionDetector {
    heartbeat: Option<Arc<Mutex<Heartbeat>>>,
    /// Time that the system has slept since it was started, as far as its clocks tell.
    slept: Duration,
}

impl SuspensionDetector {
    /// Starts the heartbeat. Without it, if the system refuses a thread, only sleep is detected.
    pub fn start() -> Self {
        let heartbeat = Arc::new(Mutex::new(Heartbeat::new(Instant::now())));
        let weak = Arc::downgrade(&heartbeat);
        let beats = move || {
            while let Some(heartbeat) = weak.upgrade() {
                lock(&heartbeat).beat(Instant::now());
                drop(heartbeat);
                std::thread::sleep(INTERVAL);
            }
        };
        let thread = std::thread::Builder::new().name("heartbeat".into()).spawn(beats);
        // A page has no threads, and a page that the browser suspends draws no frames.
        if cfg!(not(web))
            && let Err(error) = &thread
        {
            log::warn!("suspensions are not detected: {error}");
        }
        Self { heartbeat: thread.is_ok().then_some(heartbeat), slept: slept() }
    }

    /// Returns `true` if the process was suspended in the frame that has just ended, or the system slept since
    /// the last call.
    pub fn was_suspended(&mut self, start: Instant, end: Instant) -> bool {
        self.was_suspended_or(start, end, slept())
    }

    fn was_suspended_or(&mut self, start: Instant, end: Instant, slept: Duration) -> bool {
        let last_slept = std::mem::replace(&mut self.slept, slept);
        // Short frames, nearly all, need no look at the heartbeat.
        slept.saturating_sub(last_slept) >= SHORTEST_SLEEP
            || end.saturating_duration_since(start) >= SHORTEST
                && self.heartbeat.as_ref().is_some_and(|it| lock(it).stood_still(start, end))
    }
}

fn lock(heartbeat: &Mutex<Heartbeat>) -> MutexGuard<'_, Heartbeat> {
    heartbeat.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When the heartbeat thread was awake.
#[derive(Debug)]
struct Heartbeat {
    last: Instant,
    /// Start and end of the latest pause that was long.
    pause: Option<(Instant, Instant)>,
}

impl Heartbeat {
    fn new(now: Instant) -> Self {
        Self { last: now, pause: None }
    }

    fn beat(&mut self, now: Instant) {
        if now.saturating_duration_since(self.last) >= SHORTEST {
            self.pause = Some((self.last, now));
        }
        self.last = now;
    }

    /// Returns `true` if a long pause is within a frame. It may not have ended yet: after a suspension,
    /// either thread may be the first to run.
    fn stood_still(&self, start: Instant, end: Instant) -> bool {
        // The pause begins at a beat before the suspension, perhaps in the frame before.
        let is_within = |(from, to): (Instant, Instant)| {
            to.min(end).saturating_duration_since(from.max(start)) >= SHORTEST
        };
        self.pause.is_some_and(is_within) || is_within((self.last, end))
    }
}

/// Returns how long the system has slept since it was started. Frame times do not include it.
#[cfg(target_os = "linux")]
fn slept() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let [awake, all] = [ClockId::Monotonic, ClockId::Boottime].map(|clock| {
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    });
    all.saturating_sub(awake)
}

/// Elsewhere either the clock of frames counts sleep, which the heartbeat then shows, or it stands still.
#[cfg(not(target_os = "linux"))]
fn slept() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beats every 100 ms, but for pauses of this many ms from these times on.
    fn beats(start: Instant, until: u64, pauses: &[(u64, u64)]) -> Heartbeat {
        let mut heartbeat = Heartbeat::new(start);
        let mut at = 0;
        while at < until {
            heartbeat.beat(start + Duration::from_millis(at));
            let pause = pauses.iter().find(|(from, _)| (at..at + 100).contains(from));
            at += pause.map_or(100, |(_, length)| *length);
        }
        heartbeat
    }

    #[test]
    fn a_frame_in_which_the_heartbeat_stands_still_is_suspended() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        // Suspended from 1.05 s to 4 s, in a frame from 1.04 s to 4.01 s.
        let after = beats(start, 4100, &[(1000, 3000)]);
        assert!(after.stood_still(at(1040), at(4010)));
        assert!(!after.stood_still(at(4010), at(4050)), "the next frame");
        assert!(!after.stood_still(at(900), at(1040)), "the frame before");
        // The frame ends before the heartbeat thread runs again.
        let before = beats(start, 1100, &[]);
        assert!(before.stood_still(at(1040), at(4010)));
        // A suspension before the frame, which is a hitch with delays of a busy system.
        let pauses = [(1000, 3000), (5000, 300), (5800, 400), (6600, 499)];
        assert!(!beats(start, 9000, &pauses).stood_still(at(4500), at(8950)));
    }

    #[test]
    fn a_hitch_is_no_suspension_and_sleep_of_the_system_is_one_of_a_single_frame() {
        let mut detector = SuspensionDetector::start();
        // This thread stands still, and the heartbeat does not, unless the machine is very busy.
        let is_hitch = (0..10).any(|_| {
            let start = Instant::now();
            std::thread::sleep(SHORTEST * 2);
            !detector.was_suspended(start, Instant::now())
        });
        assert!(is_hitch);
        let now = Instant::now();
        let later = detector.slept + Duration::from_secs(5);
        assert!(detector.was_suspended_or(now, now, later), "however short the frame");
        assert!(!detector.was_suspended_or(now, now, later));
    }
}
