//! A window that draws as fast as possible until all frames are measured.

use std::env;
use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, OwnedDisplayHandle};
use winit::window::{Window, WindowId};

use crate::{Options, Outcome, Stopwatch};

/// Opens a window, creates its painter, and draws frame after frame.
///
/// The painter times the phases of a frame. The event loop counts for the frame, but for no phase.
///
/// # Errors
/// There is no display, or the painter fails.
pub fn run_in_window<P>(
    options: &Options,
    open: impl FnOnce(Arc<Window>, OwnedDisplayHandle) -> Outcome<P>,
) -> Outcome<Stopwatch>
where
    P: FnMut(&mut Stopwatch) -> Outcome<()>,
{
    let event_loop = EventLoop::new()?;
    event_loop.set_control_flow(ControlFlow::Poll);
    let mut app = App { options, open: Some(open), painter: None, watch: None, failed: None };
    event_loop.run_app(&mut app)?;
    app.failed.map_or(Ok(()), Err)?;
    app.watch.ok_or_else(|| "the window never opened".into())
}

/// Checks for a display, because some libraries panic without one.
///
/// # Errors
/// There is no display.
pub fn check_display() -> Result<(), &'static str> {
    let named = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let missing =
        cfg!(target_os = "linux") && !["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(named);
    if missing { Err("no display: neither DISPLAY nor WAYLAND_DISPLAY is set") } else { Ok(()) }
}

struct App<'a, O, P> {
    options: &'a Options,
    open: Option<O>,
    painter: Option<P>,
    watch: Option<Stopwatch>,
    /// Callbacks of the window system cannot return it.
    failed: Option<Box<dyn std::error::Error>>,
}

impl<O, P> App<'_, O, P>
where
    O: FnOnce(Arc<Window>, OwnedDisplayHandle) -> Outcome<P>,
    P: FnMut(&mut Stopwatch) -> Outcome<()>,
{
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Outcome<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let size = self.options.size;
        let attributes = Window::default_attributes()
            .with_title("frames")
            .with_resizable(false)
            .with_inner_size(PhysicalSize::new(size.width(), size.height()));
        let window = Arc::new(event_loop.create_window(attributes)?);
        self.painter = Some(open(window, event_loop.owned_display_handle())?);
        self.watch = Some(Stopwatch::start(self.options));
        Ok(())
    }

    fn settle(&mut self, result: Outcome<()>, event_loop: &ActiveEventLoop) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            event_loop.exit();
        }
    }
}

impl<O, P> ApplicationHandler for App<'_, O, P>
where
    O: FnOnce(Arc<Window>, OwnedDisplayHandle) -> Outcome<P>,
    P: FnMut(&mut Stopwatch) -> Outcome<()>,
{
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let opened = self.open(event_loop);
        self.settle(opened, event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if matches!(event, WindowEvent::CloseRequested | WindowEvent::Destroyed) {
            self.settle(Err("the window was closed".into()), event_loop);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let (Some(painter), Some(watch)) = (&mut self.painter, &mut self.watch) else { return };
        if event_loop.exiting() {
            return;
        }
        watch.skip();
        match painter(watch) {
            Ok(()) if watch.next_frame() => {}
            Ok(()) => event_loop.exit(),
            failed => self.settle(failed, event_loop),
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // Drops the painter while the connection to the display is open.
        self.painter = None;
    }
}
