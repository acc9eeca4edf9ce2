//! Finds out what the display supports, with a hidden window.

use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowId};

use super::display::{self, refresh_hz};
use crate::app::checked_window::CheckedWindow;
use crate::app::error::AppError;
use crate::benchmark::DisplayInfo;
use crate::render::{GpuSettings, PresentMode, Size, WindowSurface};

/// Returns the refresh rate and the present modes of the display.
///
/// # Errors
/// There is no display, or no adapter can draw on it.
pub fn probe_display() -> Result<DisplayInfo, AppError> {
    let event_loop = display::connect(|| Err(AppError::Closed))?;
    let mut probe = Probe(None);
    event_loop.run_app(&mut probe).map_err(AppError::event_loop)?;
    probe.0.ok_or_else(|| AppError::window("it never allowed a window to be opened"))?
}

struct Probe(Option<Result<DisplayInfo, AppError>>);

impl ApplicationHandler for Probe {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.0.get_or_insert_with(|| probe(event_loop));
        event_loop.exit();
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, _: WindowEvent) {}
}

fn probe(event_loop: &ActiveEventLoop) -> Result<DisplayInfo, AppError> {
    let window = event_loop.create_window(Window::default_attributes().with_visible(false));
    let window = Arc::new(window.map_err(AppError::window)?);
    let (size, settings, mode) = (Size::default(), GpuSettings::default(), PresentMode::Vsync);
    let display = event_loop.owned_display_handle();
    let opened =
        WindowSurface::open(CheckedWindow(Arc::clone(&window)), display, size, &settings, mode);
    let (_gpu, surface) = pollster::block_on(opened)?;
    // A hidden window may be on no monitor.
    let any = || event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    Ok(DisplayInfo {
        refresh_hz: refresh_hz(window.current_monitor().or_else(any)),
        present_modes: surface.present_modes(),
    })
}
