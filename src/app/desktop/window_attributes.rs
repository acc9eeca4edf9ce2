//! What the window system is asked for.

use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window, WindowAttributes};

use super::icon;
use crate::app::settings::WindowSettings;

/// Pixels of the title bar that must be on a monitor for a saved position to be used.
const MIN_VISIBLE: i64 = 64;

/// Returns a window of the saved size, at the saved position if that is on a monitor.
pub(in crate::app) fn window_attributes(
    event_loop: &ActiveEventLoop,
    settings: &WindowSettings,
) -> WindowAttributes {
    let fullscreen = settings.fullscreen.then_some(Fullscreen::Borderless(None));
    let attributes = Window::default_attributes()
        .with_title("Cubefall")
        .with_window_icon(icon::icon())
        .with_inner_size(PhysicalSize::new(settings.size.width(), settings.size.height()))
        .with_fullscreen(fullscreen);
    let position = settings.position.map(PhysicalPosition::from);
    match position.filter(|&at| is_on_a_monitor(event_loop, at)) {
        Some(position) => attributes.with_position(position),
        None => attributes,
    }
}

/// Returns whether the upper left corner of a window is on a monitor, so that it can be dragged.
fn is_on_a_monitor(event_loop: &ActiveEventLoop, at: PhysicalPosition<i32>) -> bool {
    event_loop.available_monitors().any(|monitor| {
        let (from, size) = (monitor.position(), monitor.size());
        let within = |at: i32, from: i32, size: u32| {
            let offset = i64::from(at) - i64::from(from);
            (0..i64::from(size) - MIN_VISIBLE).contains(&offset)
        };
        within(at.x, from.x, size.width) && within(at.y, from.y, size.height)
    })
}
