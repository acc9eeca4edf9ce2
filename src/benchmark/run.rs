//! One benchmark run: warm-up, then measured frames.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use super::cpu_wait::cpu_wait_ns;
use super::{
    FrameCounts, FramePhase, FrameSample, FrameStatus, Presentation, Recorder, RunLength,
    RunResult, RunSettings, Sensors, SteadyStateDetector, SuspensionDetector, WarmupReport,
    resident_memory,
};
use crate::components::Motion;
use crate::ecs;
use crate::frame;
use crate::memory::{self, MemoryError};
use crate::render::{
    FramesInFlight, Gpu, MAPPED_LATENCY, OffscreenTarget, RenderError, RenderSettings,
    RenderTarget, Renderer, Size, Streaming,
};
use crate::sim::{InvalidCamera, Simulation};
use crate::time::Instant;

/// Frames whose GPU times may still be pending; more than the renderer has readback buffers.
const MAX_PENDING_GPU_TIMES: usize = 32;

/// Step of the state hash that tells whether two runs do the same work, or the step after half of `--warmup`, if
/// that is earlier. Reached after the measurement if the whole run has fewer.
pub const WORK_STEPS: u32 = 60;

/// Returns after how many steps the state is hashed. The GPU has no work during the hash, so frames are unlike others for a while
/// after it: at most half of the warm-up.
pub(super) fn work_steps(warmup_frames: Option<u32>) -> u32 {
    warmup_frames.map_or(WORK_STEPS, |warmup| warmup / 2).clamp(1, WORK_STEPS)
}

/// Bytes of a frame in the columns in which samples are written, which grow by doubling: of the phases, and twelve others.
const COLUMN_BYTES: u64 = 2 * 8 * (FramePhase::ALL.len() as u64 + 12);

/// Error that ends a run early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The simulation could not be created or stepped.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// Main memory does not suffice.
    #[error("the simulation cannot run: {0}")]
    Memory(#[from] MemoryError),
    /// The camera of the flags does not fit the scene.
    #[error(transparent)]
    Camera(#[from] InvalidCamera),
    /// The renderer would wait for older frames than the run does.
    #[error(
        "the GPU cannot be {0} frames behind with mapped buffers, which suffice for {MAPPED_LATENCY} (use \
         --streaming staged)"
    )]
    Latency(u32),
    /// The renderer or the device failed.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// A benchmark run in progress, headless or in a window.
///
/// The caller owns the target. For each frame it calls [`step`](Self::step), [`draw`](Self::draw) and
/// [`end_frame`](Self::end_frame), and attributes its own waiting to phases of the
/// [recorder](Self::recorder).
pub struct Run {
    simulation: Simulation,
    renderer: Renderer,
    recorder: Recorder,
    suspension: SuspensionDetector,
    settings: RunSettings,
    steady: SteadyStateDetector,
    warmup: WarmupReport,
    measuring: bool,
    /// What the main thread had waited for a CPU when the measurement began, in ns.
    cpu_wait_before: Option<u64>,
    /// Valid frames of the measurement.
    valid: usize,
    /// Step of the hash of the work.
    hash_step: u64,
    work_hash: String,
    /// Frame time since the start of the warm-up or of the measurement.
    elapsed: Duration,
    size: Size,
    /// Frames without GPU times yet: the renderer's frame number and the recorder's index.
    pending_gpu_times: VecDeque<(u64, usize)>,
}

/// Prints the settings and the size.
impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("settings", &self.settings)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Run {
    /// Creates the scene and a renderer for targets of `format`, at first of `size`.
    ///
    /// # Errors
    /// Memory cannot hold the cubes or the times of all frames, the device cannot hold the cubes, the camera is invalid, or
    /// the device failed.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        size: Size,
        settings: RunSettings,
        graphics: RenderSettings,
    ) -> Result<Self, RunError> {
        frame::cube_memory(gpu, FramesInFlight::Many).check(settings.scene.cubes())?;
        gpu.check_capacity(settings.scene.cubes(), settings.motion)?;
        let frames = settings.length.max_frames();
        // A run of a given time rarely has as many as can be recorded.
        if let RunLength::Frames(_) = settings.length {
            let bytes = frames as u64 * (size_of::<FrameSample>() as u64 + COLUMN_BYTES);
            memory::check("the times of all frames", bytes)?;
        }
        let RunSettings { scene, mode, motion, tuning, .. } = &settings;
        let (motion, tuning) = (Some(*motion), Some(*tuning));
        let mut simulation = Simulation::with_overrides(scene.clone(), *mode, motion, tuning)?;
        simulation.camera_mut().set_up(&settings.camera)?;
        Ok(Self {
            hash_step: simulation.steps() + u64::from(work_steps(settings.warmup_frames)),
            simulation,
            work_hash: String::new(),
            renderer: Renderer::new(gpu, format, graphics)?,
            recorder: Recorder::new(frames),
            suspension: SuspensionDetector::start(),
            settings,
            steady: SteadyStateDetector::default(),
            warmup: WarmupReport::default(),
            measuring: false,
            cpu_wait_before: None,
            valid: 0,
            elapsed: Duration::ZERO,
            size,
            pending_gpu_times: VecDeque::with_capacity(MAX_PENDING_GPU_TIMES),
        })
    }

    /// Returns the recorder of this run, for phases the caller times.
    pub fn recorder(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// Excludes the current frame from statistics.
    pub fn mark(&mut self, status: FrameStatus) {
        self.recorder.current().status = status;
    }

    /// Steps the simulation. Time since the previous frame, such as events, counts as `other`.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn step(&mut self) -> Result<(), RunError> {
        self.recorder.end_phase(FramePhase::Other);
        self.simulation.step(self.settings.dt)?;
        self.recorder.end_phase(FramePhase::Sim);
        if self.simulation.steps() == self.hash_step {
            self.work_hash = hash(&self.simulation);
        }
        let sample = self.recorder.current();
        sample.dt = self.settings.dt.seconds();
        sample.cubes = self.simulation.cubes().count() as u32;
        Ok(())
    }

    /// Draws the frame and submits it. Times the phases `upload`, `encode` and `submit`.
    ///
    /// # Errors
    /// As for [`Renderer::draw`].
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        target: RenderTarget<'_>,
    ) -> Result<wgpu::SubmissionIndex, RenderError> {
        self.size = target.size;
        if self.pending_gpu_times.len() == MAX_PENDING_GPU_TIMES {
            self.pending_gpu_times.pop_front();
        }
        let index = self.recorder.frame_index();
        self.pending_gpu_times.push_back((self.renderer.frames(), index));
        let scene = frame::scene_view(&self.simulation);
        let submission = self.renderer.draw_with(gpu, &scene, target, &mut self.recorder)?;
        let drawn = self.renderer.draw_stats();
        let sample = self.recorder.current();
        sample.drawn = drawn.full + drawn.small;
        sample.upload_bytes = self.renderer.uploaded_bytes();
        Ok(submission)
    }

    /// Ends the frame. Returns `false` when the measurement is complete.
    pub fn end_frame(&mut self) -> bool {
        if self.settings.slow_down > 0 {
            self.recorder.slow_down(self.settings.slow_down);
        }
        let start = self.recorder.frame_start();
        let FrameSample { frame, mut status, .. } = self.recorder.end_frame();
        // Checked after the end, so that no suspension falls between the check and the end.
        if self.suspension.was_suspended(start, self.recorder.frame_start()) {
            status = FrameStatus::Suspended;
            self.recorder.mark_last(status);
            self.renderer.discard_gpu_times();
        }
        self.collect_gpu_times();
        // The time of a suspension is no part of the length of a run.
        if status != FrameStatus::Suspended {
            self.elapsed += Duration::from_nanos(frame);
        }
        if self.measuring {
            self.valid += usize::from(status == FrameStatus::Valid);
            let frames = self.recorder.frame_index();
            let is_over = self.settings.length.is_over(frames, self.valid, self.elapsed);
            return !is_over && !self.recorder.is_full();
        }
        // A fixed warm-up ends at the same step in every run.
        let counts = status != FrameStatus::Suspended || self.settings.warmup_frames.is_some();
        if counts && self.warm_up(frame, status == FrameStatus::Valid) {
            self.measuring = true;
            self.cpu_wait_before = cpu_wait_ns();
            self.elapsed = Duration::ZERO;
            self.pending_gpu_times.clear();
        }
        self.recorder.clear();
        true
    }

    /// Adds a frame to the warm-up. Returns `true` when it ends. Only valid frames show whether frame times are steady: a
    /// hidden window has very even ones.
    fn warm_up(&mut self, frame_ns: u64, is_valid: bool) -> bool {
        self.warmup.frames += 1;
        self.warmup.seconds = self.elapsed.as_secs_f64();
        if let Some(frames) = self.settings.warmup_frames {
            return self.warmup.frames >= frames.into();
        }
        let steady = if is_valid { self.steady.push(frame_ns) } else { self.steady.skip(frame_ns) };
        self.warmup.steady = Some(steady == Some(true));
        steady.is_some()
    }

    fn collect_gpu_times(&mut self) {
        for (frame, times) in self.renderer.collect_gpu_times() {
            let pending = self.pending_gpu_times.iter().find(|(number, _)| *number == frame);
            if let Some(&(_, index)) = pending {
                self.recorder.set_gpu_times(index, times);
            }
        }
    }

    /// Waits for the GPU, simulates on to the step of the work hash if it is not reached, and returns the measurements.
    /// `presentation` is `None` for headless runs.
    ///
    /// # Errors
    /// The device failed or was lost, or the simulation failed.
    pub fn finish(
        mut self,
        gpu: &Gpu,
        presentation: Option<Presentation>,
    ) -> Result<RunResult, RunError> {
        let cpu_wait = cpu_wait_ns().zip(self.cpu_wait_before);
        gpu.wait()?;
        if self.suspension.was_suspended(self.recorder.frame_start(), Instant::now()) {
            self.renderer.discard_gpu_times();
        }
        self.collect_gpu_times();
        let state_hash = hash(&self.simulation);
        // Slow frames end a run before this step.
        while self.work_hash.is_empty() {
            self.step()?;
        }
        // Evaluated motion writes few bytes, never through mapped buffers.
        let streaming = match self.settings.motion {
            Motion::Integrated => gpu.streaming(),
            Motion::Evaluated => Streaming::Staged,
        };
        let samples = self.recorder.into_samples();
        Ok(RunResult {
            adapter: gpu.summary().to_string(),
            software: gpu.is_software(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            debug_build: cfg!(debug_assertions),
            streaming,
            graphics: self.renderer.settings(),
            size: [self.size.width(), self.size.height()],
            presentation,
            // Some drivers offer timestamps that are always zero.
            gpu_timer: samples.iter().any(|sample| sample.gpu.is_some()),
            warmup: self.warmup,
            state_hash,
            work_hash: self.work_hash,
            memory_bytes: resident_memory(),
            cpu_wait_ns: cpu_wait.map(|(after, before)| after.saturating_sub(before)),
            sensors: Sensors::default(),
            frames: FrameCounts::default(),
            median_ns: None,
            samples: Vec::new(),
        }
        .with_samples(samples))
    }
}

fn hash(simulation: &Simulation) -> String {
    format!("{:016x}", simulation.state_hash())
}

/// Runs a benchmark on an off-screen target. Blocks, except in a page.
///
/// At most [`RunSettings::latency`] frames are in flight. Without that bound, the loop would measure how
/// fast frames are queued.
///
/// # Errors
/// As for [`Run::new`]; also if the frame is too large, or the latency for mapped buffers.
pub async fn run_headless(
    gpu: &Gpu,
    size: Size,
    settings: RunSettings,
    graphics: RenderSettings,
) -> Result<RunResult, RunError> {
    frame::check_size(gpu, size, graphics.effects, FramesInFlight::Shown, 0)?;
    let target = OffscreenTarget::new(gpu, size)?;
    let latency = settings.latency as usize;
    let is_mapped = settings.motion == Motion::Integrated && gpu.streaming() == Streaming::Mapped;
    if is_mapped && settings.latency > MAPPED_LATENCY {
        return Err(RunError::Latency(settings.latency));
    }
    // Reserved for the largest `--latency`, 8: a library may pass any number.
    let mut in_flight = VecDeque::with_capacity(latency.min(8) + 1);
    let mut run = Run::new(gpu, OffscreenTarget::FORMAT, size, settings, graphics)?;
    loop {
        run.step()?;
        in_flight.push_back(gpu.observe(run.draw(gpu, target.target())?));
        while in_flight.len() > latency
            && let Some(oldest) = in_flight.pop_front()
        {
            gpu.finished(oldest).await?;
        }
        run.recorder().end_phase(FramePhase::GpuWait);
        if !run.end_frame() {
            break;
        }
    }
    for work in in_flight {
        gpu.finished(work).await?;
    }
    run.finish(gpu, None)
}
