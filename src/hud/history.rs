//! History: frame times of the last seconds, and their statistics.

use std::collections::VecDeque;
use std::time::Duration;

use super::frame_slice::{FRAME_SLICES, LiveFrame};
use crate::benchmark::{LowFps, Percentile, SortedTimes};

/// Time span of the statistics, in ns.
const SPAN: u64 = 10_000_000_000;

/// Smallest number of frames kept, even beyond the time span: a 99th percentile needs that many.
const MIN_FRAMES: usize = 1000;

/// Largest number of frames kept.
const MAX_FRAMES: usize = 20_000;

/// Time between two updates of the statistics, in ns.
const INTERVAL: u64 = 300_000_000;

/// Statistics of recent frames. Times are in ns; `None` means unknown.
#[derive(Clone, Default, Debug)]
pub(super) struct FrameStats {
    /// Mean frame time since the previous update.
    pub(super) mean: Option<f64>,
    pub(super) median: Option<f64>,
    pub(super) p99: Option<f64>,
    /// 1 % low, in frames per second.
    pub(super) low: Option<f64>,
    /// Number of frames behind the median, p99 and 1 % low.
    pub(super) frames: usize,
    /// Duration of these frames together.
    pub(super) span: Duration,
    /// Mean time of each slice since the previous update, in the order of [`FRAME_SLICES`].
    pub(super) slices: [f64; FRAME_SLICES.len()],
    pub(super) gpu: Option<f64>,
    /// Spawned and removed cubes per second.
    pub(super) spawn_stats: [f64; 2],
    /// Bytes uploaded per frame and per second.
    pub(super) upload: [f64; 2],
}

/// Sums since the last update.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    frames: u64,
    time: u64,
    slices: [u64; FRAME_SLICES.len()],
    gpu: [u64; 2],
    upload: u64,
    spawn_stats: [u64; 2],
}

/// Frames of the last seconds. Adding a frame allocates no memory between two updates.
#[derive(Debug)]
pub struct History {
    /// Frame times in ns, oldest first.
    frames: VecDeque<u64>,
    /// Sum of `frames`, in ns.
    total: u64,
    sums: Sums,
    /// Counters of the last frame; `None` if those of the next one do not continue them.
    spawn_stats: Option<[u64; 2]>,
    stats: FrameStats,
}

impl History {
    /// Does not count what was spawned or removed from the last frame to the next: the simulation was replaced, or
    /// made steps without a frame.
    pub fn skip_spawned(&mut self) {
        self.spawn_stats = None;
    }

    /// Adds a frame.
    pub fn push(&mut self, frame: &LiveFrame) {
        let time = frame.sample.frame;
        while self.frames.len() == MAX_FRAMES
            || (self.frames.len() >= MIN_FRAMES && self.total.saturating_add(time) > SPAN)
        {
            self.total -= self.frames.pop_front().unwrap_or_default();
        }
        self.frames.push_back(time);
        self.total += time;

        let sums = &mut self.sums;
        sums.frames += 1;
        sums.time += time;
        sums.upload += frame.sample.upload_bytes;
        for (sum, slice) in sums.slices.iter_mut().zip(FRAME_SLICES) {
            *sum += (slice.time)(frame);
        }
        let before = self.spawn_stats.replace(frame.spawn_stats).unwrap_or(frame.spawn_stats);
        for ((sum, now), before) in sums.spawn_stats.iter_mut().zip(frame.spawn_stats).zip(before) {
            // A new scene restarts the counters at zero.
            *sum += now.saturating_sub(before);
        }
        if let Some(gpu) = frame.sample.gpu {
            sums.gpu = [sums.gpu[0] + 1, sums.gpu[1] + gpu];
        }
        if sums.time >= INTERVAL {
            self.stats = self.summarize();
            self.sums = Sums::default();
        }
    }

    fn summarize(&self) -> FrameStats {
        let Sums { frames, time, slices, gpu, upload, spawn_stats } = self.sums;
        let mean = |sum: u64| sum as f64 / frames as f64;
        let per_second = |sum: u64| sum as f64 / (time as f64 / 1e9);
        let (older, newer) = self.frames.as_slices();
        let sorted = SortedTimes::of(&[older, newer].concat());
        FrameStats {
            mean: (time > 0).then(|| mean(time)),
            median: sorted.median(),
            p99: sorted.percentile(Percentile::P99),
            low: LowFps::OnePercent.fps(&sorted),
            frames: self.frames.len(),
            span: Duration::from_nanos(self.total),
            slices: slices.map(mean),
            gpu: (gpu[0] > 0).then(|| gpu[1] as f64 / gpu[0] as f64),
            spawn_stats: spawn_stats.map(per_second),
            upload: [mean(upload), per_second(upload)],
        }
    }

    pub(super) fn stats(&self) -> &FrameStats {
        &self.stats
    }

    /// Returns up to `count` recent frame times in ns, oldest first.
    pub(super) fn latest(&self, count: usize) -> impl ExactSizeIterator<Item = u64> + '_ {
        let first = self.frames.len().saturating_sub(count);
        self.frames.range(first..).copied()
    }
}

impl Default for History {
    fn default() -> Self {
        Self {
            frames: VecDeque::with_capacity(MAX_FRAMES),
            total: 0,
            sums: Sums::default(),
            spawn_stats: None,
            stats: FrameStats::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::FrameSample;

    const MS: u64 = 1_000_000;

    fn frame(time: u64) -> LiveFrame {
        let sample = FrameSample { frame: time, ..FrameSample::default() };
        LiveFrame { sample, ..LiveFrame::default() }
    }

    #[test]
    fn statistics_cover_ten_seconds_or_a_thousand_frames() {
        let mut history = History::default();
        // 4 ms: ten seconds are 2,500 frames.
        (0..9000).for_each(|_| history.push(&frame(4 * MS)));
        assert_eq!(history.stats().frames, 2500);
        assert_eq!(history.stats().median, Some(4e6));
        assert_eq!(history.stats().low, Some(250.0));
        // 40 ms: ten seconds are 250 frames, too few for a percentile.
        (0..3000).for_each(|_| history.push(&frame(40 * MS)));
        assert_eq!(history.stats().frames, 1000);
        assert_eq!(history.stats().p99, Some(40e6));
        assert_eq!(history.stats().span, Duration::from_secs(40));
    }

    #[test]
    fn a_percentile_is_not_made_up_of_too_few_frames() {
        let mut history = History::default();
        (0..999).for_each(|_| history.push(&frame(40 * MS)));
        assert_eq!((history.stats().p99, history.stats().low), (None, None));
        assert_eq!(history.stats().median, Some(40e6));
    }

    #[test]
    fn the_history_never_grows_beyond_its_capacity() {
        let mut history = History::default();
        let capacity = history.frames.capacity();
        (0..60_000).for_each(|_| history.push(&frame(10_000)));
        assert_eq!((history.frames.len(), history.frames.capacity()), (MAX_FRAMES, capacity));
        assert_eq!(history.total, MAX_FRAMES as u64 * 10_000);
    }

    #[test]
    fn slices_add_up_to_the_frame_time() {
        let mut live = frame(36 * MS);
        live.sample.phases = [8, 2, 3, 4, 5, 6, 1, 7].map(|ms| ms * MS);
        (live.lifecycle, live.hud) = (3 * MS, 5 * MS);
        live.sample.gpu = Some(9 * MS);
        live.sample.upload_bytes = 1000;
        let mut history = History::default();
        for _ in 0..20 {
            live.spawn_stats = [live.spawn_stats[0] + 9, live.spawn_stats[1] + 18];
            history.push(&live);
        }
        let stats = history.stats();
        assert_eq!(stats.slices, [5e6, 3e6, 2e6, 3e6, 5e6, 5e6, 6e6, 5e6, 2e6]);
        assert_eq!(stats.slices.iter().sum::<f64>(), 36e6);
        assert_eq!(stats.gpu, Some(9e6));
        let spawn_stats = stats.spawn_stats.map(f64::round);
        assert_eq!(spawn_stats, [250.0, 500.0]);
        let rate = 1000.0 / 0.036;
        assert!((stats.upload[1] - rate).abs() < 1e-6 * rate, "{:?}", stats.upload);
    }

    #[test]
    fn skipped_cubes_are_in_no_rate() {
        let mut history = History::default();
        let mut live = frame(30 * MS);
        history.push(&live);
        for _ in 0..20 {
            live.spawn_stats = live.spawn_stats.map(|it| it + 1_000_000);
            history.skip_spawned();
            history.push(&live);
        }
        assert_eq!(history.stats().spawn_stats, [0.0; 2]);
    }

    #[test]
    fn latest_frames_are_ordered_oldest_first() {
        let mut history = History::default();
        (1..=5).for_each(|ms| history.push(&frame(ms * MS)));
        assert_eq!(history.latest(3).collect::<Vec<_>>(), [3 * MS, 4 * MS, 5 * MS]);
        assert_eq!(history.latest(99).len(), 5);
    }
}
