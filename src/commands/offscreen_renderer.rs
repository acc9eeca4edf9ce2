//! Offscreen renderer: images of a simulation. Survives losses of the graphics device.

use std::thread;
use std::time::Instant;

use crate::components::Motion;
use crate::frame;
use crate::memory::CubeMemory;
use crate::output;
use crate::render::{
    AdapterSummary, FramesInFlight, Gpu, GpuSettings, Image, OffscreenTarget, RecoveryPolicy,
    RenderError, RenderSettings, Renderer, Size,
};
use crate::sim::Simulation;

/// Renders images of one size.
pub(super) struct OffscreenRenderer {
    gpu_settings: GpuSettings,
    render_settings: RenderSettings,
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
    frames: FramesInFlight,
    /// Main memory per pixel that the images take outside of the renderer.
    bytes_per_pixel: u64,
    recovery: RecoveryPolicy,
    /// Losses still to be injected, one per attempt.
    injected_losses: u64,
}

/// Returns whether a signal asks a command to end that listens to signals.
fn is_ending() -> bool {
    #[cfg(feature = "record")]
    return crate::interrupt::received().is_some();
    #[cfg(not(feature = "record"))]
    false
}

impl OffscreenRenderer {
    pub(super) fn new(
        gpu_settings: GpuSettings,
        render_settings: RenderSettings,
        size: Size,
        frames: FramesInFlight,
        bytes_per_pixel: u64,
    ) -> Result<Self, RenderError> {
        let gpu = pollster::block_on(Gpu::headless(&gpu_settings))?;
        frame::check_size(&gpu, size, render_settings.effects, frames, bytes_per_pixel)?;
        Ok(Self {
            gpu_settings,
            render_settings,
            target: OffscreenTarget::new(&gpu, size)?,
            renderer: Renderer::new(&gpu, OffscreenTarget::FORMAT, render_settings)?,
            gpu,
            frames,
            bytes_per_pixel,
            recovery: RecoveryPolicy::default(),
            injected_losses: 0,
        })
    }

    /// Returns an error if the device cannot draw so many cubes with this motion.
    pub(super) fn check_capacity(&self, cubes: usize, motion: Motion) -> Result<(), RenderError> {
        self.gpu.check_capacity(cubes, motion)
    }

    /// Returns the memory of the cubes that are simulated and drawn, and of the images.
    pub(super) fn memory(&self) -> CubeMemory {
        let Self { gpu, frames, target, render_settings, bytes_per_pixel, .. } = self;
        let images = gpu.memory_of_images(target.size(), render_settings.effects, *frames);
        let fixed = images + bytes_per_pixel * target.size().pixels();
        CubeMemory { fixed, ..frame::cube_memory(gpu, *frames) }
    }

    pub(super) fn adapter(&self) -> AdapterSummary {
        self.gpu.summary()
    }

    /// Loses the device in the next `attempts` to render.
    pub(super) fn inject_losses(&mut self, attempts: u64) {
        self.injected_losses += attempts;
    }

    /// Renders the view of the camera. Repeats the frame on a new device if the device is lost.
    pub(super) fn render(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        loop {
            if self.injected_losses > 0 {
                self.injected_losses -= 1;
                self.gpu.inject_loss();
            }
            match self.try_render(simulation) {
                Err(RenderError::DeviceLost(why)) => {
                    self.recovery.record_loss(&why, Instant::now())?;
                    output::status(&format!(
                        "the graphics device was lost ({why}); opening it again"
                    ));
                    let gpu = pollster::block_on(self.gpu_settings.reopen(
                        self.gpu.is_software(),
                        Gpu::headless,
                        async |time| thread::sleep(time),
                        is_ending,
                    ))?;
                    let target = OffscreenTarget::new(&gpu, self.target.size())?;
                    let renderer =
                        Renderer::new(&gpu, OffscreenTarget::FORMAT, self.render_settings)?;
                    (self.renderer, self.target, self.gpu) = (renderer, target, gpu);
                }
                result => return result,
            }
        }
    }

    fn try_render(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        // A lost device accepts every call without an error, so check first.
        self.gpu.check()?;
        self.renderer.draw(&self.gpu, &frame::scene_view(simulation), self.target.target())?;
        self.target.read(&self.gpu)
    }
}
