//! The canvas as a window.

use winit::event_loop::ActiveEventLoop;
use winit::platform::web::WindowAttributesExtWebSys;
use winit::window::{Window, WindowAttributes};

use super::page;
use crate::app::settings::WindowSettings;
use crate::render::Size;

/// Returns the canvas of the page as the window. The style sheet gives its size.
pub(in crate::app) fn window_attributes(
    _: &ActiveEventLoop,
    _: &WindowSettings,
) -> WindowAttributes {
    // Events of keys that the demo does not use stay with the browser: see `events`. `page` directs keys here.
    let attributes = Window::default_attributes().with_canvas(page::canvas());
    attributes.with_prevent_default(false).with_active(false)
}

/// The style sheet gives the size.
pub(in crate::app) fn fits_a_monitor(_: &ActiveEventLoop, _: Size) -> bool {
    true
}

/// A page is no window of Wayland.
pub(in crate::app) fn is_wayland(_: &ActiveEventLoop) -> bool {
    false
}

/// The style sheet places the canvas.
pub(in crate::app) fn place(_: &Window, _: &ActiveEventLoop, _: &WindowSettings) {}
