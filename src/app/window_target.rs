//! Canvas: device, surface and renderer, which are lost together.

use std::time::Instant;

use super::frame_profiler::FrameProfiler;
use super::hud_overlay::HudOverlay;
use crate::hud::HudRenderer;
use crate::render::{
    DrawHooks, DrawPhase, Gpu, RenderError, RenderSettings, RenderTarget, Renderer, SceneView,
    WindowSurface,
};

/// What is lost with a device.
pub(super) struct WindowTarget {
    pub(super) renderer: Renderer,
    /// Made when there is something to paint for the first time.
    pub(super) painter: Option<HudRenderer>,
    pub(super) surface: WindowSurface,
    pub(super) gpu: Gpu,
}

impl WindowTarget {
    /// Draws the scene, and the HUD over it, and submits both.
    pub(super) fn draw(
        &mut self,
        texture: &wgpu::SurfaceTexture,
        scene: &SceneView<'_>,
        overlay: &mut HudOverlay,
        profiler: &mut FrameProfiler,
    ) -> Result<(), RenderError> {
        let Self { renderer, painter, surface, gpu } = self;
        renderer.collect_gpu_times().for_each(drop);
        let view = surface.view(texture);
        let target = RenderTarget { view: &view, size: surface.size() };
        let mut hooks = Hooks { overlay, painter, format: surface.format(), profiler };
        renderer.draw_with(gpu, scene, target, &mut hooks)?;
        let sample = profiler.sample();
        sample.gpu = renderer.gpu_times().frame.map(|time| time.as_nanos() as u64);
        sample.upload_bytes = renderer.uploaded_bytes();
        Ok(())
    }

    /// Says with `RUST_LOG=info` what is really in use, which a flag may have asked for or not.
    pub(super) fn report(&self, settings: RenderSettings) {
        let Self { renderer, surface, gpu, .. } = self;
        let (effects, culling) = (settings.effects, settings.culling);
        let on_or_off = |on| if on { "on" } else { "off" };
        log::info!(
            "drawing by {}, present mode {}, streaming {}, geometry {}, ground {}, fog {}, msaa {}, \
             shadows {}, culling {}, small cubes below {} px",
            gpu.summary(),
            surface.present_mode(),
            gpu.streaming().name(),
            renderer.geometry().name(),
            on_or_off(effects.ground),
            on_or_off(effects.fog),
            on_or_off(effects.msaa),
            on_or_off(effects.shadows),
            on_or_off(culling.frustum),
            culling.small_below,
        );
    }
}

/// Times the phases of a frame and draws the HUD over it.
struct Hooks<'a> {
    overlay: &'a mut HudOverlay,
    painter: &'a mut Option<HudRenderer>,
    format: wgpu::TextureFormat,
    profiler: &'a mut FrameProfiler,
}

impl DrawHooks for Hooks<'_> {
    fn phase_ended(&mut self, phase: DrawPhase) {
        self.profiler.lap(phase.into());
    }

    fn overlay(
        &mut self,
        gpu: &Gpu,
        target: RenderTarget<'_>,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        let start = Instant::now();
        let hud = self.overlay.paint(self.painter, gpu, self.format, target.view)?;
        self.profiler.hud_since(start);
        Ok(hud)
    }
}

impl Drop for WindowTarget {
    fn drop(&mut self) {
        // Lets a device that was lost between two calls notice before its surface goes; wgpu would
        // panic otherwise.
        let _ = self.gpu.check();
    }
}
