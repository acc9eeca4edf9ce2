//! What limits the frame rate: CPU work, the GPU or the display.

use schemars::JsonSchema;
use serde::Serialize;

use super::{FramePhase, FrameSample, RunResult};
use crate::render::PresentMode;

/// Shares of the frame time, from 0 to 1, by what it is spent on. They add up to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BoundBy {
    /// Work of the main thread.
    pub cpu: f64,
    /// Work of the GPU, as far as the main thread waits for it or works less.
    pub gpu: f64,
    /// Waiting for the display.
    pub display: f64,
}

impl BoundBy {
    /// Computes the shares over all valid frames of all runs. `None` if they take no time.
    pub fn of(runs: &[RunResult]) -> Option<Self> {
        let mut times = [0_u128; 3];
        for run in runs {
            let waits_for_vblank = run.present_mode().is_some_and(PresentMode::waits_for_vblank);
            for &sample in run.valid_samples() {
                let sample = if run.software { sample.with_submit_as_wait() } else { sample };
                for (time, added) in times.iter_mut().zip(split(&sample, waits_for_vblank)) {
                    *time += u128::from(added);
                }
            }
        }
        let all: u128 = times.iter().sum();
        let [cpu, gpu, display] = times.map(|time| time as f64 / all as f64);
        (all > 0).then_some(Self { cpu, gpu, display })
    }
}

/// Splits a frame into CPU work, waiting for the GPU and waiting for the display, in ns.
///
/// A blocked call of the driver has no known reason. It waits for the GPU for as long as the GPU works, and
/// for the display otherwise. If the GPU time is unknown, the display blocks only in present modes that wait
/// for its vertical blank. While both CPU and GPU work, on different frames, the one counts that works longer.
fn split(sample: &FrameSample, waits_for_vblank: bool) -> [u64; 3] {
    let (gpu_wait, waits, cpu) =
        (sample.phase(FramePhase::GpuWait), sample.waits(), sample.cpu_work());
    let gpu = match sample.gpu {
        Some(gpu) if gpu > cpu => gpu.clamp(gpu_wait, cpu + waits),
        Some(gpu) => gpu.clamp(gpu_wait, waits),
        None if waits_for_vblank => gpu_wait,
        None => waits,
    };
    let cpu = cpu.min(cpu + waits - gpu);
    [cpu, gpu, sample.cpu_work() + waits - cpu - gpu]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::Presentation;
    use crate::benchmark::tests::fixtures::{frame, run, sim_frame};

    /// Percentages of CPU, GPU and display.
    fn percent(mode: Option<PresentMode>, sample: FrameSample) -> [f64; 3] {
        let presentation = mode.map(|present_mode| Presentation { present_mode, refresh_hz: None });
        let run = RunResult { presentation, ..run(vec![sample; 3]) };
        let BoundBy { cpu, gpu, display } = BoundBy::of(&[run]).unwrap();
        [cpu, gpu, display].map(|share| (share * 100.0).round())
    }

    #[test]
    fn waits_are_for_the_gpu_by_its_time_or_else_by_the_present_mode() {
        use FramePhase::{Acquire, GpuWait, Present, Sim};
        let phases = [(Sim, 4000), (GpuWait, 1000), (Acquire, 2000), (Present, 3000)];
        let of_gpu = |gpu| FrameSample { gpu, ..frame(&phases) };
        assert_eq!(percent(None, of_gpu(Some(50_000))), [0.0, 100.0, 0.0], "at most the frame");
        assert_eq!(percent(None, of_gpu(Some(9000))), [10.0, 90.0, 0.0], "3 of 10 both work");
        assert_eq!(percent(None, of_gpu(Some(4500))), [40.0, 45.0, 15.0], "in the waits");
        assert_eq!(percent(None, of_gpu(Some(10))), [40.0, 10.0, 50.0], "at least gpu_wait");
        let sample = of_gpu(None);
        for mode in [PresentMode::Fifo, PresentMode::FifoRelaxed] {
            assert_eq!(percent(Some(mode), sample), [40.0, 10.0, 50.0], "{mode}");
        }
        for mode in [None, Some(PresentMode::Immediate), Some(PresentMode::Mailbox)] {
            assert_eq!(percent(mode, sample), [40.0, 60.0, 0.0], "{mode:?}");
        }
    }

    #[test]
    fn the_cpu_counts_while_both_work_if_it_works_longer() {
        let sample = frame(&[(FramePhase::Sim, 9000), (FramePhase::GpuWait, 1000)]);
        assert_eq!(percent(None, FrameSample { gpu: Some(8000), ..sample }), [90.0, 10.0, 0.0]);
    }

    #[test]
    fn a_software_adapter_renders_while_submitting() {
        let sample = frame(&[(FramePhase::Sim, 1000), (FramePhase::Submit, 3000)]);
        let of = |software| BoundBy::of(&[RunResult { software, ..run(vec![sample]) }]);
        assert_eq!(of(false), Some(BoundBy { cpu: 1.0, gpu: 0.0, display: 0.0 }));
        assert_eq!(of(true), Some(BoundBy { cpu: 0.25, gpu: 0.75, display: 0.0 }));
    }

    #[test]
    fn shares_are_of_the_time_of_all_runs() {
        let runs = [sim_frame(1000), frame(&[(FramePhase::GpuWait, 3000)])].map(|it| run(vec![it]));
        assert_eq!(BoundBy::of(&runs), Some(BoundBy { cpu: 0.25, gpu: 0.75, display: 0.0 }));
        assert_eq!(BoundBy::of(&[run(vec![FrameSample::default()])]), None);
    }
}
