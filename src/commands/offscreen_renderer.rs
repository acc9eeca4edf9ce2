//! Offscreen renderer: images of a simulation, through losses of the graphics device.

use std::time::Instant;

use crate::cli::GraphicsArgs;
use crate::frame;
use crate::render::{
    AdapterSummary, Gpu, GpuSettings, Image, OffscreenTarget, RecoveryPolicy, RenderError,
    RenderSettings, Renderer, Size,
};
use crate::sim::Simulation;

/// Renders images of one size.
pub(super) struct OffscreenRenderer {
    gpu_settings: GpuSettings,
    render_settings: RenderSettings,
    size: Size,
    device: Device,
    recovery: RecoveryPolicy,
    /// Losses still to be injected, one per attempt.
    injected_losses: u64,
}

impl OffscreenRenderer {
    pub(super) fn new(graphics: &GraphicsArgs, size: Size) -> Result<Self, RenderError> {
        let (gpu_settings, render_settings) = (graphics.gpu(), graphics.still());
        Ok(Self {
            device: Device::open(&gpu_settings, render_settings, size)?,
            gpu_settings,
            render_settings,
            size,
            recovery: RecoveryPolicy::default(),
            injected_losses: 0,
        })
    }

    /// Returns an error if the device cannot hold `cubes`.
    pub(super) fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        self.device.gpu.check_capacity(cubes)
    }

    pub(super) fn adapter(&self) -> AdapterSummary {
        self.device.gpu.summary()
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
                self.device.gpu.inject_loss();
            }
            match self.device.render(simulation) {
                Err(RenderError::DeviceLost(_)) if self.recovery.record_loss(Instant::now()) => {
                    self.device =
                        Device::open(&self.gpu_settings, self.render_settings, self.size)?;
                }
                result => return result,
            }
        }
    }
}

/// A graphics device, its renderer and its target, which are lost together.
struct Device {
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Device {
    fn open(
        gpu_settings: &GpuSettings,
        render_settings: RenderSettings,
        size: Size,
    ) -> Result<Self, RenderError> {
        let gpu = pollster::block_on(Gpu::headless(gpu_settings))?;
        let target = OffscreenTarget::new(&gpu, size)?;
        let renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, render_settings)?;
        Ok(Self { renderer, target, gpu })
    }

    fn render(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        let Self { renderer, target, gpu } = self;
        // A lost device accepts every call without an error, so check first.
        gpu.check()?;
        renderer.draw(gpu, &frame::scene_view(simulation), target.target())?;
        target.read(gpu)
    }
}
