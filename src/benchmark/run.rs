//! Run: the frames of one run, from the first cold one to the last that counts.

use std::collections::VecDeque;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FramePhase, FrameSample, FrameStatus, Recorder, SteadyStateDetector, WarmupState};
use crate::ecs;
use crate::frame;
use crate::render::{Geometry, Gpu, RenderError, RenderSettings, RenderTarget, Renderer, Size};
use crate::sim::{FallMode, SceneSource, Simulation, TimeStep};

/// Frames for each millisecond that room is made for, where a run is measured in time.
const MOST_PER_MS: usize = 20;

/// Frames whose GPU time may still come: more than there are readbacks.
const UNREPORTED: usize = 32;

/// How much of a run counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RunLength {
    /// So many frames.
    Frames(u32),
    /// So long; at most 20,000 frames for each second.
    Time(Duration),
}

impl RunLength {
    /// Frames there has to be room for.
    fn most_frames(self) -> usize {
        match self {
            Self::Frames(frames) => frames as usize,
            Self::Time(time) => (time.as_millis() as usize + 1) * MOST_PER_MS,
        }
    }
}

/// What goes before the frames that count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WarmupRule {
    /// Until frame times are steady.
    Auto,
    /// So many frames.
    Frames(u32),
}

/// What a run does.
#[derive(Clone, PartialEq, Debug)]
pub struct RunSettings {
    /// Which cubes.
    pub scene: SceneSource,
    /// Who falls.
    pub mode: FallMode,
    /// Simulated time of a frame, however long it takes.
    pub dt: TimeStep,
    /// What goes before.
    pub warmup: WarmupRule,
    /// What counts.
    pub length: RunLength,
    /// How many frames the GPU may be behind.
    pub latency: u32,
    /// Per cent of its time by which every frame is made longer, to see that this is found out.
    pub slowed_by: u32,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The simulation could not be made or run.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// Nothing can be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// How the warm-up went.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WarmupReport {
    /// How many frames it took.
    pub frames: u64,
    /// How long it took, in s.
    pub seconds: f64,
    /// Whether frame times had become steady; `None` if that was not asked for.
    pub steady: Option<bool>,
}

/// What came of a course.
#[derive(Clone, PartialEq, Debug)]
pub struct RunOutcome {
    /// How the warm-up went.
    pub warmup: WarmupReport,
    /// The frames that count, in order.
    pub samples: Vec<FrameSample>,
    /// One number for all the simulation holds at the end.
    pub state_hash: u64,
    /// How cubes really became triangles.
    pub geometry: Geometry,
    /// Whether the adapter can say how long it took.
    pub gpu_timer: bool,
    /// Width and height of the last picture, in pixels.
    pub size: Size,
}

/// A run on its way.
pub struct Run {
    simulation: Simulation,
    renderer: Renderer,
    recorder: Recorder,
    steady: SteadyStateDetector,
    settings: RunSettings,
    /// Present once the frames count.
    warmup: Option<WarmupReport>,
    warmup_frames: u64,
    warmup_ns: u64,
    measured_ns: u64,
    size: Size,
    /// Frames the GPU has yet to report on: number by the renderer's count, and by the recorder's.
    unreported: VecDeque<(u64, usize)>,
    /// Frames the GPU has yet to finish.
    in_flight: VecDeque<wgpu::SubmissionIndex>,
}

impl Run {
    /// Makes the scene and what draws it, for targets of `format` and, until told otherwise, `size`.
    ///
    /// # Errors
    /// There are more cubes than memory or the device can hold.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        size: Size,
        settings: RunSettings,
        picture: RenderSettings,
    ) -> Result<Self, RunError> {
        gpu.check_capacity(settings.scene.cubes())?;
        Ok(Self {
            simulation: Simulation::new(settings.scene.clone(), settings.mode)?,
            renderer: Renderer::new(gpu, format, picture)?,
            recorder: Recorder::start(settings.length.most_frames()),
            steady: SteadyStateDetector::default(),
            warmup: None,
            warmup_frames: 0,
            warmup_ns: 0,
            measured_ns: 0,
            size,
            unreported: VecDeque::with_capacity(UNREPORTED + 1),
            in_flight: VecDeque::with_capacity(settings.latency as usize + 1),
            settings,
        })
    }

    /// What takes the times; for the parts that whoever shows the pictures adds.
    pub fn recorder(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// Steps the simulation.
    ///
    /// # Errors
    /// The simulation failed.
    pub fn advance(&mut self) -> Result<(), RunError> {
        // What went by since the last frame ended, events for one, is no work of the simulation.
        self.recorder.lap(FramePhase::Other);
        self.simulation.step(self.settings.dt)?;
        self.recorder.lap(FramePhase::Sim);
        let sample = self.recorder.current();
        sample.dt = self.settings.dt.seconds();
        sample.cubes = self.simulation.cubes().count() as u32;
        Ok(())
    }

    /// Draws the frame, and times each phase of that.
    ///
    /// # Errors
    /// The device failed.
    pub fn draw(&mut self, gpu: &Gpu, target: RenderTarget<'_>) -> Result<(), RenderError> {
        self.size = target.size;
        if self.unreported.len() == UNREPORTED {
            self.unreported.pop_front();
        }
        self.unreported.push_back((self.renderer.frames(), self.recorder.len()));
        let scene = frame::scene_view(&self.simulation);
        self.in_flight.push_back(self.renderer.draw_with(
            gpu,
            &scene,
            target,
            &mut self.recorder,
        )?);
        let drawn = self.renderer.draw_stats();
        let sample = self.recorder.current();
        sample.drawn = drawn.full + drawn.small;
        sample.upload_bytes = self.renderer.uploaded_bytes();
        Ok(())
    }

    /// Waits until the GPU is no more frames behind than it may be.
    ///
    /// # Errors
    /// It does not finish, or was lost.
    pub fn bound_latency(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        while self.in_flight.len() > self.settings.latency as usize
            && let Some(oldest) = self.in_flight.pop_front()
        {
            gpu.wait_for(oldest)?;
        }
        self.recorder.lap(FramePhase::GpuWait);
        Ok(())
    }

    /// Forgets what was submitted, where somebody else bounds how far the GPU is behind.
    pub fn forget_submissions(&mut self) {
        self.in_flight.clear();
    }

    /// Ends a frame. False once all frames that count are taken.
    pub fn end_frame(&mut self) -> bool {
        self.take_gpu_times();
        if self.settings.slowed_by > 0 {
            self.recorder.lengthen(self.settings.slowed_by);
        }
        let frame = self.recorder.end_frame();
        if self.warmup.is_some() {
            self.measured_ns += frame;
            return match self.settings.length {
                RunLength::Frames(_) => !self.recorder.is_full(),
                RunLength::Time(time) => {
                    u128::from(self.measured_ns) < time.as_nanos() && !self.recorder.is_full()
                }
            };
        }
        self.warmup_frames += 1;
        self.warmup_ns += frame;
        let steady = match self.settings.warmup {
            WarmupRule::Frames(frames) if self.warmup_frames >= frames.into() => Some(None),
            WarmupRule::Frames(_) => None,
            WarmupRule::Auto => match self.steady.push(frame) {
                WarmupState::Running => None,
                WarmupState::Steady => Some(Some(true)),
                WarmupState::TimedOut => Some(Some(false)),
            },
        };
        if let Some(steady) = steady {
            self.warmup = Some(WarmupReport {
                frames: self.warmup_frames,
                seconds: self.warmup_ns as f64 / 1e9,
                steady,
            });
            self.unreported.clear();
        }
        // Until then every frame makes room for the next.
        self.recorder.forget();
        true
    }

    /// Something happened that keeps the frame from being compared with others.
    pub fn mark(&mut self, status: FrameStatus) {
        self.recorder.mark(status);
    }

    fn take_gpu_times(&mut self) {
        for (frame, times) in self.renderer.collect_gpu_times() {
            let known = self.unreported.iter().find(|(encoded, _)| *encoded == frame);
            if let Some(&(_, number)) = known {
                self.recorder.set_gpu(number, times);
            }
        }
    }

    /// Waits for the GPU and takes what it has yet to report.
    ///
    /// # Errors
    /// It does not finish, or was lost.
    pub fn finish(mut self, gpu: &Gpu) -> Result<RunOutcome, RenderError> {
        gpu.wait()?;
        self.take_gpu_times();
        Ok(RunOutcome {
            warmup: self.warmup.unwrap_or(WarmupReport {
                frames: self.warmup_frames,
                seconds: self.warmup_ns as f64 / 1e9,
                steady: None,
            }),
            state_hash: self.simulation.state_hash(),
            geometry: self.renderer.geometry(),
            gpu_timer: self.renderer.has_gpu_timer(),
            size: self.size,
            samples: self.recorder.into_samples(),
        })
    }
}
