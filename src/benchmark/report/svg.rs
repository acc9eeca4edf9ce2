//! SVG: coordinates and paths of inline pictures.

use std::fmt::Write;

/// A coordinate to a tenth of a unit: finer than a pixel, and short.
pub(super) fn px(units: f64) -> f64 {
    // Adding 0 takes the sign off -0.
    (units * 10.0).round() / 10.0 + 0.0
}

/// The data of a path.
#[derive(Clone, Default, Debug)]
pub(super) struct Path(String);

impl Path {
    /// Begins another stroke.
    pub(super) fn begin(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "M{} {}", px(x), px(y));
    }

    /// Draws straight on.
    pub(super) fn line(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "L{} {}", px(x), px(y));
    }

    /// Draws up or down, and then to the side.
    pub(super) fn step(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "V{}H{}", px(y), px(x));
    }

    /// Draws back to the begin of the stroke.
    pub(super) fn close(&mut self) {
        self.0.push('Z');
    }

    pub(super) fn data(&self) -> &str {
        &self.0
    }

    /// A line of steps: from `edges[i]` to `edges[i + 1]` at `heights[i]`.
    pub(super) fn steps(edges: &[f64], heights: &[f64]) -> Self {
        let mut path = Self::default();
        if let (Some(&x), Some(&y)) = (edges.first(), heights.first()) {
            path.begin(x, y);
        }
        for (&x, &y) in edges.iter().skip(1).zip(heights) {
            path.step(x, y);
        }
        path
    }

    /// The area between two lines of steps.
    pub(super) fn between(edges: &[f64], upper: &[f64], lower: &[f64]) -> Self {
        let mut path = Self::steps(edges, upper);
        for (&x, &y) in edges.iter().rev().skip(1).zip(lower.iter().rev()) {
            path.step(x, y);
        }
        path.close();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let coordinates = [1.26, -0.01, 12.0, 1e3].map(|units| px(units).to_string());
        assert_eq!(coordinates, ["1.3", "0", "12", "1000"]);
    }

    #[test]
    fn an_area_goes_there_on_top_and_back_below() {
        let area = Path::between(&[0.0, 2.0, 4.0], &[1.0, 3.0], &[5.0, 7.0]);
        assert_eq!(area.data(), "M0 1V1H2V3H4V7H2V5H0Z");
    }
}
