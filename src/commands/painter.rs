//! Painter: draws a simulation off screen, on another device if one is lost.

use std::time::Instant;

use crate::cli::GraphicsArgs;
use crate::frame;
use crate::render::{
    AdapterSummary, Gpu, Image, OffscreenTarget, RecoveryPolicy, RenderError, Renderer, Size,
};
use crate::sim::Simulation;

/// Draws pictures of one size.
pub(super) struct Painter<'a> {
    settings: &'a GraphicsArgs,
    size: Size,
    canvas: Canvas,
    recovery: RecoveryPolicy,
    /// How many attempts at the next picture lose their device.
    to_lose: u64,
}

impl<'a> Painter<'a> {
    pub(super) fn open(settings: &'a GraphicsArgs, size: Size) -> Result<Self, RenderError> {
        let canvas = Canvas::open(settings, size)?;
        Ok(Self { settings, size, canvas, recovery: RecoveryPolicy::default(), to_lose: 0 })
    }

    /// Refuses more cubes than the device can hold.
    pub(super) fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        self.canvas.gpu.check_capacity(cubes)
    }

    /// What draws.
    pub(super) fn summary(&self) -> AdapterSummary {
        self.canvas.gpu.summary()
    }

    /// So many further attempts lose their device.
    pub(super) fn lose(&mut self, attempts: u64) {
        self.to_lose += attempts;
    }

    /// What the camera sees now.
    pub(super) fn draw(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        loop {
            if self.to_lose > 0 {
                self.to_lose -= 1;
                self.canvas.gpu.inject_loss();
            }
            match self.canvas.draw(simulation) {
                // All that is drawn is in the simulation, so another device can draw it, too.
                Err(RenderError::DeviceLost(_)) if self.recovery.record_loss(Instant::now()) => {
                    self.canvas = Canvas::open(self.settings, self.size)?;
                }
                drawn => return drawn,
            }
        }
    }
}

/// A device and what is drawn on.
struct Canvas {
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Canvas {
    fn open(settings: &GraphicsArgs, size: Size) -> Result<Self, RenderError> {
        let gpu = pollster::block_on(Gpu::headless(&settings.gpu()))?;
        let target = OffscreenTarget::new(&gpu, size)?;
        let renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, settings.still())?;
        Ok(Self { renderer, target, gpu })
    }

    fn draw(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        let Self { renderer, target, gpu } = self;
        // A device that is lost takes every call and says nothing, unless it is asked.
        gpu.check()?;
        renderer.draw(gpu, &frame::scene_view(simulation), target.target())?;
        target.read(gpu)
    }
}
