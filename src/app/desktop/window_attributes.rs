//! Attributes of a new window: size, position, full screen, icon and the name of the program.

use winit::dpi::{LogicalPosition, LogicalSize, PhysicalPosition, PhysicalSize, Position};
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window, WindowAttributes};

use super::icon;
use crate::app::settings::{DESKTOP_IN_POINTS, WindowSettings};
use crate::render::Size;

/// Pixels or points of the title bar that must be on a monitor for a saved position to be used.
const MIN_VISIBLE: f64 = 64.0;

/// Width of the invisible borders of a window on Windows, in points: one at the edge of the monitor begins beyond it.
const BORDER: f64 = 16.0;

/// Whether the position of attributes is that of the content, not of the window, and a maximized window has no other
/// size to return to.
const PLACED_LATER: bool = cfg!(target_os = "macos");

/// Largest share of the width and height of a monitor that a new window takes.
const MAX_SHARE: f64 = 0.85;

/// Returns a window of the saved size, or a new one of the default size.
pub(in crate::app) fn window_attributes(
    event_loop: &ActiveEventLoop,
    settings: &WindowSettings,
) -> WindowAttributes {
    let fullscreen = settings.fullscreen.then_some(Fullscreen::Borderless(None));
    let size = settings.size.map(|size| PhysicalSize::new(size.width(), size.height()).into());
    let attributes = named(Window::default_attributes())
        .with_title("Cubefall")
        .with_window_icon(icon::icon())
        .with_inner_size(size.unwrap_or_else(|| default_size(event_loop)))
        .with_maximized(settings.maximized && !PLACED_LATER)
        .with_fullscreen(fullscreen);
    match position(event_loop, settings) {
        Some(position) if !PLACED_LATER => attributes.with_position(position),
        _ => attributes,
    }
}

/// Names the program, which leads docks and task bars to its desktop file with the icon.
pub(super) fn named(attributes: WindowAttributes) -> WindowAttributes {
    #[cfg(x11)]
    // The name of X11 is the same field.
    let attributes = winit::platform::wayland::WindowAttributesExtWayland::with_name(
        attributes, "cubefall", "cubefall",
    );
    attributes
}

/// Moves a new window to the saved place where [`window_attributes`] cannot.
pub(in crate::app) fn place(
    window: &Window,
    event_loop: &ActiveEventLoop,
    settings: &WindowSettings,
) {
    if PLACED_LATER && !settings.fullscreen {
        if let Some(position) = position(event_loop, settings) {
            window.set_outer_position(position);
        }
        window.set_maximized(settings.maximized);
    }
}

/// Returns whether a monitor is as large as a size. Wayland reports the size of a turned monitor as if it were not turned.
pub(in crate::app) fn fits_a_monitor(event_loop: &ActiveEventLoop, size: Size) -> bool {
    let mut monitors = event_loop.available_monitors().map(|monitor| monitor.size()).peekable();
    monitors.peek().is_none()
        || monitors.any(|it| {
            let fits = |width, height| size.width() <= width && size.height() <= height;
            fits(it.width, it.height) || fits(it.height, it.width)
        })
}

/// Returns the saved position if it is on a monitor.
fn position(event_loop: &ActiveEventLoop, settings: &WindowSettings) -> Option<Position> {
    let at = settings.position?;
    let is_visible = event_loop.available_monitors().any(|monitor| {
        let (from, size, scale) = (monitor.position(), monitor.size(), monitor.scale_factor());
        is_on_monitor(at, (from, size, scale), DESKTOP_IN_POINTS)
    });
    is_visible.then(|| {
        if DESKTOP_IN_POINTS {
            LogicalPosition::<i32>::from(at).into()
        } else {
            PhysicalPosition::<i32>::from(at).into()
        }
    })
}

/// Returns whether the window system is Wayland.
pub(in crate::app) fn is_wayland(event_loop: &ActiveEventLoop) -> bool {
    #[cfg(x11)]
    return winit::platform::wayland::ActiveEventLoopExtWayland::is_wayland(event_loop);
    #[cfg(not(x11))]
    {
        let _ = event_loop;
        false
    }
}

/// In points: on Wayland the scale factor is not known before the window is on a monitor.
fn default_size(event_loop: &ActiveEventLoop) -> winit::dpi::Size {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    // Scale factors of monitors are rounded up on Wayland, where a window that does not fit is made smaller.
    let monitor = monitor.filter(|_| !is_wayland(event_loop));
    let (size, scale) = monitor
        .map_or((PhysicalSize::default(), 1.0), |monitor| (monitor.size(), monitor.scale_factor()));
    fitting_size(size, scale).into()
}

/// Returns the default size in points. It is smaller, down to as many pixels, if it would fill most of a monitor.
fn fitting_size(monitor: PhysicalSize<u32>, scale: f64) -> LogicalSize<f64> {
    let [width, height] = [Size::default().width(), Size::default().height()].map(f64::from);
    let share = |pixels: u32, points: f64| MAX_SHARE * f64::from(pixels) / points;
    let most = share(monitor.width, width).min(share(monitor.height, height));
    let factor = (most.max(1.0) / scale).min(1.0);
    LogicalSize::new(width * factor, height * factor)
}

/// Returns whether the upper left corner of a window, in pixels or in points, is on a monitor, so that it can be dragged. A
/// monitor is its position and size in pixels, and its scale factor.
fn is_on_monitor(
    (x, y): (i32, i32),
    (from, size, scale): (PhysicalPosition<i32>, PhysicalSize<u32>, f64),
    in_points: bool,
) -> bool {
    let unit = if in_points { scale } else { 1.0 };
    let border = BORDER * scale / unit;
    let is_within = |at: i32, from: i32, size: u32| {
        let offset = f64::from(at) - f64::from(from) / unit;
        (-border..f64::from(size) / unit - MIN_VISIBLE).contains(&offset)
    };
    is_within(x, from.x, size.width) && is_within(y, from.y, size.height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_window_has_the_same_size_in_points_where_the_monitor_has_space() {
        let size = |width, height, scale| {
            let size = fitting_size(PhysicalSize::new(width, height), scale);
            let PhysicalSize { width, height } = size.to_physical::<u32>(scale);
            (width, height)
        };
        assert_eq!(size(1920, 1080, 1.0), (1280, 720));
        assert_eq!(size(3840, 2160, 2.0), (2560, 1440));
        assert_eq!(size(1920, 1080, 1.5), (1632, 918));
        assert_eq!([size(1280, 720, 1.0), size(1280, 720, 2.0)], [(1280, 720); 2]);
        assert_eq!(size(0, 0, 1.0), (1280, 720), "an unknown monitor");
    }

    #[test]
    fn a_saved_position_is_used_if_the_title_bar_is_on_a_monitor() {
        let monitor = |x, width, height, scale| {
            (PhysicalPosition::new(x, 0), PhysicalSize::new(width, height), scale)
        };
        let (left, right) = (monitor(-2880, 2880, 1800, 2.0), monitor(0, 1920, 1080, 1.0));
        let is_on = |at, in_points| [left, right].map(|it| is_on_monitor(at, it, in_points));
        assert_eq!(is_on((-2000, 100), false), [true, false]);
        assert_eq!(is_on((-2000, 100), true), [false, false], "1440 points lie at the left");
        assert_eq!(is_on((-1000, 50), true), [true, false]);
        assert_eq!([is_on((100, 50), false), is_on((100, 50), true)], [[false, true]; 2]);
        assert_eq!(is_on((1900, 50), false), [false, false], "too little of the title bar");
        assert_eq!([is_on((-32, 0), false)[1], is_on((-16, 0), false)[1]], [false, true]);
    }
}
