//! One measured frame and the phases that its time on the main thread is split into.

use serde::Serialize;

use crate::names::names;
use crate::render::DrawPhase;

/// A slice of the main thread's time within a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FramePhase {
    /// Simulation step: all systems of the ECS.
    Sim,
    /// Culling, and copying changed component data to GPU memory.
    Upload,
    /// Recording the passes.
    Encode,
    /// Acquiring the window's next texture. Blocks while the display limits the frame rate.
    Acquire,
    /// Submitting to the driver. A software adapter may also render here.
    Submit,
    /// Presenting the texture. May block on the display.
    Present,
    /// Waiting for the GPU, which bounds the frames in flight.
    GpuWait,
    /// The rest of the frame, such as window events.
    Other,
}

names!(FramePhase {
    Sim => "sim",
    Upload => "upload",
    Encode => "encode",
    Acquire => "acquire",
    Submit => "submit",
    Present => "present",
    GpuWait => "gpu_wait",
    Other => "other",
});

impl From<DrawPhase> for FramePhase {
    fn from(phase: DrawPhase) -> Self {
        match phase {
            DrawPhase::Upload => Self::Upload,
            DrawPhase::Encode => Self::Encode,
            DrawPhase::Submit => Self::Submit,
        }
    }
}

/// Whether a frame counts in statistics.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameStatus {
    /// Drawn normally. Only these frames count.
    #[default]
    Valid,
    /// The window was resized during the frame.
    Resized,
    /// The window was not visible, or provided no texture.
    Hidden,
    /// The process was stopped, or the system slept.
    Suspended,
}

/// The times of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeOf {
    /// The whole frame.
    Frame,
    /// The main thread without [waits](FrameSample::waits), and without submitting, which is when software
    /// adapters render.
    Cpu,
    /// The GPU.
    Gpu,
}

impl TimeOf {
    /// Returns this time of a frame in ns, if known.
    pub const fn of(self, sample: &FrameSample) -> Option<u64> {
        match self {
            Self::Frame => Some(sample.frame),
            Self::Cpu => Some(sample.cpu_work().saturating_sub(sample.phase(FramePhase::Submit))),
            Self::Gpu => sample.gpu,
        }
    }
}

/// Measurements of one frame. Times are integer nanoseconds of one clock; unknown values are `None`.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct FrameSample {
    /// Time from the start of this frame to the start of the next, in ns.
    pub frame: u64,
    /// Time of each phase, in ns, in the order of [`FramePhase::ALL`]. The sum is `frame`.
    pub phases: [u64; FramePhase::ALL.len()],
    /// GPU time from the start of the first measured pass to the end of the last, in ns.
    pub gpu: Option<u64>,
    /// GPU time of the pass that culls cubes with evaluated motion, in ns.
    pub gpu_culling: Option<u64>,
    /// GPU time of the shadow pass, in ns.
    pub gpu_shadow: Option<u64>,
    /// GPU time of the scene pass, in ns.
    pub gpu_scene: Option<u64>,
    /// GPU time of the passes over the finished scene, in ns.
    pub gpu_post: Option<u64>,
    /// Time step before the factor of `--time`, in s.
    pub dt: f32,
    /// Cubes in the scene.
    pub cubes: u32,
    /// Cubes drawn, after culling.
    pub drawn: u32,
    /// Bytes copied to GPU memory.
    pub upload_bytes: u64,
    /// Whether the frame counts in statistics.
    pub status: FrameStatus,
}

impl FrameSample {
    /// Returns the time of one phase, in ns.
    pub const fn phase(&self, phase: FramePhase) -> u64 {
        self.phases[phase as usize]
    }

    /// Returns the time in calls that may block: waiting for the GPU or the display, in ns.
    pub const fn waits(&self) -> u64 {
        self.phase(FramePhase::GpuWait)
            + self.phase(FramePhase::Acquire)
            + self.phase(FramePhase::Present)
    }

    /// Returns the sample of a software adapter with its time of submitting, when it renders, as a wait.
    pub(super) fn with_submit_as_wait(mut self) -> Self {
        self.phases[FramePhase::GpuWait as usize] +=
            std::mem::take(&mut self.phases[FramePhase::Submit as usize]);
        self
    }

    /// Returns the time without [waits](Self::waits), in ns.
    pub const fn cpu_work(&self) -> u64 {
        self.frame.saturating_sub(self.waits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_cpu_leaves_out_waits_and_submitting() {
        use FramePhase::{Acquire, Encode, GpuWait, Other, Present, Sim, Submit, Upload};

        use crate::benchmark::tests::fixtures::frame;

        let work = [(Sim, 1), (Upload, 2), (Encode, 4), (Other, 8)];
        let waits = [(Acquire, 16), (Present, 32), (GpuWait, 64)];
        let sample = frame(&[&work[..], &waits, &[(Submit, 128)]].concat());
        assert_eq!((sample.waits(), sample.cpu_work()), (112, 143));
        let times = [TimeOf::Frame, TimeOf::Cpu, TimeOf::Gpu].map(|time| time.of(&sample));
        assert_eq!(times, [Some(255), Some(15), None]);
    }
}
