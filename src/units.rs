//! Units: numbers as people read them, in one format for terminal, HUD, report and exported summaries.
//!
//! Times come in as nanoseconds and shares as fractions of 1. An unknown value is [`UNKNOWN`], never 0.

use std::fmt::Display;

/// Text in place of an unknown value.
pub const UNKNOWN: &str = "-";

/// Nanoseconds per millisecond.
pub const MILLISECOND: f64 = 1e6;

/// Returns a number with its whole digits grouped by thousands: `12,345`.
pub fn count(number: impl Display) -> String {
    let number = number.to_string();
    let digits = number.strip_prefix('-').unwrap_or(&number);
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut text = number[..number.len() - digits.len()].to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number and what it counts, with an `s` unless it is one: `1 frame`, `12,345 frames`.
pub fn counted(number: impl Display, one: &str) -> String {
    let number = count(number);
    let end = if number == "1" { "" } else { "s" };
    format!("{number} {one}{end}")
}

/// Returns milliseconds without the unit: `5.010`.
pub fn bare_ms(nanoseconds: f64) -> String {
    format!("{:.3}", nanoseconds / MILLISECOND)
}

/// Returns milliseconds with the unit: `5.010 ms`.
pub fn ms(nanoseconds: f64) -> String {
    format!("{} ms", bare_ms(nanoseconds))
}

/// Returns milliseconds for a display that changes several times a second: `5.01`.
pub fn live_ms(nanoseconds: f64) -> String {
    format!("{:.2}", nanoseconds / MILLISECOND)
}

/// Returns a rate per second: `122.1`.
pub fn rate(per_second: f64) -> String {
    format!("{per_second:.1}")
}

/// Returns a rate for a display that changes several times a second: `59.9`, and `122` from 100 on.
pub fn live_rate(per_second: f64) -> String {
    if per_second < 99.95 { rate(per_second) } else { format!("{per_second:.0}") }
}

/// Returns a share as a percentage: `99.8 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Returns a relative change as a signed percentage: `+1.25 %`.
pub fn change(share: f64) -> String {
    signed_percent(share * 100.0, 2)
}

/// Returns a signed percentage with so many decimals, where what rounds to zero has no minus sign.
pub fn signed_percent(percent: f64, decimals: u8) -> String {
    let unit = 10_f64.powi(decimals.into());
    let rounded = (percent * unit).round() / unit + 0.0;
    format!("{rounded:+.*} %", usize::from(decimals))
}

/// Returns bytes in powers of 1,024: `1.5 MiB`.
pub fn bytes(bytes: f64) -> String {
    const KIB: f64 = 1024.0;
    const MIB: f64 = 1024.0 * KIB;
    const GIB: f64 = 1024.0 * MIB;
    // What rounds to 1,024 of a unit is 1.0 of the next.
    let (value, unit) = match bytes * (1024.0 / 1023.5) {
        ..KIB => return format!("{bytes:.0} B"),
        ..MIB => (bytes / KIB, "KiB"),
        ..GIB => (bytes / MIB, "MiB"),
        _ => (bytes / GIB, "GiB"),
    };
    format!("{} {unit}", live_rate(value))
}

/// Returns a clock rate: `3.40 GHz`.
pub fn ghz(megahertz: f64) -> String {
    format!("{:.2} GHz", megahertz / 1e3)
}

/// Returns a temperature: `71 °C`.
pub fn celsius(degrees: f64) -> String {
    format!("{degrees:.0} °C")
}

/// Returns a power: `35.0 W`.
pub fn watts(watts: f64) -> String {
    format!("{watts:.1} W")
}

/// Returns a known value as text, and [`UNKNOWN`] for `None`.
pub fn or_unknown<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let grouped = [0, 7, 999, 1000, 12_345, 123_456, 1_234_567].map(count);
        assert_eq!(grouped, ["0", "7", "999", "1,000", "12,345", "123,456", "1,234,567"]);
        assert_eq!([-123.0, -1234.5, 0.123_456].map(count), ["-123", "-1,234.5", "0.123456"]);
    }

    #[test]
    fn times_are_milliseconds() {
        assert_eq!(ms(16_666_667.0), "16.667 ms");
        assert_eq!((bare_ms(5e6), live_ms(16_666_667.0)), ("5.000".into(), "16.67".into()));
    }

    #[test]
    fn rates_have_one_decimal_and_live_ones_three_digits() {
        assert_eq!((rate(59.94), rate(122.07)), ("59.9".into(), "122.1".into()));
        assert_eq!([59.94, 99.9, 99.96, 122.07].map(live_rate), ["59.9", "99.9", "100", "122"]);
    }

    #[test]
    fn shares_are_percentages_and_changes_are_signed() {
        assert_eq!([0.0, 0.998, 1.0].map(percent), ["0.0 %", "99.8 %", "100.0 %"]);
        assert_eq!([0.03, -0.0125, -4e-5].map(change), ["+3.00 %", "-1.25 %", "+0.00 %"]);
    }

    #[test]
    fn bytes_use_the_largest_unit_that_keeps_a_whole_digit() {
        let texts = [0.0, 1023.0, 1536.0, 123_456.0, 1_048_576.0, 2.5e9].map(bytes);
        assert_eq!(texts, ["0 B", "1023 B", "1.5 KiB", "121 KiB", "1.0 MiB", "2.3 GiB"]);
        assert_eq!(bytes((8_u64 << 30) as f64), "8.0 GiB");
        assert_eq!([1023.6, 1_048_575.0].map(bytes), ["1.0 KiB", "1.0 MiB"]);
    }

    #[test]
    fn sensors_have_two_decimals_none_or_one() {
        let texts = (ghz(3404.0), celsius(70.6), watts(34.96));
        assert_eq!(texts, ("3.40 GHz".into(), "71 °C".into(), "35.0 W".into()));
    }

    #[test]
    fn an_unknown_value_is_a_dash() {
        assert_eq!(or_unknown(None, ms), "-");
        assert_eq!(or_unknown(Some(5e6), ms), "5.000 ms");
    }
}
