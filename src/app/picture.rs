//! Picture: how the screen draws, changed while it does, and what the HUD says of it.

use super::window::AppWindow;
use super::window_target::WindowTarget;
use crate::benchmark::Machine;
use crate::cli::GraphicsArgs;
use crate::frame;
use crate::hud::GraphicsInfo;
use crate::render::{
    Geometry, Gpu, Image, OffscreenTarget, Quality, RenderError, RenderSettings, Renderer,
};
use crate::sim::Simulation;

/// Of the ECS and of the GPU, which may be the same memory.
const BYTES_PER_CUBE: u64 = 256;

impl AppWindow {
    /// The picture without the HUD, of the size of the window.
    pub(super) fn picture(&self, simulation: &Simulation) -> Result<Option<Image>, RenderError> {
        let Some(WindowTarget { gpu, surface, .. }) = &self.target else { return Ok(None) };
        let target = OffscreenTarget::new(gpu, surface.size())?;
        let settings = self.graphics.live(gpu);
        let mut renderer = Renderer::new(gpu, OffscreenTarget::FORMAT, settings)?;
        renderer.draw(gpu, &frame::scene_view(simulation), target.target())?;
        target.read(gpu).map(Some)
    }

    /// Draws with the effects of a quality from now on, whatever was asked for one by one.
    pub(super) fn set_quality(&mut self, quality: Quality) -> Result<(), RenderError> {
        let GraphicsArgs { shadows, msaa, fog, ground, .. } = &mut self.graphics;
        for effect in [shadows, msaa, fog, ground] {
            *effect = None;
        }
        self.graphics.quality = Some(quality);
        self.renew_renderer()
    }

    /// Leaves out what is not in the picture, or no longer does.
    pub(super) fn set_culling(&mut self, culling: bool) -> Result<(), RenderError> {
        self.graphics.culling = Some(culling);
        self.renew_renderer()
    }

    fn renew_renderer(&mut self) -> Result<(), RenderError> {
        if let Some(target) = &mut self.target {
            let settings = self.graphics.live(&target.gpu);
            target.renderer = Renderer::new(&target.gpu, target.surface.format(), settings)?;
            target.report(settings);
            describe_picture(&mut self.graphics_info, target, settings);
        }
        Ok(())
    }

    /// What draws, and how; as of the last [`describe`](Self::describe).
    pub(super) fn graphics_info(&self) -> &GraphicsInfo {
        &self.graphics_info
    }

    /// Brings [`graphics_info`](Self::graphics_info) up to date.
    pub(super) fn describe(&mut self) {
        let (drawn, _) = self.drawn();
        self.graphics_info.draw_stats = drawn;
        self.graphics_info.present_mode = self.present_mode();
        self.graphics_info.fullscreen = self.is_fullscreen();
    }
}

/// What of the HUD's description follows from how the picture is drawn.
pub(super) fn describe_picture(
    info: &mut GraphicsInfo,
    target: &WindowTarget,
    settings: RenderSettings,
) {
    let RenderSettings { effects, culling, .. } = settings;
    info.quality = Quality::ALL.into_iter().find(|quality| quality.effects() == effects);
    info.culling = culling.frustum;
    info.can_cull = target.renderer.geometry() == Geometry::Pulled;
}

/// How many cubes the device and half of the machine's memory can hold.
pub(super) fn most_cubes(gpu: &Gpu) -> u32 {
    let memory = match Machine::current().memory_bytes {
        0 => u64::MAX,
        bytes => bytes / 2 / BYTES_PER_CUBE,
    };
    u32::try_from(gpu.capacity().min(memory)).unwrap_or(u32::MAX).max(1)
}
