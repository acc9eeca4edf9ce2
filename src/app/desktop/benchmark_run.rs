//! A benchmark run in a window.
//!
//! Frames are drawn whenever the event queue is empty, not on redraw requests: the window system may
//! limit those to one per refresh. With vsync they are drawn on redraw requests, since Wayland shows none of a
//! minimized window, and the driver would wait for ever.

use std::collections::VecDeque;
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::display;
use super::display::refresh_hz;
use super::window_attributes::named;
use crate::app::checked_window::CheckedWindow;
use crate::app::error::AppError;
use crate::app::visibility::Visibility;
use crate::benchmark::{FramePhase, FrameStatus, Presentation, Run, RunResult};
use crate::cli::RunArgs;
use crate::frame;
use crate::output;
use crate::render::{Acquired, FRAMES_IN_FLIGHT, FramesInFlight, Gpu, RenderTarget, WindowSurface};

/// Pause after a frame without a texture, which avoids busy waiting.
const HIDDEN_PAUSE: Duration = Duration::from_millis(20);

/// Time without a redraw request after which a window counts as hidden.
const HIDDEN_AFTER: Duration = Duration::from_millis(250);

/// How often the window system is asked whether it shows the window, which takes time.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Opens a window and runs a benchmark in it.
///
/// # Errors
/// There is no display or adapter, one of them failed, or the window was closed before the end; or as for [`Run::new`].
pub fn run_benchmark(args: &RunArgs) -> Result<RunResult, AppError> {
    let event_loop = display::connect(|| Err(AppError::Closed))?;
    let mut handler = Handler { args, active: None, outcome: None };
    event_loop.run_app(&mut handler).map_err(AppError::event_loop)?;
    handler.outcome.ok_or(AppError::Closed)?
}

struct Handler<'a> {
    args: &'a RunArgs,
    active: Option<WindowedRun>,
    outcome: Option<Result<RunResult, AppError>>,
}

/// A run and the window it draws to.
struct WindowedRun {
    run: Run,
    /// Dropped before the surface: the queue of a lost device keeps textures of the surface.
    gpu: Gpu,
    surface: WindowSurface,
    window: Arc<Window>,
    /// Frames that the GPU may still draw.
    in_flight: VecDeque<wgpu::SubmissionIndex>,
    visibility: Visibility,
    polled: Instant,
    /// When the latest redraw was requested; `None` if frames do not follow requests.
    requested: Option<Instant>,
}

impl WindowedRun {
    fn open(event_loop: &ActiveEventLoop, args: &RunArgs) -> Result<Self, AppError> {
        let attributes = named(Window::default_attributes())
            .with_title("Cubefall benchmark")
            .with_resizable(false)
            .with_inner_size(PhysicalSize::new(args.size.width(), args.size.height()));
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(AppError::window)?);
        let display = event_loop.owned_display_handle();
        let settings = args.graphics.gpu();
        let checked = CheckedWindow(Arc::clone(&window));
        let opened =
            WindowSurface::open(checked.clone(), display, args.size, &settings, args.present);
        let (gpu, surface) = pollster::block_on(opened).inspect_err(|_| checked.check())?;
        let graphics = args.graphics.live(&gpu, args.scene.motion());
        frame::check_size(&gpu, surface.size(), graphics.effects, FramesInFlight::Shown, 0)?;
        let run = Run::new(&gpu, surface.format(), surface.size(), args.settings(), graphics)?;
        let in_flight = VecDeque::with_capacity(FRAMES_IN_FLIGHT + 1);
        let visibility = Visibility::of(&window);
        let requested = surface.present_mode().waits_for_vblank().then(|| {
            window.request_redraw();
            Instant::now()
        });
        Ok(Self {
            run,
            surface,
            gpu,
            window,
            in_flight,
            visibility,
            polled: Instant::now(),
            requested,
        })
    }

    /// Draws a frame, unless none was requested for long. Returns `false` when the run is complete.
    fn frame(&mut self, is_requested: bool) -> Result<bool, AppError> {
        if self.polled.elapsed() >= POLL_INTERVAL {
            self.visibility.poll(&self.window);
            self.polled = Instant::now();
        }
        let is_hidden = self.visibility.is_hidden();
        let Self { run, surface, gpu, in_flight, window, requested, .. } = self;
        gpu.check()?;
        run.step()?;
        let acquired = if is_requested { surface.acquire(gpu)? } else { Acquired::Later };
        run.recorder().end_phase(FramePhase::Acquire);
        if let Acquired::Frame(texture) = acquired {
            let view = surface.view(&texture);
            let target = RenderTarget { view: &view, size: surface.size() };
            match run.draw(gpu, target) {
                Ok(submission) => in_flight.push_back(submission),
                Err(error) => {
                    surface.discard(gpu, texture);
                    return Err(error.into());
                }
            }
            if requested.is_some() {
                window.pre_present_notify();
            }
            surface.present(gpu, texture);
            run.recorder().end_phase(FramePhase::Present);
            // The next texture would wait for this frame, too, but could not tell the GPU from the display.
            while in_flight.len() > FRAMES_IN_FLIGHT
                && let Some(oldest) = in_flight.pop_front()
            {
                gpu.wait_for(oldest)?;
            }
            run.recorder().end_phase(FramePhase::GpuWait);
        } else {
            run.mark(FrameStatus::Hidden);
            std::thread::sleep(HIDDEN_PAUSE);
        }
        if is_hidden {
            run.mark(FrameStatus::Hidden);
        }
        Ok(run.end_frame())
    }

    /// Requests the next frame, if frames follow requests.
    fn request_redraw(&mut self) {
        if let Some(at) = &mut self.requested {
            *at = Instant::now();
            self.window.request_redraw();
        }
    }

    fn finish(self) -> Result<RunResult, AppError> {
        let Self { run, surface, gpu, window, .. } = self;
        let presentation = Presentation {
            present_mode: surface.present_mode(),
            refresh_hz: refresh_hz(window.current_monitor()),
        };
        let result = run.finish(&gpu, Some(presentation));
        // In the order of the fields.
        drop((gpu, surface, window));
        Ok(result?)
    }
}

impl ApplicationHandler for Handler<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.active.is_none() && self.outcome.is_none() {
            match WindowedRun::open(event_loop, self.args) {
                Ok(active) => self.active = Some(active),
                Err(error) => self.end(Err(error), event_loop),
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(active) = &mut self.active else { return };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested if active.requested.is_some() => {
                // Waiting for the request is waiting for the display.
                active.run.recorder().end_phase(FramePhase::Acquire);
                self.advance(true, event_loop);
                if let Some(active) = &mut self.active {
                    active.request_redraw();
                }
            }
            WindowEvent::Occluded(occluded) => active.visibility.occluded = occluded,
            WindowEvent::ScaleFactorChanged { mut inner_size_writer, .. } => {
                // The size in pixels is a setting of the run, and stays.
                let size = self.args.size;
                let kept = PhysicalSize::new(size.width(), size.height());
                let _ = inner_size_writer.request_inner_size(kept);
                active.run.mark(FrameStatus::Resized);
            }
            WindowEvent::Resized(PhysicalSize { width, height }) => {
                if let Some(size) = active.visibility.resized(width, height)
                    && size != active.surface.size()
                {
                    active.surface.resize(&active.gpu, size);
                    active.run.mark(FrameStatus::Resized);
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if event_loop.exiting() {
            return;
        }
        let requested = self.active.as_ref().and_then(|active| active.requested);
        match requested.map(|at| at + HIDDEN_AFTER) {
            None => {
                event_loop.set_control_flow(ControlFlow::Poll);
                self.advance(true, event_loop);
            }
            Some(hidden) if hidden > Instant::now() => {
                event_loop.set_control_flow(ControlFlow::WaitUntil(hidden));
            }
            Some(_) => {
                self.advance(false, event_loop);
                // Requests get lost while Windows shows the menu of the title bar.
                if let Some(active) = self.active.as_ref().filter(|_| cfg!(windows)) {
                    active.window.request_redraw();
                }
            }
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // The connection to the display is still open here.
        self.close();
        // The item "Quit" of a Mac's menu ends the process without a return from the event loop.
        if cfg!(target_os = "macos") && self.outcome.is_none() {
            let error = AppError::Closed;
            output::diagnostic(&error);
            process::exit(error.exit_code().into());
        }
    }
}

impl Handler<'_> {
    /// Draws a frame, and ends the run after the last one.
    fn advance(&mut self, is_requested: bool, event_loop: &ActiveEventLoop) {
        match self.active.as_mut().map(|active| active.frame(is_requested)) {
            None | Some(Ok(true)) => {}
            Some(Ok(false)) => {
                if let Some(active) = self.active.take() {
                    self.end(active.finish(), event_loop);
                }
            }
            Some(Err(error)) => self.end(Err(error), event_loop),
        }
    }

    fn end(&mut self, outcome: Result<RunResult, AppError>, event_loop: &ActiveEventLoop) {
        self.outcome = Some(outcome);
        self.close();
        event_loop.exit();
    }

    fn close(&mut self) {
        if let Some(active) = self.active.take() {
            // A lost device must be detected before its surface is dropped.
            let _ = active.gpu.check();
        }
    }
}
