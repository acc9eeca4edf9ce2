//! Recorder of frame times, without allocation or I/O in the frame loop.

use std::time::Duration;

use super::{FramePhase, FrameSample, FrameStatus};
use crate::render::{DrawHooks, DrawPhase, GpuTimes};
use crate::time::Instant;

/// Measures consecutive frames without gaps and splits each into [phases](FramePhase).
///
/// Every nanosecond of a frame belongs to exactly one phase, so the phases add up to the frame time.
/// [`new`](Self::new) reserves memory for all samples; recording allocates nothing.
#[derive(Debug)]
pub struct Recorder {
    frame_start: Instant,
    phase_start: Instant,
    current: FrameSample,
    samples: Vec<FrameSample>,
    capacity: usize,
}

impl Recorder {
    /// Starts the first frame. Keeps at most `capacity` samples, or fewer if there is no memory for so many, and
    /// drops later ones.
    pub fn new(mut capacity: usize) -> Self {
        let (mut samples, now) = (Vec::new(), Instant::now());
        while samples.try_reserve_exact(capacity).is_err() {
            capacity /= 2;
        }
        let current = FrameSample::default();
        Self { frame_start: now, phase_start: now, current, samples, capacity }
    }

    /// Attributes the time since the previous call to `phase`. A phase may end several times a frame.
    #[inline]
    pub fn end_phase(&mut self, phase: FramePhase) {
        let now = Instant::now();
        self.current.phases[phase as usize] += (now - self.phase_start).as_nanos() as u64;
        self.phase_start = now;
    }

    /// Returns when the frame in progress started.
    pub fn frame_start(&self) -> Instant {
        self.frame_start
    }

    /// Returns the sample of the frame in progress, for values other than times.
    pub fn current(&mut self) -> &mut FrameSample {
        &mut self.current
    }

    /// Busy-waits until the frame has taken `percent` % longer.
    pub fn slow_down(&mut self, percent: u32) {
        let now = Instant::now();
        let end = now + (now - self.frame_start) * percent / 100;
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    }

    /// Ends the frame, starts the next and returns the finished sample.
    ///
    /// The time since the last phase goes to [`FramePhase::Other`].
    pub fn end_frame(&mut self) -> FrameSample {
        self.end_phase(FramePhase::Other);
        let mut sample = std::mem::take(&mut self.current);
        sample.frame = (self.phase_start - self.frame_start).as_nanos() as u64;
        self.frame_start = self.phase_start;
        if !self.is_full() {
            self.samples.push(sample);
        }
        sample
    }

    /// Sets the status of the last sample that was kept.
    pub fn mark_last(&mut self, status: FrameStatus) {
        if let Some(last) = self.samples.last_mut() {
            last.status = status;
        }
    }

    /// Drops all samples; the next frame has index 0.
    pub fn clear(&mut self) {
        self.samples.clear();
    }

    /// Sets the GPU times of a frame by index, which may be the one in progress. Ignores indices
    /// beyond the capacity.
    pub fn set_gpu_times(&mut self, frame: usize, times: GpuTimes) {
        let current = (frame == self.samples.len()).then_some(&mut self.current);
        if let Some(sample) = current.or(self.samples.get_mut(frame)) {
            let ns = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
            sample.gpu = ns(times.frame);
            sample.gpu_culling = ns(times.culling);
            sample.gpu_shadow = ns(times.shadow);
            sample.gpu_scene = ns(times.scene);
            sample.gpu_post = ns(times.post);
        }
    }

    /// Returns the index of the frame in progress, which is the number of samples so far.
    pub fn frame_index(&self) -> usize {
        self.samples.len()
    }

    /// Returns `true` if the recorder holds as many samples as its capacity.
    pub fn is_full(&self) -> bool {
        self.samples.len() == self.capacity
    }

    /// Returns the samples in frame order.
    pub fn into_samples(self) -> Vec<FrameSample> {
        self.samples
    }
}

impl DrawHooks for Recorder {
    fn phase_ended(&mut self, phase: DrawPhase) {
        self.end_phase(phase.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recording_allocates_nothing_and_phases_add_up_to_the_frame_time() {
        let time = Some(Duration::from_micros(5));
        let times = GpuTimes { frame: time, shadow: time, scene: time, ..GpuTimes::default() };
        let mut recorder = Recorder::new(500);
        let measured = allocation_counter::measure(|| {
            for frame in 0..800 {
                for phase in FramePhase::ALL.into_iter().chain([FramePhase::Sim]) {
                    recorder.end_phase(phase);
                }
                recorder.set_gpu_times(frame, times);
                recorder.current().cubes = frame as u32;
                let sample = recorder.end_frame();
                assert_eq!(sample.phases.iter().sum::<u64>(), sample.frame);
            }
        });
        assert_eq!(measured.count_total, 0);
        let cubes = recorder.into_samples().into_iter().map(|sample| sample.cubes);
        assert!(cubes.eq(0..500), "the first samples are kept in frame order");
    }

    #[test]
    fn gpu_times_reach_past_frames_and_the_current_one() {
        let mut recorder = Recorder::new(50);
        for _ in 0..10 {
            recorder.end_frame();
        }
        let [frame, scene, culling, shadow, post] =
            [5, 4, 1, 3, 2].map(|us| Some(Duration::from_micros(us)));
        let times = GpuTimes { frame, shadow, scene, post, culling };
        for index in [3, 10, 999] {
            recorder.set_gpu_times(index, times);
        }
        assert_eq!(recorder.current().gpu, Some(5000));
        let samples = recorder.into_samples();
        let FrameSample { gpu, gpu_culling, gpu_shadow, gpu_scene, gpu_post, .. } = samples[3];
        let found = [gpu, gpu_culling, gpu_shadow, gpu_scene, gpu_post];
        assert_eq!(found, [5000, 1000, 3000, 4000, 2000].map(Some));
        assert_eq!(samples.iter().filter(|sample| sample.gpu.is_some()).count(), 1);
    }
}
