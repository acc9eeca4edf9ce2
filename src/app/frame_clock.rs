//! The time between frames, and the frame rate.

use std::time::Duration;

use crate::time::Instant;

/// How often the frame rate is updated.
const INTERVAL: Duration = Duration::from_millis(500);

/// Measures the time between frames, and its mean over intervals.
pub(super) struct FrameClock {
    last: Instant,
    interval_start: Instant,
    frames: u32,
    mean: Option<Duration>,
}

impl FrameClock {
    pub(super) fn new(now: Instant) -> Self {
        Self { last: now, interval_start: now, frames: 0, mean: None }
    }

    /// Starts again after an idle time, which counts as no frame.
    pub(super) fn resume(&mut self, now: Instant) {
        (self.last, self.interval_start, self.frames) = (now, now, 0);
    }

    /// Starts a frame. Returns the time since the previous one, and whether [`figures`](Self::figures)
    /// have changed.
    pub(super) fn tick(&mut self, now: Instant) -> (Duration, bool) {
        let elapsed = now.saturating_duration_since(self.last);
        self.last = now;
        self.frames += 1;
        let interval = now.saturating_duration_since(self.interval_start);
        let due = interval >= INTERVAL;
        if due {
            self.mean = Some(interval / self.frames);
            (self.interval_start, self.frames) = (now, 0);
        }
        (elapsed, due)
    }

    /// Returns frame rate and mean frame time of the last interval.
    pub(super) fn figures(&self) -> String {
        match self.mean {
            Some(mean) if !mean.is_zero() => {
                let seconds = mean.as_secs_f64();
                format!("{:.0} fps | {:.2} ms", 1.0 / seconds, seconds * 1e3)
            }
            _ => "- fps | - ms".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_mean_of_an_interval() {
        let start = Instant::now();
        let mut clock = FrameClock::new(start);
        assert_eq!(clock.figures(), "- fps | - ms");
        let due: Vec<u64> =
            (1..=60).filter(|i| clock.tick(start + Duration::from_millis(i * 20)).1).collect();
        assert_eq!(due, [25, 50]);
        assert_eq!(clock.figures(), "50 fps | 20.00 ms");
    }

    #[test]
    fn idle_time_does_not_count() {
        let start = Instant::now();
        let mut clock = FrameClock::new(start);
        clock.tick(start + Duration::from_millis(20));
        let later = start + Duration::from_mins(1);
        clock.resume(later);
        assert_eq!(clock.tick(later), (Duration::ZERO, false));
        let due = (1..=25).filter(|i| clock.tick(later + Duration::from_millis(i * 20)).1).count();
        assert_eq!((due, clock.figures().as_str()), (1, "52 fps | 19.23 ms"));
    }

    #[test]
    fn a_clock_that_goes_backward_gives_zero() {
        let earlier = Instant::now();
        let mut clock = FrameClock::new(earlier + Duration::from_secs(1));
        assert_eq!(clock.tick(earlier), (Duration::ZERO, false));
    }
}
