//! Recorder: takes frames apart while they happen, without slowing them.

use std::time::{Duration, Instant};

use super::{FramePhase, FrameSample, FrameStatus};
use crate::render::{DrawHooks, DrawPhase, GpuTimes};

/// Takes the time of frames that follow one another without a gap.
///
/// Every moment of a frame belongs to one [`FramePhase`]: each [`lap`](Self::lap) gives what went by since
/// the one before to a part, and what is left at the end goes to [`FramePhase::Other`]. All are differences
/// of whole nanoseconds since one origin, so they add up to the frame exactly. Room for all samples
/// is made before the first; recording allocates nothing and writes nothing.
pub struct Recorder {
    origin: Instant,
    frame_start: u64,
    last_lap: u64,
    current: FrameSample,
    samples: Vec<FrameSample>,
    /// Samples that there is room for.
    most: usize,
}

impl Recorder {
    /// Begins with the first frame; at most `most` frames are kept.
    #[must_use]
    pub fn start(most: usize) -> Self {
        Self {
            origin: Instant::now(),
            frame_start: 0,
            last_lap: 0,
            current: FrameSample::default(),
            samples: Vec::with_capacity(most),
            most,
        }
    }

    fn now(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    /// What went by since the last lap was this part.
    #[inline]
    pub fn lap(&mut self, part: FramePhase) {
        let now = self.now();
        self.current.phases[part as usize] += now - self.last_lap;
        self.last_lap = now;
    }

    /// The frame that is being taken, for what is known of it beside times.
    pub fn current(&mut self) -> &mut FrameSample {
        &mut self.current
    }

    /// Something happened that keeps the frame from being compared with others.
    pub fn mark(&mut self, status: FrameStatus) {
        self.current.status = status;
    }

    /// Makes the frame longer by so many per cent of the time it has taken, by doing nothing.
    pub fn lengthen(&mut self, percent: u32) {
        let taken = self.now() - self.frame_start;
        let until = self.frame_start + taken + taken * u64::from(percent) / 100;
        while self.now() < until {
            std::hint::spin_loop();
        }
    }

    /// Ends a frame and begins the next. Returns how long it took, in ns.
    pub fn end_frame(&mut self) -> u64 {
        self.lap(FramePhase::Other);
        let now = self.last_lap;
        let mut sample = std::mem::take(&mut self.current);
        sample.frame = now - self.frame_start;
        self.frame_start = now;
        if self.samples.len() < self.most {
            self.samples.push(sample);
        }
        sample.frame
    }

    /// Forgets the frames so far; those after it are numbered from 0 again.
    pub fn forget(&mut self) {
        self.samples.clear();
    }

    /// Fills in what the GPU took for a frame, counted from 0, that is being taken or was; frames
    /// there is no room for are passed over.
    pub fn set_gpu(&mut self, frame: usize, times: GpuTimes) {
        let kept = self.samples.len();
        let sample =
            if frame == kept { Some(&mut self.current) } else { self.samples.get_mut(frame) };
        if let Some(sample) = sample {
            let ns = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
            sample.gpu = ns(times.frame);
            sample.gpu_shadow = ns(times.shadow);
            sample.gpu_scene = ns(times.scene);
        }
    }

    /// How many frames are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether no frame is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Whether there is no room for another frame.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.samples.len() == self.most
    }

    /// The frames, in order.
    #[must_use]
    pub fn into_samples(self) -> Vec<FrameSample> {
        self.samples
    }
}

impl DrawHooks for Recorder {
    fn phase_ended(&mut self, phase: DrawPhase) {
        self.lap(phase.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_frame_exactly() {
        let mut recorder = Recorder::start(100);
        for frame in 0..100_u32 {
            for part in [FramePhase::Sim, FramePhase::Upload, FramePhase::Submit, FramePhase::Sim] {
                std::hint::black_box((0..frame * 50).sum::<u32>());
                recorder.lap(part);
            }
            recorder.current().cubes = frame;
            recorder.end_frame();
        }
        assert!(recorder.is_full());
        let samples = recorder.into_samples();
        assert!(samples.iter().all(|sample| sample.phases.iter().sum::<u64>() == sample.frame));
        assert!(
            samples.iter().all(|sample| sample.phase(FramePhase::Encode) == 0 && sample.frame > 0)
        );
        assert_eq!(samples[99].cubes, 99);
    }

    #[test]
    fn recording_allocates_nothing_and_keeps_no_more_than_there_is_room_for() {
        let mut recorder = Recorder::start(50);
        for _ in 0..80 {
            recorder.lap(FramePhase::Sim);
            recorder.end_frame();
        }
        assert_eq!(recorder.len(), 50);
        let (frame, scene) = (Some(Duration::from_micros(5)), Some(Duration::from_micros(4)));
        let times = GpuTimes { frame, shadow: None, scene };
        recorder.set_gpu(3, times);
        recorder.set_gpu(999, times);
        recorder.set_gpu(50, times);
        assert_eq!(recorder.current().gpu, Some(5000), "the frame that is being taken");
        let FrameSample { gpu, gpu_shadow, gpu_scene, .. } = recorder.into_samples()[3];
        assert_eq!((gpu, gpu_shadow, gpu_scene), (Some(5000), None, Some(4000)));
    }
}
