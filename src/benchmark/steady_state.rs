//! Steady state: when a run has warmed up.

use std::time::Duration;

use super::quantile::quantile;

/// Shortest warm-up.
const SHORTEST: Duration = Duration::from_secs(2);

/// Fewest frames of a warm-up.
const FEWEST: usize = 120;

/// Longest warm-up.
const LONGEST: Duration = Duration::from_secs(20);

/// Length of a window.
const WINDOW: Duration = Duration::from_millis(500);

/// Windows that must agree.
const WINDOWS: usize = 4;

/// How much larger the largest of their medians may be than the smallest.
const AGREEMENT: f64 = 0.01;

/// Most frames of a window: one that has as many ends early. Over 131,000 frames per second.
const CAPACITY: usize = 65_536;

/// How far a warm-up has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WarmupState {
    /// It goes on.
    Running,
    /// The frame time has settled.
    Steady,
    /// It has not settled in 20 s; what is measured now has to be flagged.
    TimedOut,
}

/// Watches the frames of a warm-up until their time has settled.
///
/// It has settled when at least 2 s and 120 frames have gone by, and the medians of the last four
/// windows of half a second agree within 1 % and show no trend, that is neither each is above the
/// one before nor each below. After 20 s it gives up. The windows may lie within the first two
/// seconds; where shaders are still compiled or clocks still rise there, they disagree.
///
/// Allocates only when it is made.
#[derive(Clone, Debug)]
pub struct SteadyStateDetector {
    state: WarmupState,
    frames: usize,
    elapsed: Duration,
    window: Vec<u64>,
    window_elapsed: Duration,
    /// Medians of the last windows, oldest first; none before there are so many.
    medians: [Option<f64>; WINDOWS],
}

impl Default for SteadyStateDetector {
    /// Before the first frame.
    fn default() -> Self {
        Self {
            state: WarmupState::Running,
            frames: 0,
            elapsed: Duration::ZERO,
            window: Vec::with_capacity(CAPACITY),
            window_elapsed: Duration::ZERO,
            medians: [None; WINDOWS],
        }
    }
}

impl SteadyStateDetector {
    /// Takes the time of the next frame, in nanoseconds, and says how far the warm-up has come.
    /// Frames after its end change nothing.
    pub fn push(&mut self, frame_ns: u64) -> WarmupState {
        if self.state != WarmupState::Running {
            return self.state;
        }
        let time = Duration::from_nanos(frame_ns);
        self.frames += 1;
        self.elapsed = self.elapsed.saturating_add(time);
        self.window_elapsed = self.window_elapsed.saturating_add(time);
        self.window.push(frame_ns);
        if self.window_elapsed >= WINDOW || self.window.len() == CAPACITY {
            self.close_window();
            let is_long_enough = self.elapsed >= SHORTEST && self.frames >= FEWEST;
            if is_long_enough && self.has_settled() {
                self.state = WarmupState::Steady;
                return self.state;
            }
        }
        if self.elapsed >= LONGEST {
            self.state = WarmupState::TimedOut;
        }
        self.state
    }

    /// How many frames the warm-up has taken.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How long the warm-up has taken.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn close_window(&mut self) {
        self.window.sort_unstable();
        self.medians.rotate_left(1);
        self.medians[WINDOWS - 1] = quantile(&self.window, 500);
        self.window.clear();
        self.window_elapsed = Duration::ZERO;
    }

    fn has_settled(&self) -> bool {
        let [Some(a), Some(b), Some(c), Some(d)] = self.medians else { return false };
        let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
        let rises = a < b && b < c && c < d;
        let falls = a > b && b > c && c > d;
        high - low <= AGREEMENT * low && !rises && !falls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Warms up with the frame times that `time` gives from the milliseconds gone by; how it ended
    /// and after how many milliseconds.
    fn warm_up(mut time: impl FnMut(u64) -> u64) -> (WarmupState, u64) {
        let mut steady = SteadyStateDetector::default();
        loop {
            let state = steady.push(time(steady.elapsed().as_millis() as u64));
            if state != WarmupState::Running {
                return (state, steady.elapsed().as_millis() as u64);
            }
        }
    }

    #[test]
    fn even_frames_are_steady_after_two_seconds() {
        assert_eq!(warm_up(|_| 5 * MS), (WarmupState::Steady, 2000));
        // 120 frames of 50 ms.
        assert_eq!(warm_up(|_| 50 * MS), (WarmupState::Steady, 6000));
    }

    #[test]
    fn a_slow_start_has_to_leave_the_windows_first() {
        // The window that ends at 1 s is slow; those from there to 3 s are not.
        let ended = warm_up(|elapsed| if elapsed < 1000 { 10 * MS } else { 5 * MS });
        assert_eq!(ended, (WarmupState::Steady, 3000));
        // 1 % is within, more is not.
        let stairs = |step: u64| {
            move |elapsed: u64| 10 * MS + if (elapsed / 500).is_multiple_of(2) { 0 } else { step }
        };
        assert_eq!(warm_up(stairs(MS / 10)).0, WarmupState::Steady);
        assert_eq!(warm_up(stairs(MS / 10 + 1)).0, WarmupState::TimedOut);
    }

    #[test]
    fn a_trend_is_not_steady_however_slight() {
        // By 1 ns with each frame.
        let mut frames = 5 * MS..;
        let (rising, after) = warm_up(|_| frames.next().unwrap());
        assert_eq!((rising, after / 10), (WarmupState::TimedOut, 2000));
        let mut frames = (0..=5 * MS).rev();
        let (falling, after) = warm_up(|_| frames.next().unwrap());
        assert_eq!((falling, after / 10), (WarmupState::TimedOut, 2000));
    }

    #[test]
    fn hitches_do_not_hold_it_up_and_slow_frames_end_it() {
        let mut number = 0;
        let hitching = warm_up(|_| {
            number += 1;
            if number % 50 == 0 { 40 * MS } else { 5 * MS }
        });
        assert_eq!(hitching.0, WarmupState::Steady);
        assert!(hitching.1 < 2100, "{}", hitching.1);
        // Never 120 frames.
        assert_eq!(warm_up(|_| 500 * MS), (WarmupState::TimedOut, 20_000));
        assert_eq!(warm_up(|_| u64::MAX).0, WarmupState::TimedOut);
    }

    #[test]
    fn the_end_is_final() {
        let mut steady = SteadyStateDetector::default();
        while steady.push(5 * MS) == WarmupState::Running {}
        assert_eq!(steady.push(1000 * MS), WarmupState::Steady);
        assert_eq!((steady.frames(), steady.elapsed()), (400, Duration::from_secs(2)));
    }

    #[test]
    fn frames_are_taken_without_allocating() {
        let mut steady = SteadyStateDetector::default();
        let taken = allocation_counter::measure(|| {
            // More than a window holds, in less time than it lasts.
            for number in 0..200_000 {
                assert_eq!(steady.push(1000 + 7919 * number % 1000), WarmupState::Running);
            }
            while steady.push(5 * MS) == WarmupState::Running {}
        });
        assert_eq!(taken.count_total, 0);
    }
}
