//! Path data and coordinates of SVG.

use std::fmt::Write;

/// Rounds a coordinate to a tenth of an SVG unit: below a pixel, and short in the file.
pub(crate) fn px(units: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (units * 10.0).round() / 10.0 + 0.0
}

/// The `d` attribute of a path.
#[derive(Clone, Default, Debug)]
pub(crate) struct PathData(String);

impl PathData {
    /// Starts another line.
    pub(crate) fn move_to(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "M{} {}", px(x), px(y));
    }

    /// Draws a straight line.
    pub(crate) fn line_to(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "L{} {}", px(x), px(y));
    }

    /// Draws vertically to `y`, then horizontally to `x`.
    pub(crate) fn step_to(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "V{}H{}", px(y), px(x));
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a step line: from `edges[i]` to `edges[i + 1]` at `heights[i]`.
    pub(crate) fn steps(edges: &[f64], heights: &[f64]) -> Self {
        let mut path = Self::default();
        if let (Some(&x), Some(&y)) = (edges.first(), heights.first()) {
            path.move_to(x, y);
        }
        for (&x, &y) in edges.iter().skip(1).zip(heights) {
            path.step_to(x, y);
        }
        path
    }

    /// Returns the area between two step lines.
    pub(crate) fn area(edges: &[f64], upper: &[f64], lower: &[f64]) -> Self {
        let mut path = Self::steps(edges, upper);
        for (&x, &y) in edges.iter().rev().skip(1).zip(lower.iter().rev()) {
            path.step_to(x, y);
        }
        path.0.push('Z');
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_one_decimal_at_most() {
        let coordinates = [1.26, -0.01, 12.0, 1e3].map(|units| px(units).to_string());
        assert_eq!(coordinates, ["1.3", "0", "12", "1000"]);
    }

    #[test]
    fn an_area_follows_its_upper_line_and_returns_along_the_lower() {
        let area = PathData::area(&[0.0, 2.0, 4.0], &[1.0, 3.0], &[5.0, 7.0]);
        assert_eq!(area.as_str(), "M0 1V1H2V3H4V7H2V5H0Z");
    }
}
