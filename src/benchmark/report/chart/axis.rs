//! Axis: maps values to positions along an edge of a plot, and chooses round tick values.

use crate::units;

/// Length of every horizontal axis, in SVG units.
pub(super) const PLOT_WIDTH: f64 = 840.0;

/// A linear or logarithmic axis from `min` to `max`.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) min: f64,
    pub(crate) max: f64,
    /// Length in SVG units.
    pub(crate) length: f64,
    /// One unit of the tick labels, in the unit of the values: 1e6 labels nanoseconds in ms.
    pub(crate) unit: f64,
    /// What the axis shows, with the unit of its ticks.
    pub(crate) label: &'static str,
    /// Largest number of tick intervals of a linear axis; 0 for no ticks.
    pub(crate) max_ticks: u32,
    /// Values to label in place of round ones; an empty label leaves a line.
    pub(crate) ticks: Vec<(f64, String)>,
    pub(crate) is_logarithmic: bool,
    pub(crate) is_vertical: bool,
}

impl Axis {
    /// A linear axis from left to right.
    pub(crate) fn horizontal(range: [f64; 2], unit: f64, label: &'static str) -> Self {
        let [min, max] = range;
        // A single value gets a margin on both sides.
        let margin = if min == 0.0 { 0.5 } else { min.abs() / 10.0 };
        let [min, max] = if max > min { range } else { [min - margin, max + margin] };
        let (is_logarithmic, is_vertical) = (false, false);
        let (length, max_ticks, ticks) = (PLOT_WIDTH, 8, Vec::new());
        Self { min, max, length, unit, label, max_ticks, ticks, is_logarithmic, is_vertical }
    }

    /// A linear axis from bottom to top.
    pub(crate) fn vertical(range: [f64; 2], length: f64, unit: f64, label: &'static str) -> Self {
        Self { length, is_vertical: true, max_ticks: 5, ..Self::horizontal(range, unit, label) }
    }

    /// Makes the axis logarithmic; for values above 0 only.
    pub(crate) fn logarithmic(self) -> Self {
        // The margin keeps every value off the edges.
        let margin = (self.max / self.min).powf(0.04).max(1.05);
        Self { min: self.min / margin, max: self.max * margin, is_logarithmic: true, ..self }
    }

    /// Returns the distance of a value from the left or top end, in SVG units.
    pub(crate) fn position(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value / self.min).ln() / (self.max / self.min).ln()
        } else {
            (value - self.min) / (self.max - self.min)
        };
        px(self.length * if self.is_vertical { 1.0 - share } else { share })
    }

    /// Returns the chosen ticks, or round values within the range, in ascending order.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if !self.ticks.is_empty() {
            return self.ticks.clone();
        }
        let [min, max] = [self.min, self.max].map(|end| end / self.unit);
        // Few of the round values of a logarithmic axis lie in a narrow range.
        let ticks = if self.is_logarithmic && max > 3.0 * min {
            logarithmic_ticks(min, max)
        } else {
            linear_ticks(min, max, self.max_ticks)
        };
        ticks.into_iter().map(|(value, label)| (value * self.unit, label)).collect()
    }
}

/// Rounds a coordinate to a tenth of an SVG unit: below a pixel, and short in the file.
pub(crate) fn px(units: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (units * 10.0).round() / 10.0 + 0.0
}

/// Returns multiples of 1, 2 or 5 times a power of ten, `max_ticks` + 1 at most.
fn linear_ticks(min: f64, max: f64, max_ticks: u32) -> Vec<(f64, String)> {
    if max_ticks == 0 {
        return Vec::new();
    }
    let (digit, exponent) = round_up((max - min) / f64::from(max_ticks));
    let step = digit * 10_f64.powi(exponent);
    // The tolerance keeps a tick at a round end of the axis.
    let first = (min / step - 1e-6).ceil();
    let values = (0..=max_ticks).map(|i| (first + f64::from(i)) * step);
    let values = values.take_while(|value| *value <= max + step * 1e-6);
    values.map(|value| (value, label(value, exponent))).collect()
}

/// Returns the multiples of each power of ten; the wider the range, the fewer have a label.
fn logarithmic_ticks(min: f64, max: f64) -> Vec<(f64, String)> {
    let labeled: &[u32] = match (max / min).log10() {
        ..2.0 => &[1, 2, 5],
        ..4.0 => &[1, 3],
        _ => &[1],
    };
    let decades = min.log10().floor() as i32..=max.log10().ceil() as i32;
    decades
        .flat_map(|exponent| (1..10).map(move |digit| (digit, exponent)))
        .map(|(digit, exponent)| {
            let value = f64::from(digit) * 10_f64.powi(exponent);
            let is_labeled = labeled.contains(&digit);
            (value, if is_labeled { label(value, exponent) } else { String::new() })
        })
        .filter(|(value, _)| (min..=max).contains(value))
        .collect()
}

/// Returns the value with the decimals that a step of `10^exponent` needs.
fn label(value: f64, exponent: i32) -> String {
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    // Adding 0 turns -0 into 0.
    units::count(format_args!("{:.decimals$}", value + 0.0))
}

/// Returns the least `(digit, exponent)` with `digit * 10^exponent >= value`, where the digit is 1, 2 or 5;
/// for values above 0.
pub(crate) fn round_up(value: f64) -> (f64, i32) {
    let exponent = value.log10().floor() as i32;
    let power = 10_f64.powi(exponent);
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= value);
    digit.map_or((1.0, exponent + 1), |digit| (digit, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, label)| label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn tick_labels_are_round_in_the_unit_of_the_axis_and_have_the_decimals_they_need() {
        let cases: [(_, &[&str]); 5] = [
            ([0.0, 1.0], &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            ([0.0, 20.0], &["0", "5", "10", "15", "20"]),
            ([4.98, 5.03], &["4.98", "4.99", "5.00", "5.01", "5.02", "5.03"]),
            ([-3.0, 3.0], &["-2", "0", "2"]),
            ([0.0, 25e3], &["0", "5,000", "10,000", "15,000", "20,000", "25,000"]),
        ];
        for (range, labeled) in cases {
            assert_eq!(labels(&Axis::vertical(range, 100.0, 1.0, "")), labeled);
            let nanoseconds = Axis::vertical(range.map(|end| end * 1e6), 100.0, 1e6, "ms");
            assert_eq!(labels(&nanoseconds), labeled);
        }
    }

    #[test]
    fn linear_axes_of_any_range_have_four_to_nine_ticks_within_their_ends() {
        for exponent in -12..18 {
            for range in [1.0, 1.7, 2.5, 3.3, 5.0, 7.1, 9.9] {
                let max = range * 10_f64.powi(exponent);
                let axis = Axis::horizontal([0.0, max], 1.0, "");
                let ticks = axis.ticks();
                assert!((4..=9).contains(&ticks.len()), "{range}e{exponent}: {ticks:?}");
                let mut positions = ticks.iter().map(|(value, _)| axis.position(*value));
                assert!(positions.all(|at| (0.0..=PLOT_WIDTH).contains(&at)), "{ticks:?}");
                assert!(ticks.is_sorted_by(|(one, _), (next, _)| one < next));
            }
        }
    }

    #[test]
    fn a_single_value_is_in_the_middle_of_its_axis() {
        for value in [0.0, 5.0, 1e-9, 1.8e19] {
            let axis = Axis::vertical([value, value], 100.0, 1.0, "");
            assert!(axis.position(value) == 50.0 && !axis.ticks().is_empty());
        }
        let axis = Axis::horizontal([10_000.0, 10_000.0], 1.0, "").logarithmic();
        assert!(labels(&axis).contains(&"10,000".to_owned()));
    }

    #[test]
    fn logarithmic_axes_label_powers_of_ten_if_wide_and_linear_steps_if_narrow() {
        let wide = labels(&Axis::horizontal([1e3, 1e7], 1.0, "").logarithmic());
        assert_eq!(wide, ["1,000", "10,000", "100,000", "1,000,000", "10,000,000"]);
        let narrow = labels(&Axis::horizontal([0.05, 2.0], 1.0, "").logarithmic());
        assert_eq!(narrow, ["0.05", "0.1", "0.2", "0.5", "1", "2"]);
        let one = labels(&Axis::vertical([3.7, 3.7], 100.0, 1.0, "").logarithmic());
        assert_eq!(one, ["3.5", "4.0"]);
    }
}
