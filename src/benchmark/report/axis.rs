//! Axis: where values lie along an edge of a plot, and which of them are named there.

use crate::units::count;

/// An edge of a plot: values from `from` to `to` over `length` units of the picture.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    /// How long it is in the picture.
    pub(super) length: f64,
    /// What it shows, with the unit.
    pub(super) label: String,
    /// Room for about so many named values.
    room: u32,
    is_logarithmic: bool,
    is_upward: bool,
}

/// A value that is named on an axis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// Empty for a line without a name.
    pub(super) name: String,
}

impl Axis {
    /// Equal steps from the left to the right.
    pub(super) fn across(from: f64, to: f64, length: f64, label: impl Into<String>) -> Self {
        // A single value is shown amid some room.
        let (from, to) = if to > from {
            (from, to)
        } else {
            let margin = if from == 0.0 { 0.5 } else { from.abs() / 10.0 };
            (from - margin, to + margin)
        };
        let label = label.into();
        Self { from, to, length, label, room: 8, is_logarithmic: false, is_upward: false }
    }

    /// Equal steps from the bottom to the top.
    pub(super) fn upward(from: f64, to: f64, length: f64, label: impl Into<String>) -> Self {
        Self { is_upward: true, room: 5, ..Self::across(from, to, length, label) }
    }

    /// The same, with room for about so many named values; with none, it is only drawn along.
    pub(super) fn with_room(self, room: u32) -> Self {
        Self { room, ..self }
    }

    /// Equal steps for equal ratios; for values above 0 only.
    pub(super) fn logarithmic(self) -> Self {
        // A little room, so that no value lies on an edge.
        let margin = (self.to / self.from).powf(0.04).max(1.05);
        Self { from: self.from / margin, to: self.to * margin, is_logarithmic: true, ..self }
    }

    /// Where a value lies.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        self.length * if self.is_upward { 1.0 - share } else { share }
    }

    /// Whether a value lies on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// The value farthest from the origin.
    pub(super) fn end(&self) -> f64 {
        self.to
    }

    /// Round values on the axis, in ascending order.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        if self.is_logarithmic { self.decades() } else { self.steps() }
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn steps(&self) -> Vec<Tick> {
        if self.room == 0 {
            return Vec::new();
        }
        let Step { digit, exponent } = Step::about((self.to - self.from) / f64::from(self.room));
        let width = digit * 10_f64.powi(exponent);
        // An end that is a round value keeps its name, whatever the last bit.
        let (first, last) = ((self.from / width - 1e-6).ceil(), (self.to / width + 1e-6).floor());
        let count = (last - first).max(-1.0) + 1.0;
        (0..10 * self.room)
            .map(f64::from)
            .take_while(|number| *number < count)
            .map(|number| {
                // By division, so that 3 steps of 0.1 are 0.3.
                let steps = first + number;
                let value = if exponent < 0 {
                    steps * digit / 10_f64.powi(-exponent)
                } else {
                    steps * width
                };
                Tick { value, name: decimal(value, exponent) }
            })
            .collect()
    }

    /// Powers of ten, and what is 2 or 5 times as much; named as far as there is room.
    fn decades(&self) -> Vec<Tick> {
        let decades = (self.to / self.from).log10();
        let named: &[f64] = match decades {
            ..2.0 => &[1.0, 2.0, 5.0],
            ..4.0 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let lines: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let first = self.from.log10().floor() as i32;
        let last = self.to.log10().ceil() as i32;
        (first..=last)
            .flat_map(|exponent| lines.iter().map(move |&digit| (digit, exponent)))
            .map(|(digit, exponent)| {
                let value = if exponent < 0 {
                    digit / 10_f64.powi(-exponent)
                } else {
                    digit * 10_f64.powi(exponent)
                };
                let is_named = named.contains(&digit);
                Tick {
                    value,
                    name: if is_named { decimal(value, exponent) } else { String::new() },
                }
            })
            .filter(|tick| self.holds(tick.value))
            .collect()
    }
}

/// With as many decimals as steps of `10^exponent` need, and thousands apart.
fn decimal(value: f64, exponent: i32) -> String {
    let decimals = usize::try_from(-exponent).unwrap_or(0);
    // Adding 0 takes the sign off -0.
    count(format_args!("{:.decimals$}", value + 0.0))
}

/// 1, 2 or 5 times a power of ten.
struct Step {
    digit: f64,
    exponent: i32,
}

impl Step {
    /// The least that is not below `width`.
    fn about(width: f64) -> Self {
        let exponent = width.log10().floor() as i32;
        let power = 10_f64.powi(exponent);
        let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= width);
        digit.map_or(Self { digit: 1.0, exponent: exponent + 1 }, |digit| Self { digit, exponent })
    }
}

/// The least round width, 1, 2 or 5 times a power of ten, of which `count` reach as far as `range`;
/// at least 1.
pub(super) fn round_width(range: u64, count: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            let width = power.saturating_mul(digit);
            if width.saturating_mul(count) >= range {
                return width;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis) -> Vec<String> {
        axis.ticks().into_iter().map(|tick| tick.name).collect()
    }

    #[test]
    fn ticks_are_round_and_written_with_the_decimals_they_need() {
        let named = |from, to| names(&Axis::upward(from, to, 100.0, ""));
        assert_eq!(named(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(named(0.0, 20.0), ["0", "5", "10", "15", "20"]);
        assert_eq!(named(4.98, 5.03), ["4.98", "4.99", "5.00", "5.01", "5.02", "5.03"]);
        assert_eq!(named(-3.0, 3.0), ["-2", "0", "2"]);
        assert_eq!(named(0.0, 25_000.0), ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]);
    }

    #[test]
    fn ticks_are_as_many_as_there_is_room_for_whatever_the_range() {
        for exponent in -12..18 {
            for range in [1.0, 1.7, 2.5, 3.3, 5.0, 7.1, 9.9] {
                let axis = Axis::across(0.0, range * 10_f64.powi(exponent), 500.0, "");
                let ticks = axis.ticks();
                assert!((4..=9).contains(&ticks.len()), "{range}e{exponent}: {ticks:?}");
                let places = ticks.iter().map(|tick| axis.at(tick.value));
                assert!(places.clone().all(|at| (-1e-6..500.000_001).contains(&at)), "{ticks:?}");
                assert!(ticks.is_sorted_by(|one, next| one.value < next.value));
            }
        }
    }

    #[test]
    fn values_lie_from_edge_to_edge() {
        let across = Axis::across(10.0, 20.0, 200.0, "");
        assert_eq!([10.0, 15.0, 20.0].map(|value| across.at(value)), [0.0, 100.0, 200.0]);
        let upward = Axis::upward(10.0, 20.0, 200.0, "");
        assert_eq!([10.0, 15.0, 20.0].map(|value| upward.at(value)), [200.0, 100.0, 0.0]);
        let log = Axis::across(10.0, 1000.0, 200.0, "").logarithmic();
        let [one, ten, hundred] = [10.0, 100.0, 1000.0].map(|value| log.at(value));
        assert!((2.0 * ten - one - hundred).abs() < 1e-9, "equal ratios are equally far apart");
    }

    #[test]
    fn a_single_value_has_room_around_it() {
        for value in [0.0, 5.0, 1e-9, 1.8e19] {
            let axis = Axis::upward(value, value, 100.0, "");
            assert!((axis.at(value) - 50.0).abs() < 1e-6 && !axis.ticks().is_empty());
        }
        let axis = Axis::across(10_000.0, 10_000.0, 100.0, "").logarithmic();
        assert!(names(&axis).contains(&"10,000".to_owned()));
    }

    #[test]
    fn logarithmic_ticks_name_powers_of_ten_and_little_in_between() {
        let wide = names(&Axis::across(1e3, 1e7, 500.0, "").logarithmic());
        let wide: Vec<_> = wide.iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(wide, ["1,000", "10,000", "100,000", "1,000,000", "10,000,000"]);
        let narrow = names(&Axis::across(0.05, 2.0, 500.0, "").logarithmic());
        let narrow: Vec<_> = narrow.iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(narrow, ["0.05", "0.1", "0.2", "0.5", "1", "2"]);
    }

    #[test]
    fn widths_are_round_and_reach_as_far() {
        for (range, count, width) in
            [(0, 80, 1), (80, 80, 1), (81, 80, 2), (401, 80, 10), (8_000_000, 80, 100_000)]
        {
            assert_eq!(round_width(range, count), width);
        }
        assert!(round_width(u64::MAX, 80) >= u64::MAX / 80);
    }
}
