//! Run: a benchmark run in a window.
//!
//! The run drives itself: a frame is drawn whenever the window system has nothing else to say, and
//! not when it asks for one, which may be once per refresh.

use std::sync::Arc;
use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

use super::display::refresh_hz;
use super::{AppError, display};
use crate::benchmark::{FramePhase, FrameStatus, Presentation, Run, RunResult};
use crate::cli::RunArgs;
use crate::render::{Acquired, Gpu, RenderSettings, RenderTarget, Size, WindowSurface};

/// How long a frame that nobody sees lasts at least.
const HIDDEN_PAUSE: Duration = Duration::from_millis(20);

/// Opens a window and runs a benchmark in it.
///
/// # Errors
/// There is no display or no graphics adapter, one of them failed, or the window was closed before
/// the run was over.
pub fn run_benchmark(args: &RunArgs) -> Result<RunResult, AppError> {
    let event_loop = display::connect()?;
    event_loop.set_control_flow(ControlFlow::Poll);
    let mut track = RunWindow { args, lane: None, outcome: None };
    event_loop.run_app(&mut track).map_err(|error| AppError::Window(error.to_string()))?;
    let closed = || AppError::Window("the window was closed before the run was over".into());
    track.outcome.ok_or_else(closed)?
}

struct RunWindow<'a> {
    args: &'a RunArgs,
    lane: Option<RunningWindow>,
    outcome: Option<Result<RunResult, AppError>>,
}

/// A window and the run in it.
struct RunningWindow {
    course: Run,
    surface: WindowSurface,
    picture: RenderSettings,
    gpu: Gpu,
    window: Arc<Window>,
    /// Other windows cover it wholly.
    covered: bool,
}

impl RunningWindow {
    fn open(event_loop: &ActiveEventLoop, args: &RunArgs) -> Result<Self, AppError> {
        let attributes = Window::default_attributes()
            .with_title("Cubefall benchmark")
            .with_resizable(false)
            .with_inner_size(PhysicalSize::new(args.size.width(), args.size.height()));
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| AppError::Window(error.to_string()))?);
        let display = event_loop.owned_display_handle();
        let settings = args.graphics.gpu();
        let opened =
            WindowSurface::open(Arc::clone(&window), display, args.size, &settings, args.present);
        let (gpu, surface) = pollster::block_on(opened)?;
        let picture = args.graphics.live(&gpu);
        let course = Run::new(&gpu, surface.format(), surface.size(), args.course(), picture)?;
        Ok(Self { course, surface, picture, gpu, window, covered: false })
    }

    /// Draws a frame. False once all frames are taken.
    fn frame(&mut self) -> Result<bool, AppError> {
        let Self { course, surface, gpu, covered, .. } = self;
        gpu.check()?;
        course.advance()?;
        let acquired = surface.acquire(gpu)?;
        course.recorder().lap(FramePhase::Acquire);
        if let Acquired::Frame(texture) = acquired {
            let view = surface.view(&texture);
            course.draw(gpu, RenderTarget { view: &view, size: surface.size() })?;
            surface.present(gpu, texture);
            course.recorder().lap(FramePhase::Present);
        } else {
            course.mark(FrameStatus::Hidden);
            // Nobody sees it: no reason to spin.
            std::thread::sleep(HIDDEN_PAUSE);
        }
        if *covered {
            course.mark(FrameStatus::Hidden);
        }
        // The surface bounds how far the GPU is behind: what is done is only let go.
        course.forget_submissions();
        Ok(course.end_frame())
    }
}

impl ApplicationHandler for RunWindow<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.lane.is_none() && self.outcome.is_none() {
            match RunningWindow::open(event_loop, self.args) {
                Ok(lane) => self.lane = Some(lane),
                Err(error) => self.end(Err(error), event_loop),
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(lane) = &mut self.lane else { return };
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Occluded(covered) => lane.covered = covered,
            WindowEvent::Resized(PhysicalSize { width, height }) => {
                let Some(size) = Size::new(width.min(Size::LARGEST), height.min(Size::LARGEST))
                else {
                    return lane.course.mark(FrameStatus::Hidden);
                };
                if size != lane.surface.size() {
                    lane.surface.resize(&lane.gpu, size);
                    lane.course.mark(FrameStatus::Resized);
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if event_loop.exiting() {
            return;
        }
        let Some(lane) = &mut self.lane else { return };
        match lane.frame() {
            Ok(true) => {}
            Ok(false) => {
                if let Some(lane) = self.lane.take() {
                    let RunningWindow { course, surface, picture, gpu, window, .. } = lane;
                    let shown = Presentation {
                        present_mode: surface.present_mode(),
                        refresh_hz: refresh_hz(&window),
                    };
                    let finished = course.finish(&gpu).map_err(AppError::from);
                    // The surface goes before the window it lies on.
                    drop((surface, window));
                    let result =
                        finished.map(|course| RunResult::new(&gpu, picture, Some(shown), course));
                    self.end(result, event_loop);
                }
            }
            Err(error) => self.end(Err(error), event_loop),
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // While the connection to the display is still open.
        self.leave();
    }
}

impl RunWindow<'_> {
    fn end(&mut self, outcome: Result<RunResult, AppError>, event_loop: &ActiveEventLoop) {
        self.outcome = Some(outcome);
        self.leave();
        event_loop.exit();
    }

    fn leave(&mut self) {
        if let Some(lane) = self.lane.take() {
            // As for the demo's own window: a lost device has to notice before its surface goes.
            let _ = lane.gpu.check();
        }
    }
}
