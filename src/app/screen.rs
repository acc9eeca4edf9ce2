//! Screen: a window and what draws on it.

use std::sync::Arc;
use std::time::Instant;

use winit::dpi::PhysicalSize;
use winit::event_loop::{ActiveEventLoop, OwnedDisplayHandle};
use winit::window::{Fullscreen, Window};

use super::AppError;
use crate::cli::{Injection, PictureArgs, WindowArgs};
use crate::components::Transform;
use crate::frame;
use crate::render::{
    Acquired, Drawn, Gpu, GpuTimes, Losses, PresentMode, RenderError, RenderSettings, Renderer,
    Size, WindowSurface,
};
use crate::sim::Simulation;

/// A window and what draws on it.
pub(super) struct Screen {
    /// Absent only while it is made anew after the device was lost.
    canvas: Option<Canvas>,
    losses: Losses,
    picture: PictureArgs,
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

/// Device, surface and renderer: what is lost together.
struct Canvas {
    renderer: Renderer,
    surface: WindowSurface,
    gpu: Gpu,
}

impl Screen {
    pub(super) fn open(event_loop: &ActiveEventLoop, args: &WindowArgs) -> Result<Self, AppError> {
        let attributes = Window::default_attributes()
            .with_title("Cubefall")
            .with_inner_size(PhysicalSize::new(args.size.width(), args.size.height()))
            .with_fullscreen(borderless(args.fullscreen));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| AppError::Window(error.to_string()))?;
        let inner = window.inner_size();
        let inner = Size::new(inner.width, inner.height);
        let mut screen = Self {
            canvas: None,
            losses: Losses::default(),
            picture: args.picture.clone(),
            faults: args.faults.inject.clone(),
            present_mode: args.present_mode(),
            display: event_loop.owned_display_handle(),
            window: Arc::new(window),
            size: inner.unwrap_or(args.size),
            frames: 0,
            empty: inner.is_none(),
            covered: false,
            minimised: false,
        };
        screen.open_canvas()?;
        screen.window.request_redraw();
        Ok(screen)
    }

    fn open_canvas(&mut self) -> Result<(), RenderError> {
        let (window, display) = (Arc::clone(&self.window), self.display.clone());
        let settings = self.picture.gpu();
        let open = WindowSurface::open(window, display, self.size, &settings, self.present_mode);
        let (gpu, surface) = pollster::block_on(open)?;
        let settings = self.picture.live(&gpu);
        let renderer = Renderer::new(&gpu, surface.format(), settings)?;
        report(&gpu, &surface, &renderer, settings);
        self.canvas = Some(Canvas { renderer, surface, gpu });
        Ok(())
    }

    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    /// In pixels, as long as it has an area.
    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn gpu(&self) -> Option<&Gpu> {
        self.canvas.as_ref().map(|canvas| &canvas.gpu)
    }

    /// What was drawn last, and what the GPU took for a picture not long ago.
    pub(super) fn drawn(&self) -> (Drawn, GpuTimes) {
        let drawn = |canvas: &Canvas| (canvas.renderer.drawn(), canvas.renderer.gpu_times());
        self.canvas.as_ref().map(drawn).unwrap_or_default()
    }

    /// The present mode really in use.
    pub(super) fn present_mode(&self) -> PresentMode {
        self.canvas.as_ref().map_or(self.present_mode, |canvas| canvas.surface.present_mode())
    }

    /// Waits for the display before each picture, or no longer does.
    pub(super) fn toggle_vsync(&mut self) -> Result<(), RenderError> {
        let waits = matches!(
            self.present_mode,
            PresentMode::Vsync | PresentMode::Fifo | PresentMode::FifoRelaxed
        );
        self.present_mode = if waits { PresentMode::NoVsync } else { PresentMode::Vsync };
        match &mut self.canvas {
            Some(canvas) => canvas.surface.set_present_mode(self.present_mode),
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
            if let Some(canvas) = &mut self.canvas {
                canvas.surface.resize(&canvas.gpu, size);
            }
            self.window.request_redraw();
        }
    }

    /// Draws the cubes as the camera sees them, one of them outlined. False if the window cannot be seen: there is no
    /// hurry to draw again. A device that was lost is opened again: all that is drawn is in the
    /// simulation, so the next picture is what it would have been.
    pub(super) fn draw(
        &mut self,
        simulation: &Simulation,
        outlined: Option<Transform>,
    ) -> Result<bool, AppError> {
        match self.try_draw(simulation, outlined) {
            Err(RenderError::DeviceLost(reason)) => {
                if !self.losses.bear(Instant::now()) {
                    return Err(RenderError::DeviceLost(reason).into());
                }
                log::warn!("the graphics device was lost ({reason}); opening it again");
                // The old surface goes before the window gets another one.
                self.canvas = None;
                self.open_canvas()?;
                Ok(true)
            }
            drawn => Ok(drawn?),
        }
    }

    fn try_draw(
        &mut self,
        simulation: &Simulation,
        outlined: Option<Transform>,
    ) -> Result<bool, RenderError> {
        let Some(Canvas { renderer, surface, gpu }) = &mut self.canvas else { return Ok(false) };
        let injected = |fault| self.faults.contains(&fault);
        if injected(Injection::DeviceLoss(self.frames)) {
            self.frames += 1;
            gpu.inject_loss();
        }
        gpu.check()?;
        if self.empty || self.covered || self.minimised {
            return Ok(false);
        }
        let texture = match surface.acquire(gpu)? {
            Acquired::Frame(texture) => texture,
            Acquired::Skip => return Ok(true),
            Acquired::Later => return Ok(false),
        };
        if injected(Injection::DeviceLossAcquired(self.frames)) {
            gpu.inject_loss();
        }
        self.frames += 1;
        renderer.collect_gpu_times().for_each(drop);
        let copies =
            renderer.prepare(gpu, &frame::scene(simulation).outlining(outlined), surface.size())?;
        let frame = renderer.encode(gpu, &surface.view(&texture));
        gpu.submit(copies.into_iter().chain([frame]));
        self.window.pre_present_notify();
        surface.present(gpu, texture);
        Ok(true)
    }
}

/// Says with `RUST_LOG=info` what is really in use, which a flag may have asked for or not.
fn report(gpu: &Gpu, surface: &WindowSurface, renderer: &Renderer, settings: RenderSettings) {
    let (effects, selection) = (settings.effects, settings.selection);
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
        on_or_off(selection.culling),
        selection.small_below,
    );
}

fn borderless(fullscreen: bool) -> Option<Fullscreen> {
    fullscreen.then_some(Fullscreen::Borderless(None))
}

impl Drop for Canvas {
    fn drop(&mut self) {
        // Lets a device that was lost between two calls notice before its surface goes; wgpu would
        // panic otherwise.
        let _ = self.gpu.check();
    }
}
