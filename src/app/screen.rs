//! Screen: a window and what draws on it.

use std::sync::Arc;

use winit::dpi::PhysicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

use super::AppError;
use crate::frame;
use crate::render::{Acquired, Gpu, Renderer, Size, WindowSurface};
use crate::sim::Simulation;

/// How a window starts out.
#[derive(Clone, Copy)]
pub(super) struct ScreenSettings {
    pub(super) size: Size,
    pub(super) fullscreen: bool,
    pub(super) vsync: bool,
}

/// Window, device, surface and renderer.
pub(super) struct Screen {
    renderer: Renderer,
    surface: WindowSurface,
    gpu: Gpu,
    window: Arc<Window>,
    /// The window has no area, as when it is minimised.
    empty: bool,
    /// Other windows cover it wholly.
    covered: bool,
}

impl Screen {
    pub(super) async fn open(
        event_loop: &ActiveEventLoop,
        settings: ScreenSettings,
    ) -> Result<Self, AppError> {
        let attributes = Window::default_attributes()
            .with_title("Cubefall")
            .with_inner_size(PhysicalSize::new(settings.size.width(), settings.size.height()))
            .with_fullscreen(borderless(settings.fullscreen));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| AppError::Window(error.to_string()))?;
        let window = Arc::new(window);
        let inner = window.inner_size();
        let inner = Size::new(inner.width, inner.height);
        let (size, empty) = (inner.unwrap_or(settings.size), inner.is_none());
        let display = event_loop.owned_display_handle();
        let (gpu, surface) =
            WindowSurface::open(Arc::clone(&window), display, size, settings.vsync).await?;
        let renderer = Renderer::new(&gpu, surface.format());
        window.request_redraw();
        Ok(Self { renderer, surface, gpu, window, empty, covered: false })
    }

    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    pub(super) fn check_capacity(&self, cubes: usize) -> Result<(), AppError> {
        Ok(self.gpu.check_capacity(cubes)?)
    }

    pub(super) fn set_vsync(&mut self, vsync: bool) {
        self.surface.set_vsync(vsync);
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

    /// The window has a new size; many of them may come before the next draw, which follows the
    /// last.
    pub(super) fn resized(&mut self, width: u32, height: u32) {
        let size = Size::new(width.min(Size::LARGEST), height.min(Size::LARGEST));
        self.empty = size.is_none();
        if let Some(size) = size {
            self.surface.resize(&self.gpu, size);
            self.window.request_redraw();
        }
    }

    /// Draws the cubes as the camera sees them. False if the window cannot be seen: there is no
    /// hurry to draw again.
    pub(super) fn draw(&mut self, simulation: &Simulation) -> Result<bool, AppError> {
        self.gpu.check()?;
        if self.empty || self.covered {
            return Ok(false);
        }
        match self.surface.acquire(&self.gpu)? {
            Acquired::Frame(texture) => {
                self.renderer.prepare(&self.gpu, &frame::scene(simulation), self.surface.size())?;
                self.window.pre_present_notify();
                self.surface.present(&self.gpu, &self.renderer, texture);
                Ok(true)
            }
            Acquired::Skip => Ok(true),
            Acquired::Later => Ok(false),
        }
    }
}

fn borderless(fullscreen: bool) -> Option<Fullscreen> {
    fullscreen.then_some(Fullscreen::Borderless(None))
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Lets a device that was lost between two calls notice before its surface goes; wgpu would
        // panic otherwise.
        let _ = self.gpu.check();
    }
}
