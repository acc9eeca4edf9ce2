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

    /// Returns a step line: from `edges[i]` to `edges[i + 1]` at `heights[i]`. It has a gap where that is NaN.
    pub(crate) fn steps(edges: &[f64], heights: &[f64]) -> Self {
        let mut path = Self::default();
        let mut is_gap = true;
        for (edges, &y) in edges.windows(2).zip(heights) {
            if is_gap && !y.is_nan() {
                path.move_to(edges[0], y);
            }
            is_gap = y.is_nan();
            if !is_gap {
                path.step_to(edges[1], y);
            }
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
    fn an_area_follows_its_upper_line_and_returns_along_the_lower() {
        let area = PathData::area(&[0.0, 2.0, 4.0], &[1.26, 3.0], &[5.0, -0.01]);
        assert_eq!(area.as_str(), "M0 1.3V1.3H2V3H4V0H2V5H0Z");
    }

    #[test]
    fn a_step_line_has_gaps() {
        let line = PathData::steps(&[0.0, 1.0, 2.0, 3.0, 4.0], &[f64::NAN, 5.0, f64::NAN, 7.0]);
        assert_eq!(line.as_str(), "M1 5V5H2M3 7V7H4");
    }
}
