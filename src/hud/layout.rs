//! Layout: where each widget is, for whoever drives them from outside.

use std::collections::BTreeMap;

use egui::Response;

/// Says with `RUST_LOG=cubefall::hud=debug` where each widget is, in pixels of the window, whenever
/// that changes.
pub(super) struct Layout {
    wanted: bool,
    known: BTreeMap<String, [i32; 4]>,
}

impl Layout {
    pub(super) fn new() -> Self {
        Self { wanted: cfg!(test) || log::log_enabled!(log::Level::Debug), known: BTreeMap::new() }
    }

    /// Where a widget was last: left, top, width and height.
    #[cfg(test)]
    pub(super) fn of(&self, name: &str) -> Option<[i32; 4]> {
        self.known.get(name).copied()
    }

    /// A widget of that name was laid out.
    pub(super) fn note(&mut self, name: &str, response: &Response) {
        // What is laid out for its size alone is not seen.
        if self.wanted && response.rect.is_finite() && !response.ctx.will_discard() {
            let scale = response.ctx.pixels_per_point();
            let rect = response.rect;
            let place = [rect.left(), rect.top(), rect.width(), rect.height()]
                .map(|points| (points * scale).round() as i32);
            if self.known.get(name) != Some(&place) {
                let [x, y, width, height] = place;
                log::debug!("widget {name:?} at {x},{y} {width}x{height}");
                self.known.insert(name.to_owned(), place);
            }
        }
    }
}
