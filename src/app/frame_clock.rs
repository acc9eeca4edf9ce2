//! The time between frames, and the frame rate.

use std::time::Duration;

use crate::time::Instant;

/// How often the frame rate is updated.
const INTERVAL: Duration = Duration::from_millis(500);

/// Measures the time between frames, and its mean over intervals.
pub(super) struct FrameClock {
    last: Instant,
    interval_start: Instant,
    /// Number of drawn frames of the interval, and the sum of their times.
    drawn: (u32, Duration),
    mean: Option<Duration>,
    /// Sum of the known GPU times of the interval, and their number.
    gpu: (Duration, u32),
    mean_gpu: Option<Duration>,
}

impl FrameClock {
    pub(super) fn new(now: Instant) -> Self {
        let (drawn, gpu) = ((0, Duration::ZERO), (Duration::ZERO, 0));
        Self { last: now, interval_start: now, drawn, mean: None, gpu, mean_gpu: None }
    }

    /// Starts again after an idle time, which counts as no frame.
    pub(super) fn resume(&mut self, now: Instant) {
        (self.last, self.interval_start) = (now, now);
        (self.drawn, self.gpu) = ((0, Duration::ZERO), (Duration::ZERO, 0));
    }

    /// Starts a frame; `was_drawn` says whether the previous one was, and `gpu` is a GPU time that has become known. Returns
    /// the time since the previous frame, and whether [`figures`](Self::figures) have changed.
    pub(super) fn tick(
        &mut self,
        now: Instant,
        was_drawn: bool,
        gpu: Option<Duration>,
    ) -> (Duration, bool) {
        let elapsed = now.saturating_duration_since(self.last);
        self.last = now;
        if was_drawn {
            self.drawn = (self.drawn.0 + 1, self.drawn.1 + elapsed);
        }
        if let Some(time) = gpu {
            self.gpu = (self.gpu.0 + time, self.gpu.1 + 1);
        }
        let interval = now.saturating_duration_since(self.interval_start);
        let due = interval >= INTERVAL;
        if due {
            self.mean = self.drawn.1.checked_div(self.drawn.0);
            self.mean_gpu = self.gpu.0.checked_div(self.gpu.1);
            self.interval_start = now;
            (self.drawn, self.gpu) = ((0, Duration::ZERO), (Duration::ZERO, 0));
        }
        (elapsed, due)
    }

    /// Returns frame rate and mean times of the last interval.
    pub(super) fn figures(&self) -> String {
        match self.mean {
            Some(mean) if !mean.is_zero() => {
                let ms = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
                let gpu = self.mean_gpu.map(|gpu| format!(", gpu {}", ms(gpu)));
                let rate = 1.0 / mean.as_secs_f64();
                format!("{rate:.0} fps | {}{}", ms(mean), gpu.unwrap_or_default())
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
        let mut tick = |i: u64, gpu| clock.tick(start + Duration::from_millis(i * 20), true, gpu).1;
        let due: Vec<u64> = (1..=60).filter(|&i| tick(i, None)).collect();
        assert_eq!(due, [25, 50]);
        assert_eq!(clock.figures(), "50 fps | 20.00 ms");
        // Of the 25 frames until then, one in five has a GPU time.
        let mut tick = |i: u64, gpu| clock.tick(start + Duration::from_millis(i * 20), true, gpu).1;
        let gpu = |i: u64| {
            i.is_multiple_of(5).then_some(Duration::from_millis(if i == 75 { 26 } else { 1 }))
        };
        assert!((61..=75).any(|i| tick(i, gpu(i))));
        assert_eq!(clock.figures(), "50 fps | 20.00 ms, gpu 9.33 ms");
    }

    #[test]
    fn idle_time_does_not_count() {
        let start = Instant::now();
        let mut clock = FrameClock::new(start);
        clock.tick(start + Duration::from_millis(20), true, None);
        let later = start + Duration::from_mins(1);
        clock.resume(later);
        assert_eq!(clock.tick(later, false, None), (Duration::ZERO, false));
        let mut tick =
            |i: u64, drawn| clock.tick(later + Duration::from_millis(i * 20), drawn, None).1;
        // Nor does a frame that was not drawn.
        let due = (1..=25).filter(|&i| tick(i, i != 7)).count();
        assert_eq!((due, clock.figures().as_str()), (1, "50 fps | 20.00 ms"));
    }

    #[test]
    fn a_clock_that_goes_backward_gives_zero() {
        let earlier = Instant::now();
        let mut clock = FrameClock::new(earlier + Duration::from_secs(1));
        assert_eq!(clock.tick(earlier, true, None), (Duration::ZERO, false));
    }
}
