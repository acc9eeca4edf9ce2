//! Path data and coordinates of SVG.

use std::fmt::Write;

/// Rounds a coordinate to a tenth of an SVG unit: below a pixel, and short in the file.
pub(crate) fn px(units: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (units * 10.0).round() / 10.0 + 0.0
}

/// Returns path data of straight lines from each point to the next.
pub(crate) fn line_path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (x, y) in points {
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", px(x), px(y));
    }
    path
}

/// Returns path data of a step line: from `edges[i]` to `edges[i + 1]` at `heights[i]`, with a gap where that is
/// NaN.
pub(crate) fn step_path(edges: &[f64], heights: &[f64]) -> String {
    let mut path = String::new();
    let mut is_gap = true;
    for (edges, &y) in edges.windows(2).zip(heights) {
        if is_gap && !y.is_nan() {
            let _ = write!(path, "M{} {}", px(edges[0]), px(y));
        }
        is_gap = y.is_nan();
        if !is_gap {
            let _ = write!(path, "V{}H{}", px(y), px(edges[1]));
        }
    }
    path
}

/// Returns path data of the area between two step lines.
pub(crate) fn area_path(edges: &[f64], upper: &[f64], lower: &[f64]) -> String {
    let mut path = step_path(edges, upper);
    for (&x, &y) in edges.iter().rev().skip(1).zip(lower.iter().rev()) {
        let _ = write!(path, "V{}H{}", px(y), px(x));
    }
    path + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_follows_its_upper_line_and_returns_along_the_lower() {
        let area = area_path(&[0.0, 2.0, 4.0], &[1.26, 3.0], &[5.0, -0.01]);
        assert_eq!(area, "M0 1.3V1.3H2V3H4V0H2V5H0Z");
    }

    #[test]
    fn a_step_line_has_gaps() {
        let line = step_path(&[0.0, 1.0, 2.0, 3.0, 4.0], &[f64::NAN, 5.0, f64::NAN, 7.0]);
        assert_eq!(line, "M1 5V5H2M3 7V7H4");
    }
}
