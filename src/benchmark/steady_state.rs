//! Detection of the end of the warm-up.

use std::time::Duration;

use super::quantile::quantile;

/// Minimum length of the warm-up.
const MIN_TIME: Duration = Duration::from_secs(2);

/// Minimum number of warm-up frames.
const MIN_FRAMES: usize = 120;

/// Maximum length of the warm-up.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Length of a window.
const WINDOW: Duration = Duration::from_millis(500);

/// Number of windows that must agree.
const WINDOWS: usize = 4;

/// Maximum relative difference between the medians of these windows.
const TOLERANCE: f64 = 0.01;

/// Maximum number of frames per window; a full window ends early. 131,072 frames per second.
const CAPACITY: usize = 65_536;

/// Detects when frame times are steady.
///
/// They are steady after at least 2 s and 120 frames, once the medians of the last four windows of 0.5 s
/// agree within 1 % and show no trend: neither all rising nor all falling. Times out after 20 s.
/// [`push`](Self::push) does not allocate.
#[derive(Clone, Debug)]
pub struct SteadyStateDetector {
    /// Whether frame times are steady, once it is decided.
    steady: Option<bool>,
    frames: usize,
    elapsed: Duration,
    window: Vec<u64>,
    window_elapsed: Duration,
    /// Medians of the last windows, oldest first.
    medians: [Option<f64>; WINDOWS],
}

impl Default for SteadyStateDetector {
    fn default() -> Self {
        Self {
            steady: None,
            frames: 0,
            elapsed: Duration::ZERO,
            window: Vec::with_capacity(CAPACITY),
            window_elapsed: Duration::ZERO,
            medians: [None; WINDOWS],
        }
    }
}

impl SteadyStateDetector {
    /// Adds a frame time in ns. Returns `None` during the warm-up, then whether frame times are steady, or
    /// were not in time; this is final.
    pub fn push(&mut self, frame_ns: u64) -> Option<bool> {
        if self.steady.is_some() {
            return self.steady;
        }
        let time = Duration::from_nanos(frame_ns);
        self.frames += 1;
        self.elapsed = self.elapsed.saturating_add(time);
        self.window_elapsed = self.window_elapsed.saturating_add(time);
        self.window.push(frame_ns);
        if self.window_elapsed >= WINDOW || self.window.len() == CAPACITY {
            self.window.sort_unstable();
            self.medians.rotate_left(1);
            self.medians[WINDOWS - 1] = quantile(&self.window, 500);
            self.window.clear();
            self.window_elapsed = Duration::ZERO;
            let is_long_enough = self.elapsed >= MIN_TIME && self.frames >= MIN_FRAMES;
            self.steady = (is_long_enough && self.is_steady()).then_some(true);
        }
        self.steady = self.steady.or((self.elapsed >= MAX_TIME).then_some(false));
        self.steady
    }

    /// Adds a frame that is not compared with others: only its time counts, toward the end of the warm-up. Returns the
    /// same as [`push`](Self::push).
    pub fn skip(&mut self, frame_ns: u64) -> Option<bool> {
        self.elapsed = self.elapsed.saturating_add(Duration::from_nanos(frame_ns));
        self.steady = self.steady.or((self.elapsed >= MAX_TIME).then_some(false));
        self.steady
    }

    fn is_steady(&self) -> bool {
        let [Some(a), Some(b), Some(c), Some(d)] = self.medians else { return false };
        let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
        let rises = a < b && b < c && c < d;
        let falls = a > b && b > c && c > d;
        high - low <= TOLERANCE * low && !rises && !falls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Warms up with frame times from `time`, a function of the elapsed ms. Returns whether frame times became
    /// steady and the elapsed ms.
    fn warm_up(mut time: impl FnMut(u64) -> u64) -> (bool, u64) {
        let mut steady = SteadyStateDetector::default();
        loop {
            if let Some(is_steady) = steady.push(time(steady.elapsed.as_millis() as u64)) {
                return (is_steady, steady.elapsed.as_millis() as u64);
            }
        }
    }

    #[test]
    fn the_warm_up_takes_two_seconds_and_120_frames_and_until_the_start_is_no_longer_slow() {
        assert_eq!(warm_up(|_| 5 * MS), (true, 2000));
        assert_eq!(warm_up(|_| 50 * MS), (true, 6000));
        // The window that ends at 1 s is slow; those from there to 3 s are not.
        let ended = warm_up(|elapsed| if elapsed < 1000 { 10 * MS } else { 5 * MS });
        assert_eq!(ended, (true, 3000));
        // Exactly 1 % is accepted, more is not.
        let stairs = |step: u64| {
            move |elapsed: u64| 10 * MS + if (elapsed / 500).is_multiple_of(2) { 0 } else { step }
        };
        assert!(warm_up(stairs(MS / 10)).0);
        assert!(!warm_up(stairs(MS / 10 + 1)).0);
    }

    #[test]
    fn a_slight_trend_is_not_steady() {
        // 1 ns more or less with each frame.
        let mut rising = 5 * MS..;
        assert!(!warm_up(|_| rising.next().unwrap()).0);
        let mut falling = (0..=5 * MS).rev();
        assert!(!warm_up(|_| falling.next().unwrap()).0);
    }

    #[test]
    fn hitches_do_not_delay_the_end_and_slow_frames_time_out() {
        let mut number = 0;
        let hitching = warm_up(|_| {
            number += 1;
            if number % 50 == 0 { 40 * MS } else { 5 * MS }
        });
        assert!(hitching.0 && hitching.1 < 2100, "{hitching:?}");
        // Never 120 frames.
        assert_eq!(warm_up(|_| 500 * MS), (false, 20_000));
        assert!(!warm_up(|_| u64::MAX).0);
    }

    #[test]
    fn push_does_not_allocate() {
        let mut steady = SteadyStateDetector::default();
        let taken = allocation_counter::measure(|| {
            // More than a window holds, in less time than it lasts.
            for number in 0..200_000 {
                assert_eq!(steady.push(1000 + 7919 * number % 1000), None);
            }
            for _ in 0..1000 {
                assert_eq!(steady.skip(10 * MS), None);
            }
            while steady.push(5 * MS).is_none() {}
            assert_eq!(steady.push(1000 * MS), Some(true), "final");
        });
        assert_eq!(taken.count_total, 0);
    }
}
