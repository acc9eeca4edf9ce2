//! Display look: asks the display what it can do, by a window that is never shown.

use std::sync::Arc;

use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowId};

use super::display::refresh_hz;
use super::{AppError, display};
use crate::benchmark::DisplayInfo;
use crate::render::{GpuSettings, PresentMode, Size, WindowSurface};

/// What the display can do.
///
/// # Errors
/// There is no display, or nothing can be drawn on it.
pub fn probe_display() -> Result<DisplayInfo, AppError> {
    let event_loop = display::connect()?;
    let mut look = Look { found: None };
    event_loop.run_app(&mut look).map_err(|error| AppError::Window(error.to_string()))?;
    look.found.ok_or_else(|| AppError::Window("it never let a window be opened".into()))?
}

struct Look {
    found: Option<Result<DisplayInfo, AppError>>,
}

impl ApplicationHandler for Look {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.found.get_or_insert_with(|| find(event_loop));
        event_loop.exit();
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, _: WindowEvent) {}
}

fn find(event_loop: &ActiveEventLoop) -> Result<DisplayInfo, AppError> {
    let window = event_loop.create_window(Window::default_attributes().with_visible(false));
    let window = Arc::new(window.map_err(|error| AppError::Window(error.to_string()))?);
    let settings = GpuSettings::default();
    let opened = WindowSurface::open(
        Arc::clone(&window),
        event_loop.owned_display_handle(),
        Size::default(),
        &settings,
        PresentMode::Vsync,
    );
    let (_gpu, surface) = pollster::block_on(opened)?;
    // A window that is not shown may lie on no display yet.
    let any = || event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let of_any = || Some(f64::from(any()?.refresh_rate_millihertz()?) / 1e3);
    Ok(DisplayInfo {
        refresh_hz: refresh_hz(&window).or_else(of_any),
        present_modes: surface.present_modes(),
    })
}
