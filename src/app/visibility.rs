//! Whether the window system shows a window at all, as far as it tells.

use winit::window::Window;
#[cfg(x11)]
use {
    winit::raw_window_handle::{HasWindowHandle, RawWindowHandle},
    x11rb::protocol::xproto::{ConnectionExt, MapState},
    x11rb::rust_connection::RustConnection,
};

use crate::render::Size;

/// What is known about one window.
pub(super) struct Visibility {
    /// As polled: not every window system reports it.
    hidden: bool,
    /// Other windows cover it completely, or the page with it is hidden.
    pub(super) occluded: bool,
    has_no_area: bool,
    /// The window and a connection of its own, on X11: window managers hide windows on other virtual desktops, and rolled up
    /// ones, without a word.
    #[cfg(x11)]
    x11: Option<(RustConnection, u32)>,
}

impl Visibility {
    #[cfg_attr(not(x11), expect(unused_variables, reason = "only X11 is asked"))]
    pub(super) fn of(window: &Window) -> Self {
        Self {
            hidden: false,
            occluded: false,
            has_no_area: false,
            #[cfg(x11)]
            x11: x11_window(window)
                .and_then(|id| Some((RustConnection::connect(None).ok()?.0, id))),
        }
    }

    /// Asks whether the window is minimized, or hidden by a window manager of X11. Too slow for every frame.
    pub(super) fn poll(&mut self, window: &Window) {
        self.hidden = window.is_minimized() == Some(true) || self.is_unmapped();
    }

    /// Follows a new size of the window. Returns it within the limits; `None` without an area.
    pub(super) fn resized(&mut self, width: u32, height: u32) -> Option<Size> {
        let size = Size::new(width.min(Size::LARGEST), height.min(Size::LARGEST));
        self.has_no_area = size.is_none();
        size
    }

    /// Returns whether nothing of the window is visible, as far as is known.
    pub(super) fn is_hidden(&self) -> bool {
        self.hidden || self.occluded || self.has_no_area
    }

    #[cfg(x11)]
    fn is_unmapped(&self) -> bool {
        self.x11.as_ref().is_some_and(|(connection, window)| {
            let attributes = connection.get_window_attributes(*window);
            let attributes = attributes.ok().and_then(|cookie| cookie.reply().ok());
            attributes.is_some_and(|it| it.map_state != MapState::VIEWABLE)
        })
    }

    #[cfg(not(x11))]
    #[expect(clippy::unused_self, reason = "only X11 is asked")]
    fn is_unmapped(&self) -> bool {
        false
    }
}

#[cfg(x11)]
fn x11_window(window: &Window) -> Option<u32> {
    match window.window_handle().ok()?.as_raw() {
        RawWindowHandle::Xlib(handle) => u32::try_from(handle.window).ok(),
        RawWindowHandle::Xcb(handle) => Some(handle.window.get()),
        _ => None,
    }
}
