//! The window of the demo: its size and visibility, and the frames drawn in it.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use winit::dpi::PhysicalSize;
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::window::{Fullscreen, Window};

use super::checked_window::CheckedWindow;
use super::error::AppError;
use super::frame_profiler::FrameProfiler;
use super::host;
use super::hud_overlay::HudOverlay;
use super::settings::WindowSettings;
use super::visibility::Visibility;
use super::window_target::WindowTarget;
use crate::benchmark::FramePhase;
use crate::cli::{FaultArgs, GraphicsArgs, Injection};
use crate::components::Motion;
use crate::frame;
use crate::render::{
    Acquired, FramesInFlight, Gpu, GpuSettings, PresentMode, RecoveryPolicy, RenderError,
    SceneView, Size,
};
use crate::time::Instant;

/// Longest time from a request to its frame in a visible window. After a longer one, the window counts as hidden.
const HIDDEN_AFTER: Duration = Duration::from_secs(2);

/// A window without a device.
pub(super) struct BareWindow {
    winit: Arc<Window>,
    display: OwnedDisplayHandle,
    is_wayland: bool,
}

impl BareWindow {
    /// Opens the window as the window system allows.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        settings: &WindowSettings,
    ) -> Result<Self, AppError> {
        let attributes = host::window_attributes(event_loop, settings);
        let winit = event_loop.create_window(attributes).map_err(AppError::window)?;
        host::place(&winit, event_loop, settings);
        let (display, is_wayland) =
            (event_loop.owned_display_handle(), host::is_wayland(event_loop));
        Ok(Self { winit: Arc::new(winit), display, is_wayland })
    }
}

/// What became of a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    Presented,
    /// The window system had no texture for it; the next frame follows at once.
    Skipped,
    /// The window is not visible, so the next frame can wait.
    Hidden,
}

/// A window, its device, and whether it can be seen.
pub(super) struct AppWindow {
    pub(super) target: WindowTarget,
    pub(super) overlay: HudOverlay,
    device_losses: RecoveryPolicy,
    /// Settings of flags, preferences and the HUD; the rest is chosen by adapter.
    graphics: GraphicsArgs,
    /// Motion of the cubes drawn last.
    motion: Motion,
    /// The mode that was asked for. The surface may use another one.
    present_mode: PresentMode,
    /// Faults to inject, for tests.
    faults: FaultArgs,
    /// The last injected loss, or else the start.
    last_loss: Instant,
    display: OwnedDisplayHandle,
    pub(super) winit: Arc<Window>,
    /// Size in pixels. Keeps the last one while the window has no area.
    pub(super) size: Size,
    /// Number of frames drawn.
    frames: u64,
    is_wayland: bool,
    /// When the next frame was requested.
    requested: Cell<Option<Instant>>,
    visibility: Visibility,
}

impl AppWindow {
    /// Opens a device that draws on a window.
    pub(super) async fn open(
        BareWindow { winit, display, is_wayland }: BareWindow,
        settings: &WindowSettings,
    ) -> Result<Self, AppError> {
        let inner = winit.inner_size();
        let inner = Size::new(inner.width, inner.height);
        let size = inner.or(settings.size).unwrap_or_default();
        let (present_mode, graphics) = (settings.present_mode, settings.graphics.clone());
        let gpu_settings = settings.faults.refuse(graphics.gpu());
        let render_settings = |gpu: &Gpu| graphics.live(gpu, settings.motion);
        let target = WindowTarget::open(
            &winit,
            &display,
            size,
            present_mode,
            &gpu_settings,
            render_settings,
        );
        let target = target.await.inspect_err(|_| CheckedWindow(Arc::clone(&winit)).check())?;
        // Not when a lost device is opened again: the size was drawn before.
        frame::check_size(&target.gpu, size, target.settings.effects, FramesInFlight::Shown, 0)?;
        winit.request_redraw();
        let visibility = Visibility::of(&winit);
        let overlay = HudOverlay::new(&winit, display.clone(), settings);
        let mut window = Self {
            target,
            overlay,
            device_losses: RecoveryPolicy::default(),
            graphics,
            motion: settings.motion,
            present_mode,
            faults: settings.faults.clone(),
            last_loss: Instant::now(),
            display,
            winit,
            size,
            frames: 0,
            is_wayland,
            requested: Cell::new(None),
            visibility,
        };
        // A browser says the size only while the device is opened.
        let PhysicalSize { width, height } = window.winit.inner_size();
        window.resize(width, height);
        Ok(window)
    }

    /// Opens the device again after a loss. The simulation holds everything that is drawn, so the next
    /// frame is the one that was lost.
    pub(super) async fn reopen(mut self, reason: String) -> Result<Self, RenderError> {
        self.device_losses.record_loss(&reason, Instant::now())?;
        log::warn!("the graphics device was lost ({reason}); opening it again");
        // Keeps the driver loaded: Mesa 22.3 leaks 27 KB each time it is loaded.
        let _driver = self.target.gpu.instance().clone();
        let lost_software = self.target.gpu.is_software();
        // A window has one surface at a time.
        drop(self.target);
        let (winit, display) = (&self.winit, &self.display);
        let (size, present_mode) = (self.size, self.present_mode);
        let settings = self.faults.refuse(self.graphics.gpu());
        let render_settings = |gpu: &Gpu| self.graphics.live(gpu, self.motion);
        let open = async |settings: &GpuSettings| {
            let open =
                WindowTarget::open(winit, display, size, present_mode, settings, &render_settings);
            Box::pin(open).await
        };
        let target = settings.reopen(lost_software, open, host::sleep, host::is_ending).await?;
        self.overlay.renew(&self.winit);
        Ok(Self { target, ..self })
    }

    /// Settings of flags, preferences and the HUD.
    pub(super) fn graphics(&self) -> &GraphicsArgs {
        &self.graphics
    }

    /// Draws with other graphics settings from the next frame on. On an error nothing is changed.
    pub(super) fn set_graphics(&mut self, graphics: GraphicsArgs) -> Result<(), RenderError> {
        self.target.set_settings(graphics.live(&self.target.gpu, self.motion))?;
        self.graphics = graphics;
        Ok(())
    }

    /// Returns `true` if the window system is Wayland.
    pub(super) fn is_wayland(&self) -> bool {
        self.is_wayland
    }

    /// Returns the number of frames drawn.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    pub(super) fn request_redraw(&self) {
        let first = self.requested.get().unwrap_or_else(Instant::now);
        self.requested.set(Some(first));
        self.winit.request_redraw();
    }

    /// Returns whether a frame comes only when the display is ready, so that waiting for it is waiting for the display.
    pub(super) fn is_paced(&self) -> bool {
        self.is_wayland && self.target.surface.present_mode().waits_for_vblank()
    }

    /// Returns whether the frame came long after its request: Wayland requests none from a window that is not visible.
    pub(super) fn was_hidden(&self) -> bool {
        let requested = self.requested.take();
        self.is_wayland && requested.is_some_and(|at| at.elapsed() > HIDDEN_AFTER)
    }

    pub(super) fn is_fullscreen(&self) -> bool {
        self.winit.fullscreen().is_some()
    }

    /// Returns whether the window is maximized. `None` for a minimized one and for full screen. Asks the display.
    pub(super) fn is_maximized(&self) -> Option<bool> {
        let is_other = self.is_fullscreen() || self.winit.is_minimized() == Some(true);
        (!is_other).then(|| self.winit.is_maximized())
    }

    /// Refreshes what the HUD and the title show.
    pub(super) fn update_info(&mut self) {
        self.target.update_info(self.is_fullscreen());
    }

    /// Returns whether the present mode in use waits for the display.
    pub(super) fn waits_for_vblank(&self) -> bool {
        self.target.surface.present_mode().waits_for_vblank()
    }

    pub(super) fn toggle_vsync(&mut self) -> Result<(), RenderError> {
        let waits = self.present_mode.waits_for_vblank();
        self.present_mode = if waits { PresentMode::NoVsync } else { PresentMode::Vsync };
        self.target.surface.set_present_mode(self.present_mode)
    }

    pub(super) fn toggle_fullscreen(&self) {
        // The window system may have changed it. X11 does not report it.
        let borderless = Fullscreen::Borderless(None);
        self.winit.set_fullscreen((!self.is_fullscreen()).then_some(borderless));
    }

    pub(super) fn set_occluded(&mut self, occluded: bool) {
        self.visibility.occluded = occluded;
        if !occluded {
            self.winit.request_redraw();
        }
    }

    /// Returns whether nothing of the window is visible, as far as is known.
    pub(super) fn is_hidden(&self) -> bool {
        self.visibility.is_hidden()
    }

    /// Asks the display whether it shows the window. Too slow for every frame.
    pub(super) fn poll_visibility(&mut self) {
        self.visibility.poll(&self.winit);
    }

    /// Follows a new size of the window. Many may arrive between two frames; the last one counts.
    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if let Some(size) = self.visibility.resized(width, height) {
            self.size = size;
            self.target.surface.resize(&self.target.gpu, size);
            self.winit.request_redraw();
        }
    }

    /// Draws a frame: the scene and the HUD.
    pub(super) fn draw(
        &mut self,
        scene: &SceneView<'_>,
        profiler: &mut FrameProfiler,
    ) -> Result<Drawn, RenderError> {
        if self.is_hidden() {
            // At once: the content of a restored window is black until the next frame.
            self.poll_visibility();
        }
        self.inject_due_loss();
        self.target.gpu.check()?;
        self.follow_motion(scene)?;
        if self.is_hidden() {
            return Ok(Drawn::Hidden);
        }
        let Self { target, overlay, faults, frames, .. } = self;
        // What the actions of widgets took, and new graphics settings.
        profiler.recorder.end_phase(FramePhase::Other);
        let texture = match target.surface.acquire(&target.gpu)? {
            Acquired::Frame(texture) => texture,
            Acquired::Skip => return Ok(Drawn::Skipped),
            Acquired::Later => return Ok(Drawn::Hidden),
        };
        profiler.recorder.end_phase(FramePhase::Acquire);
        if faults.inject.contains(&Injection::DeviceLossAcquired(*frames)) {
            target.gpu.inject_loss();
        }
        log::trace!("frame {frames}");
        *frames += 1;
        if let Err(error) = target.draw(&texture, scene, overlay, profiler) {
            target.surface.discard(&target.gpu, texture);
            return Err(error);
        }
        if target.surface.present_mode().waits_for_vblank() {
            self.winit.pre_present_notify();
        }
        target.surface.present(&target.gpu, texture);
        profiler.recorder.end_phase(FramePhase::Present);
        Ok(Drawn::Presented)
    }

    /// Loses the device if a fault of a test is due.
    fn inject_due_loss(&mut self) {
        let is_due = |fault: &Injection| match *fault {
            Injection::DeviceLoss(frame) => frame == self.frames,
            Injection::DeviceLossEvery(seconds) => self.last_loss.elapsed().as_secs() >= seconds,
            _ => false,
        };
        if self.faults.inject.iter().any(is_due) {
            self.last_loss = Instant::now();
            self.frames += 1;
            self.target.gpu.inject_loss();
        }
    }

    /// Chooses the render settings for the motion of the cubes, if it has changed.
    fn follow_motion(&mut self, scene: &SceneView<'_>) -> Result<(), RenderError> {
        let motion = if scene.motion.is_some() { Motion::Evaluated } else { Motion::Integrated };
        if motion == self.motion {
            return Ok(());
        }
        let settings = self.graphics.live(&self.target.gpu, motion);
        if settings != self.target.settings {
            self.target.set_settings(settings)?;
        }
        self.motion = motion;
        Ok(())
    }
}
