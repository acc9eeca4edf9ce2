//! Graph: recent frame times, one point of its width per frame.

use egui::{Align2, Color32, Response, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::panel::block;
use super::{History, theme};

const HEIGHT: f32 = 62.0;

/// Frame times at 60 and 120 frames per second, in ns, with their labels in ms.
const MARKS: [(f64, &str); 2] = [(1e9 / 60.0, "16.7"), (1e9 / 120.0, "8.3")];

/// Possible heights of the graph in ns; the smallest that holds the slowest frame is used.
const SCALES: [f64; 6] = [25e6, 50e6, 100e6, 250e6, 500e6, 1000e6];

/// Draws the latest frames, as many as the width of the graph in points.
pub(super) fn show(ui: &mut Ui, history: &History) -> Response {
    let size = vec2(ui.available_width(), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(rect);
    block(&painter, rect, ui.visuals().extreme_bg_color);

    let count = rect.width() as usize;
    let times = history.latest(count);
    let slowest = history.latest(count).max().unwrap_or(0) as f64;
    let top = scale(slowest);
    let height = |ns: f64| rect.bottom() - (ns / top).min(1.0) as f32 * rect.height();
    let mut labels = Vec::new();
    for (ns, text) in MARKS {
        let y = height(ns);
        let color = Color32::from_rgb(70, 78, 96);
        painter.hline(rect.x_range(), y, Stroke::new(1.0, color));
        // On all but the lowest scale the two labels would overlap, so only the upper one is drawn.
        if top <= 25e6 || ns > 10e6 {
            labels.push((pos2(rect.left() + 3.0, y - 1.0), Align2::LEFT_BOTTOM, text.to_owned()));
        }
    }
    let first = rect.right() - times.len() as f32;
    let points: Vec<_> = times
        .enumerate()
        .map(|(i, time)| pos2(first + i as f32 + 0.5, height(time as f64)))
        .collect();
    painter.add(Shape::line(points, Stroke::new(1.0, theme::ACCENT)));
    let top = format!("{:.0} ms", top / 1e6);
    // Over the oldest frames, beside the other labels.
    labels.push((rect.left_top() + vec2(34.0, 2.0), Align2::LEFT_TOP, top));
    // Over the line, on a background of their own.
    for (at, anchor, text) in labels {
        let galley = painter.layout_no_wrap(text, theme::mono(10.5), theme::TEXT);
        let place = anchor.anchor_size(at, galley.size());
        block(&painter, place.expand2(vec2(2.0, 0.0)), ui.visuals().extreme_bg_color);
        painter.galley(place.min, galley, theme::TEXT);
    }
    response
}

fn scale(slowest: f64) -> f64 {
    SCALES.into_iter().find(|&scale| slowest <= scale).unwrap_or(slowest)
}

#[cfg(test)]
mod tests {
    use super::scale;

    #[test]
    fn the_scale_holds_the_slowest_frame() {
        let tops = [0.0, 25e6, 26e6, 90e6, 101e6, 251e6, 999e6, 3e9].map(scale);
        assert_eq!(tops, [25e6, 25e6, 50e6, 100e6, 250e6, 500e6, 1000e6, 3e9]);
    }
}
