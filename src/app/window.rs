//! Screen: a window and what draws on it.

use std::sync::Arc;
use std::time::Instant;

use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::window::{Fullscreen, Window};

use super::frame_profiler::FrameProfiler;
use super::hud_overlay::HudOverlay;
use super::picture::{describe_picture, most_cubes};
use super::preferences::WindowSettings;
use super::window_target::WindowTarget;
use super::{AppError, icon};
use crate::benchmark::FramePhase;
use crate::cli::{GraphicsArgs, Injection};
use crate::components::Transform;
use crate::frame;
use crate::hud::{GraphicsInfo, Tone};
use crate::render::{
    Acquired, DrawStats, Gpu, GpuTimes, PresentMode, RecoveryPolicy, RenderError, Renderer, Size,
    WindowSurface,
};
use crate::sim::Simulation;

/// How much of a window has to be on a screen for it to be opened there, in pixels.
const LEAST_SEEN: i64 = 64;

/// A window and what draws on it.
pub(super) struct AppWindow {
    /// Absent only while it is made anew after the device was lost.
    pub(super) target: Option<WindowTarget>,
    recovery: RecoveryPolicy,
    pub(super) graphics: GraphicsArgs,
    /// What the HUD says of it.
    pub(super) graphics_info: GraphicsInfo,
    /// Faults to be brought about.
    faults: Vec<Injection>,
    present_mode: PresentMode,
    display: OwnedDisplayHandle,
    window: Arc<Window>,
    /// In pixels, as long as it has an area.
    size: Size,
    /// Pictures drawn so far.
    frames: u64,
    /// The window has no area, as when it is minimised.
    empty: bool,
    /// Other windows cover it wholly.
    covered: bool,
    /// The window is put away; not every window system says so of its own accord.
    minimised: bool,
}

impl AppWindow {
    /// Opens a window, at `position` if that can be seen.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        settings: &WindowSettings,
        position: Option<PhysicalPosition<i32>>,
    ) -> Result<Self, AppError> {
        let mut attributes = Window::default_attributes()
            .with_title("Cubefall")
            .with_window_icon(icon::icon())
            .with_inner_size(PhysicalSize::new(settings.size.width(), settings.size.height()))
            .with_fullscreen(borderless(settings.fullscreen));
        if let Some(position) = position.filter(|&at| is_on_a_screen(event_loop, at)) {
            attributes = attributes.with_position(position);
        }
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| AppError::Window(error.to_string()))?;
        let inner = window.inner_size();
        let inner = Size::new(inner.width, inner.height);
        let mut screen = Self {
            target: None,
            recovery: RecoveryPolicy::default(),
            graphics: settings.graphics.clone(),
            graphics_info: GraphicsInfo::default(),
            faults: settings.faults.clone(),
            present_mode: settings.present_mode,
            display: event_loop.owned_display_handle(),
            window: Arc::new(window),
            size: inner.unwrap_or(settings.size),
            frames: 0,
            empty: inner.is_none(),
            covered: false,
            minimised: false,
        };
        screen.open_target()?;
        screen.window.request_redraw();
        Ok(screen)
    }

    fn open_target(&mut self) -> Result<(), RenderError> {
        let (window, display) = (Arc::clone(&self.window), self.display.clone());
        let settings = self.graphics.gpu();
        let open = WindowSurface::open(window, display, self.size, &settings, self.present_mode);
        let (gpu, surface) = pollster::block_on(open)?;
        let settings = self.graphics.live(&gpu);
        let renderer = Renderer::new(&gpu, surface.format(), settings)?;
        let target = WindowTarget { renderer, painter: None, surface, gpu };
        target.report(settings);
        let summary = target.gpu.summary();
        self.graphics_info = GraphicsInfo {
            adapter: summary.to_string(),
            adapter_name: summary.name,
            backend: summary.backend,
            software: target.gpu.is_software(),
            has_timestamps: target.gpu.has_timestamps(),
            max_cubes: most_cubes(&target.gpu),
            ..GraphicsInfo::default()
        };
        describe_picture(&mut self.graphics_info, &target, settings);
        self.target = Some(target);
        Ok(())
    }

    /// In pixels, as the next picture will be.
    pub(super) fn size(&self) -> Size {
        self.target.as_ref().map_or(self.size, |target| target.surface.size())
    }

    /// In pixels, as the window system last said.
    pub(super) fn window_size(&self) -> Size {
        self.size
    }

    pub(super) fn is_fullscreen(&self) -> bool {
        self.window.fullscreen().is_some()
    }

    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    pub(super) fn gpu(&self) -> Option<&Gpu> {
        self.target.as_ref().map(|target| &target.gpu)
    }

    /// What was drawn last, and what the GPU took for a picture not long ago.
    pub(super) fn drawn(&self) -> (DrawStats, GpuTimes) {
        let drawn =
            |target: &WindowTarget| (target.renderer.draw_stats(), target.renderer.gpu_times());
        self.target.as_ref().map(drawn).unwrap_or_default()
    }

    /// The present mode really in use.
    pub(super) fn present_mode(&self) -> PresentMode {
        self.target.as_ref().map_or(self.present_mode, |target| target.surface.present_mode())
    }

    /// Waits for the display before each picture, or no longer does.
    pub(super) fn toggle_vsync(&mut self) -> Result<(), RenderError> {
        let waits = self.present_mode.waits_for_vblank();
        self.present_mode = if waits { PresentMode::NoVsync } else { PresentMode::Vsync };
        match &mut self.target {
            Some(target) => target.surface.set_present_mode(self.present_mode),
            None => Ok(()),
        }
    }

    pub(super) fn toggle_fullscreen(&self) {
        // The window manager may have changed it without being asked by us.
        self.window.set_fullscreen(borderless(self.window.fullscreen().is_none()));
    }

    pub(super) fn set_covered(&mut self, covered: bool) {
        self.covered = covered;
        if !covered {
            self.window.request_redraw();
        }
    }

    /// Asks whether the window is put away, which takes an answer from the display: not for every
    /// picture.
    pub(super) fn look_if_minimised(&mut self) {
        self.minimised = self.window.is_minimized() == Some(true);
    }

    /// The window has a new size; many of them may come before the next draw, which follows the
    /// last.
    pub(super) fn resized(&mut self, width: u32, height: u32) {
        let size = Size::new(width.min(Size::LARGEST), height.min(Size::LARGEST));
        self.empty = size.is_none();
        if let Some(size) = size {
            self.size = size;
            if let Some(target) = &mut self.target {
                target.surface.resize(&target.gpu, size);
            }
            self.window.request_redraw();
        }
    }

    /// Draws the cubes as the camera sees them, one of them outlined, and the HUD over them. False if the window cannot be
    /// seen: there is no hurry to draw again. A device that was lost is opened again: all that is
    /// drawn is in the simulation, so the next picture is what it would have been.
    pub(super) fn draw(
        &mut self,
        simulation: &Simulation,
        outlined: Option<Transform>,
        overlay: &mut HudOverlay,
        profiler: &mut FrameProfiler,
    ) -> Result<bool, AppError> {
        match self.try_draw(simulation, outlined, overlay, profiler) {
            Err(RenderError::DeviceLost(reason)) => {
                if !self.recovery.record_loss(Instant::now()) {
                    return Err(RenderError::DeviceLost(reason).into());
                }
                log::warn!("the graphics device was lost ({reason}); opening it again");
                // The old surface goes before the window gets another one.
                self.target = None;
                self.open_target()?;
                overlay.renew(&self.window);
                overlay.hud.notify(Tone::Failed, "The graphics device was lost and opened again");
                Ok(true)
            }
            drawn => Ok(drawn?),
        }
    }

    fn try_draw(
        &mut self,
        simulation: &Simulation,
        outlined: Option<Transform>,
        overlay: &mut HudOverlay,
        profiler: &mut FrameProfiler,
    ) -> Result<bool, RenderError> {
        let Some(target) = &mut self.target else { return Ok(false) };
        let injected = |fault| self.faults.contains(&fault);
        if injected(Injection::DeviceLoss(self.frames)) {
            self.frames += 1;
            target.gpu.inject_loss();
        }
        target.gpu.check()?;
        if self.empty || self.covered || self.minimised {
            return Ok(false);
        }
        let texture = match target.surface.acquire(&target.gpu)? {
            Acquired::Frame(texture) => texture,
            Acquired::Skip => return Ok(true),
            Acquired::Later => return Ok(false),
        };
        profiler.lap(FramePhase::Acquire);
        if injected(Injection::DeviceLossAcquired(self.frames)) {
            target.gpu.inject_loss();
        }
        log::trace!("frame {}", self.frames);
        self.frames += 1;
        let scene = frame::scene_view(simulation).with_outline(outlined);
        target.draw(&texture, &scene, overlay, profiler)?;
        self.window.pre_present_notify();
        target.surface.present(&target.gpu, texture);
        profiler.lap(FramePhase::Present);
        Ok(true)
    }
}

/// Whether some of the top of a window would be on a screen that is there: it can be moved by that.
fn is_on_a_screen(event_loop: &ActiveEventLoop, at: PhysicalPosition<i32>) -> bool {
    event_loop.available_monitors().any(|screen| {
        let (from, size) = (screen.position(), screen.size());
        let within = |at: i32, from: i32, size: u32| {
            let offset = i64::from(at) - i64::from(from);
            (0..i64::from(size) - LEAST_SEEN).contains(&offset)
        };
        within(at.x, from.x, size.width) && within(at.y, from.y, size.height)
    })
}

fn borderless(fullscreen: bool) -> Option<Fullscreen> {
    fullscreen.then_some(Fullscreen::Borderless(None))
}
