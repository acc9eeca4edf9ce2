//! The number of cubes that a machine draws comfortably, from the frames so far.

use crate::benchmark::{FramePhase, FrameSample, SortedTimes};

/// Work of a comfortable frame, in ns: 20 frames per second.
const MAX_WORK: f64 = 50e6;

/// Frames of a measurement.
const FRAMES: usize = 20;

/// Every machine is assumed to draw this many: the program starts with as many.
const MINIMUM: u32 = 10_000;

/// Estimates how many cubes a frame can have, from the work of the frames with the most cubes so far. With
/// few cubes most of the work does not depend on their number, so the estimate is too low and grows with
/// the number.
#[derive(Default, Debug)]
pub(super) struct ComfortableCount {
    /// Number of cubes in `frames`.
    cubes: u32,
    /// Work of the latest frames, in ns.
    frames: Vec<u64>,
    /// Largest number of cubes measured.
    measured: u32,
    estimate: f64,
}

impl ComfortableCount {
    /// Adds a frame with a number of cubes. A frame whose number differs starts a new measurement.
    pub(super) fn frame(&mut self, cubes: u32, work: u64) {
        if cubes != self.cubes {
            self.cubes = cubes;
            self.frames.clear();
        }
        self.frames.push(work);
        if self.frames.len() < FRAMES {
            return;
        }
        let median = SortedTimes::of(&self.frames).median().unwrap_or_default();
        self.frames.clear();
        // A slightly smaller number replaces the estimate, so that it follows changed settings.
        if f64::from(cubes) >= f64::from(self.measured) * 0.9 {
            self.measured = cubes;
            self.estimate = f64::from(cubes) * MAX_WORK / median.max(1.0);
        }
    }

    /// Forgets the frames so far: the scene or the graphics settings are different.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns the number of cubes whose frames are comfortable.
    pub(super) fn count(&self) -> u32 {
        (self.estimate as u32).max(MINIMUM)
    }
}

/// Returns the time of a frame without waits for the display, in ns. Without a GPU timer, waits may be
/// work of the GPU and count.
pub(super) fn work(frame: &FrameSample) -> u64 {
    let waits = [FramePhase::Acquire, FramePhase::Present, FramePhase::GpuWait];
    // A browser waits between the frames.
    let waits = waits.into_iter().chain(cfg!(web).then_some(FramePhase::Other));
    let busy = waits.fold(frame.frame, |left, wait| left.saturating_sub(frame.phase(wait)));
    busy.max(frame.gpu.unwrap_or(frame.frame))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(count: &mut ComfortableCount, cubes: u32, work: u64) -> u32 {
        (0..FRAMES).for_each(|_| count.frame(cubes, work));
        count.count()
    }

    #[test]
    fn the_count_is_that_of_frames_of_50_ms() {
        let mut count = ComfortableCount::default();
        assert_eq!(count.count(), MINIMUM, "nothing is measured yet");
        assert_eq!(measure(&mut count, 10_000, 2_000_000), 250_000);
        assert_eq!(measure(&mut count, 100_000, 5_000_000), 1_000_000);
        assert_eq!(measure(&mut count, 1000, 5_000_000), 1_000_000, "a small number says little");
        assert_eq!(measure(&mut count, 95_000, 50_000_000), 95_000, "the machine became slower");
        count.reset();
        assert_eq!(measure(&mut count, 1000, 50_000_000), MINIMUM);
    }

    #[test]
    fn a_changed_number_starts_a_new_measurement() {
        let mut count = ComfortableCount::default();
        (1..FRAMES).for_each(|_| count.frame(100_000, 1_000_000));
        count.frame(200_000, 1_000_000);
        assert_eq!(count.count(), MINIMUM);
        (1..FRAMES).for_each(|_| count.frame(200_000, 5_000_000));
        assert_eq!(count.count(), 2_000_000);
    }

    #[test]
    fn waits_for_the_display_are_no_work_if_the_gpu_is_timed() {
        let mut frame =
            FrameSample { frame: 16_000_000, gpu: Some(3_000_000), ..Default::default() };
        frame.phases[FramePhase::Acquire as usize] = 14_000_000;
        assert_eq!(work(&frame), 3_000_000);
        frame.gpu = Some(1_000_000);
        assert_eq!(work(&frame), 2_000_000);
        frame.gpu = None;
        assert_eq!(work(&frame), 16_000_000);
    }
}
