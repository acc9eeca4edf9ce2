//! Path data of SVG.

use std::fmt::Write;

use super::axis::Axis;

/// Returns path data of straight lines from each point to the next.
pub(crate) fn line_path([x, y]: [&Axis; 2], points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for &(along, up) in points {
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", x.position(along), y.position(up));
    }
    path
}

/// Returns path data of a step line: from `edges[i]` to `edges[i + 1]` at `values[i]`, with a gap where that is
/// NaN.
pub(crate) fn step_path([x, y]: [&Axis; 2], edges: &[f64], values: &[f64]) -> String {
    let mut path = String::new();
    let mut is_gap = true;
    for (&[from, to], &value) in edges.array_windows().zip(values) {
        if is_gap && !value.is_nan() {
            let _ = write!(path, "M{} {}", x.position(from), y.position(value));
        }
        is_gap = value.is_nan();
        if !is_gap {
            let _ = write!(path, "V{}H{}", y.position(value), x.position(to));
        }
    }
    path
}

/// Returns path data of the area between two step lines.
pub(crate) fn area_path(axes: [&Axis; 2], edges: &[f64], upper: &[f64], lower: &[f64]) -> String {
    let mut path = step_path(axes, edges, upper);
    for (&edge, &value) in edges.iter().rev().skip(1).zip(lower.iter().rev()) {
        let _ = write!(path, "V{}H{}", axes[1].position(value), axes[0].position(edge));
    }
    path + "Z"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_return_along_their_lower_line_and_step_lines_have_gaps() {
        let x = &Axis::horizontal([0.0, 840.0], 1.0, "");
        let y = &Axis::vertical([0.0, 10.0], 10.0, 1.0, "");
        let area = area_path([x, y], &[0.0, 2.0, 4.0], &[8.74, 7.0], &[5.0, 10.01]);
        assert_eq!(area, "M0 1.3V1.3H2V3H4V0H2V5H0Z");
        let edges = [0.0, 1.0, 2.0, 3.0, 4.0];
        let line = step_path([x, y], &edges, &[f64::NAN, 5.0, f64::NAN, 3.0]);
        assert_eq!(line, "M1 5V5H2M3 7V7H4");
    }
}
