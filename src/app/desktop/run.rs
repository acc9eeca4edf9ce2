//! Opens the window and runs the event loop until it is closed.

use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::WindowId;

use super::display;
use super::messages::is_ending;
use crate::app::error::AppError;
use crate::app::load::load_simulation;
use crate::app::state::App;
use crate::cli::WindowArgs;
use crate::interrupt;
use crate::render::RenderError;
use crate::sim::Simulation;

/// Opens the window and runs until it is closed, or until a signal ends it.
///
/// # Errors
/// There is no display or no graphics adapter, or one of them fails; a file of the flags cannot be loaded; the scene does
/// not fit into memory; or the camera does not fit the scene.
pub fn run(args: &WindowArgs) -> Result<(), AppError> {
    let event_loop = display::connect(|| Ok(()))?;
    let proxy = event_loop.create_proxy();
    // Fails if the loop has ended, and the process ends then.
    let exit = move || {
        let _ = proxy.send_event(());
    };
    interrupt::listen(exit).map_err(AppError::Signal)?;
    let loaded = args.simulation.load.as_deref().map(load_simulation).transpose()?;
    let mut runner = Runner { args, loaded, app: None, failure: None };
    event_loop.run_app(&mut runner).map_err(AppError::event_loop)?;
    runner.failure.map_or(Ok(()), Err)
}

/// Passes events to the demo and keeps its failure, since event handlers cannot return it.
struct Runner<'a> {
    args: &'a WindowArgs,
    /// The simulation to continue from, until the demo starts.
    loaded: Option<Simulation>,
    /// `None` until the window system resumes the program.
    app: Option<App>,
    failure: Option<AppError>,
}

impl Runner<'_> {
    /// Runs a step of the demo. Opens a lost device again; any other failure ends the program.
    fn run(
        &mut self,
        event_loop: &ActiveEventLoop,
        step: impl FnOnce(&mut App) -> Result<(), AppError>,
    ) {
        let mut result = self.app.as_mut().map_or(Ok(()), step);
        if let Err(AppError::Render(RenderError::DeviceLost(reason))) = result {
            result = self.reopen(reason);
        }
        self.end_on_failure(event_loop, result);
        if self.app.as_ref().is_some_and(|app| app.quits) {
            event_loop.exit();
        }
    }

    /// Opens a lost device again. Not inlined: its values take 50 kB of the stack, of which profilers copy at most 64 kB.
    #[cold]
    #[inline(never)]
    fn reopen(&mut self, reason: String) -> Result<(), AppError> {
        let reopened = self.app.take().map(|mut app| {
            app.save_preferences();
            pollster::block_on(app.reopen_device(reason))
        });
        reopened.transpose().map(|app| self.app = app)
    }

    fn end_on_failure(&mut self, event_loop: &ActiveEventLoop, result: Result<(), AppError>) {
        // A lost device is not opened again for a program that ends.
        if let Err(error) = result.or_else(|error| if is_ending() { Ok(()) } else { Err(error) }) {
            self.failure.get_or_insert(error);
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for Runner<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.app.is_none() && self.failure.is_none() {
            let opening = App::open(event_loop, self.args.clone(), self.loaded.take());
            let result = opening.and_then(pollster::block_on).map(|app| self.app = Some(app));
            self.end_on_failure(event_loop, result);
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            self.run(event_loop, |app| app.wake(event_loop));
        }
    }

    /// A signal asks the process to end.
    fn user_event(&mut self, event_loop: &ActiveEventLoop, (): ()) {
        event_loop.exit();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.run(event_loop, |app| app.on_event(event_loop, &event));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // Drops the surface before the connection to the display.
        if let Some(mut app) = self.app.take() {
            app.complete_screenshot();
            app.save_preferences();
        }
    }
}
