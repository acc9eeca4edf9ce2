//! Layout: the rectangle of each widget, logged so that tests can drive the window from outside.

use std::collections::BTreeMap;

use egui::Response;

/// Rectangles of widgets by name. With `RUST_LOG=cubefall::hud=debug` each change is logged, in pixels
/// of the window.
pub(super) struct Layout {
    enabled: bool,
    rects: BTreeMap<String, [i32; 4]>,
    /// Visible parts of the same, in points.
    #[cfg(test)]
    pub(super) visible: BTreeMap<String, egui::Rect>,
}

impl Layout {
    pub(super) fn new() -> Self {
        Self {
            enabled: cfg!(test) || log::log_enabled!(log::Level::Debug),
            rects: BTreeMap::new(),
            #[cfg(test)]
            visible: BTreeMap::new(),
        }
    }

    /// Returns the last rectangle of a widget: left, top, width and height.
    #[cfg(test)]
    pub(super) fn of(&self, name: &str) -> Option<[i32; 4]> {
        self.rects.get(name).copied()
    }

    /// Records the rectangle of a widget or panel.
    pub(super) fn record(&mut self, name: &str, response: &Response) {
        // A discarded pass only measures sizes; its rectangles are never visible.
        if self.enabled && response.rect.is_finite() && !response.ctx.will_discard() {
            #[cfg(test)]
            self.visible.insert(name.to_owned(), response.interact_rect);
            let scale = response.ctx.pixels_per_point();
            let rect = response.rect;
            let rect_px = [rect.left(), rect.top(), rect.width(), rect.height()]
                .map(|points| (points * scale).round() as i32);
            if self.rects.get(name) != Some(&rect_px) {
                let [x, y, width, height] = rect_px;
                log::debug!("widget {name:?} at {x},{y} {width}x{height}");
                self.rects.insert(name.to_owned(), rect_px);
            }
        }
    }
}
