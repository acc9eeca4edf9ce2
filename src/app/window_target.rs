//! Everything that is lost with a graphics device: the device, the surface and both renderers.

use std::sync::Arc;

use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::checked_window::CheckedWindow;
use super::error::AppError;
use super::frame_profiler::FrameProfiler;
use super::hud_overlay::HudOverlay;
use crate::components::Motion;
use crate::frame;
use crate::hud::{GraphicsInfo, HudRenderer};
use crate::memory;
use crate::render::{
    DrawHooks, DrawPhase, Effects, FramesInFlight, Geometry, Gpu, GpuSettings, OffscreenTarget,
    PresentMode, Quality, Readback, RenderError, RenderSettings, RenderTarget, Renderer, SceneView,
    Size, WindowSurface,
};
use crate::sim::{MAX_CUBES, Simulation};
use crate::time::Instant;

/// A device, the surface of a window, and what draws on it.
pub(super) struct WindowTarget {
    renderer: Renderer,
    hud_renderer: HudRenderer,
    /// Dropped before the surface: the queue of a lost device keeps textures of the surface.
    pub(super) gpu: Gpu,
    pub(super) surface: WindowSurface,
    pub(super) settings: RenderSettings,
    /// What the HUD shows of all this; [`update_info`](Self::update_info) refreshes it.
    pub(super) info: GraphicsInfo,
}

impl WindowTarget {
    /// Opens a device and the surface of `window`. `render_settings` chooses for the device.
    pub(super) async fn open(
        window: &Arc<Window>,
        display: &OwnedDisplayHandle,
        size: Size,
        present_mode: PresentMode,
        gpu_settings: &GpuSettings,
        render_settings: impl FnOnce(&Gpu) -> RenderSettings,
    ) -> Result<Self, RenderError> {
        #[cfg(web)]
        let idle = Arc::downgrade(window);
        let (window, display) = (CheckedWindow(Arc::clone(window)), display.clone());
        let opened = WindowSurface::open(window, display, size, gpu_settings, present_mode);
        let (gpu, surface) = opened.await?;
        // Frames check for a loss, but none is drawn while nothing moves, and the canvas would stay empty.
        #[cfg(web)]
        gpu.on_loss(move || {
            if let Some(window) = idle.upgrade() {
                window.request_redraw();
            }
        });
        let settings = render_settings(&gpu);
        let info = GraphicsInfo {
            adapter: gpu.summary(),
            software: gpu.is_software(),
            has_timestamps: gpu.has_timestamps(),
            max_cubes: max_cubes(&gpu),
            ..GraphicsInfo::default()
        };
        let mut target = Self {
            renderer: Renderer::new(&gpu, surface.format(), settings)?,
            hud_renderer: HudRenderer::new(&gpu, surface.format())?,
            surface,
            gpu,
            settings,
            info,
        };
        target.settings_changed();
        Ok(target)
    }

    /// Draws with other settings from the next frame on.
    pub(super) fn set_settings(&mut self, settings: RenderSettings) -> Result<(), RenderError> {
        self.renderer = Renderer::new(&self.gpu, self.surface.format(), settings)?;
        self.settings = settings;
        self.settings_changed();
        Ok(())
    }

    /// Prepares a switch of the fall mode. Logs the settings in use, which may differ from those of the flags, and shows them
    /// in the HUD.
    fn settings_changed(&mut self) {
        self.renderer.prepare_switch();
        let Self { renderer, surface, gpu, settings, info, .. } = self;
        let RenderSettings { effects, culling, .. } = *settings;
        info.quality = Quality::ALL
            .into_iter()
            .find(|quality| Effects { ground: effects.ground, ..quality.effects() } == effects);
        info.culling = culling.frustum;
        log::info!(
            "rendering with {}, present mode {}, streaming {}, geometry {}, effects: {}",
            gpu.summary(),
            surface.present_mode(),
            gpu.streaming().name(),
            renderer.geometry().name(),
            renderer.settings(),
        );
    }

    /// Discards the GPU times of the frames in flight.
    pub(super) fn discard_gpu_times(&mut self) {
        self.renderer.discard_gpu_times();
    }

    /// Refreshes what changes from frame to frame.
    pub(super) fn update_info(&mut self, fullscreen: bool) {
        self.info.draw_stats = self.renderer.draw_stats();
        self.info.can_cull = self.renderer.geometry() == Geometry::Pulled;
        self.info.present_mode = self.surface.present_mode();
        self.info.fullscreen = fullscreen;
    }

    /// Draws the scene and the HUD over it, in one submission.
    pub(super) fn draw(
        &mut self,
        texture: &wgpu::SurfaceTexture,
        scene: &SceneView<'_>,
        overlay: &mut HudOverlay,
        profiler: &mut FrameProfiler,
    ) -> Result<(), RenderError> {
        let Self { renderer, hud_renderer, surface, gpu, .. } = self;
        renderer.collect_gpu_times().for_each(drop);
        let view = surface.view(texture);
        let target = RenderTarget { view: &view, size: surface.size() };
        renderer.draw_with(gpu, scene, target, &mut Hooks { overlay, hud_renderer, profiler })?;
        let sample = profiler.recorder.current();
        sample.gpu = renderer.gpu_times().frame.map(|time| time.as_nanos() as u64);
        sample.upload_bytes = renderer.uploaded_bytes();
        Ok(())
    }

    /// Returns `true` if the ground of scenes is drawn.
    pub(super) fn shows_ground(&self) -> bool {
        self.settings.effects.ground
    }

    /// Draws the scene without the HUD into an image of the window's size, which arrives some frames later.
    pub(super) fn screenshot(&self, simulation: &Simulation) -> Result<Readback, AppError> {
        let (size, frames) = (self.surface.size(), FramesInFlight::One);
        let images = self.gpu.memory_of_images(size, self.settings.effects, frames);
        let cubes = simulation.cubes().count() as u64 * self.gpu.memory_per_cube(frames);
        memory::check("the screenshot", images + cubes)?;
        let target = OffscreenTarget::new(&self.gpu, size)?;
        let mut renderer = Renderer::new(&self.gpu, OffscreenTarget::FORMAT, self.settings)?;
        renderer.draw(&self.gpu, &frame::scene_view(simulation), target.target())?;
        Ok(target.start_reading(&self.gpu)?)
    }
}

impl Drop for WindowTarget {
    fn drop(&mut self) {
        // wgpu panics if a surface is dropped before a loss of its device was noticed.
        let _ = self.gpu.check();
    }
}

/// Measures the phases of a frame and draws the HUD.
struct Hooks<'a> {
    overlay: &'a mut HudOverlay,
    hud_renderer: &'a mut HudRenderer,
    profiler: &'a mut FrameProfiler,
}

impl DrawHooks for Hooks<'_> {
    fn phase_ended(&mut self, phase: DrawPhase) {
        self.profiler.recorder.end_phase(phase.into());
    }

    fn overlay(
        &mut self,
        gpu: &Gpu,
        target: RenderTarget<'_>,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        let start = Instant::now();
        let hud = self.overlay.encode(self.hud_renderer, gpu, target.view)?;
        self.profiler.hud_since(start);
        Ok(hud)
    }
}

/// Returns how many cubes the device and the simulation can hold with any motion.
fn max_cubes(gpu: &Gpu) -> u32 {
    u32::try_from(gpu.capacity(Motion::Integrated)).unwrap_or(u32::MAX).min(MAX_CUBES)
}
