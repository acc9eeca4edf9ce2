//! Opens the window and runs the event loop until it is closed.

use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::WindowId;

use super::error::AppError;
use super::frame_clock::FrameClock;
use super::hud_overlay::HudOverlay;
use super::state::App;
use super::window::AppWindow;
use super::{display, title};
use crate::cli::WindowArgs;
use crate::sim::Simulation;

/// Opens the window and runs until it is closed.
///
/// # Errors
/// There is no display or no graphics adapter, or one of them fails.
pub fn run(args: &WindowArgs) -> Result<(), AppError> {
    let event_loop = display::connect()?;
    let mut app = App::new(args)?;
    event_loop.run_app(&mut app).map_err(AppError::window)?;
    app.failure.map_or(Ok(()), Err)
}

impl App {
    fn open_window(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let window = AppWindow::open(event_loop, &self.settings)?;
        let gpu = &window.target.gpu;
        gpu.check_capacity(self.source.cubes())?;
        if gpu.is_software() {
            title::warn_of_software(gpu);
        }
        if self.simulation.cubes().count() == 0 {
            self.simulation = Simulation::new(self.source.clone(), self.settings.mode)?;
        }
        match &mut self.overlay {
            Some(overlay) => overlay.renew(window.winit()),
            overlay => {
                let display = event_loop.owned_display_handle();
                *overlay = Some(HudOverlay::new(window.winit(), display, self.settings.panels));
            }
        }
        self.window = Some(window);
        let error = self.preferences_error.take();
        self.report_recoverable(error.map_or(Ok(()), Err))
    }

    /// Ends the program on a failure, since callbacks of the window system cannot return it.
    fn exit_on_failure(&mut self, result: Result<(), AppError>, event_loop: &ActiveEventLoop) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_some() {
            return;
        }
        let opened = self.open_window(event_loop);
        self.exit_on_failure(opened, event_loop);
        self.clock = FrameClock::new(Instant::now());
        self.update_title();
    }

    fn suspended(&mut self, _: &ActiveEventLoop) {
        self.window = None;
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            let woken = self.wake(event_loop);
            self.exit_on_failure(woken, event_loop);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = self.on_event(event_loop, &event);
        self.exit_on_failure(handled, event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.save_preferences();
        // The surface must go before the connection to the display.
        self.window = None;
    }
}
