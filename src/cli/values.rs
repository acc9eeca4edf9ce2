//! Values: parsers for numbers, counts and time steps.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::sim::{MAX_CUBES, TimeStep};
use crate::units;

/// Returns a parser of whole numbers in a range.
pub(super) fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let [low, high] = [range.start(), range.end()].map(units::count);
            let is_digit = |it: char| it.is_ascii_digit();
            let has_digits = text.contains(is_digit)
                && text.trim_start_matches('-').contains(|it| !is_digit(it));
            let hint = if has_digits { ", in digits alone" } else { "" };
            format!("expected a whole number from {low} to {high}{hint}")
        })
    }
}

/// Parses a number in a range.
pub(super) fn number<T>(text: &str, range: RangeInclusive<T>, unit: &str) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let hint = if text.contains(',') {
            ", with a point before decimals"
        } else if text.starts_with(|it: char| it.is_ascii_digit())
            && !text.ends_with(|it: char| it.is_ascii_digit())
        {
            ", without a unit"
        } else {
            ""
        };
        format!("expected {} to {} {unit}{hint}", range.start(), range.end())
    })
}

/// Parser of `on` and `off`, which are also the choices listed by an error.
pub(super) fn on_or_off() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// Parses a number of cubes: `10000`, `10k`, `1.5M` or `10_000`.
///
/// # Errors
/// The text is not a whole number from 1 to 100M. Limits of memory and adapter are checked later.
pub fn parse_count(text: &str) -> Result<u32, String> {
    // In decimal places, since 4.1 has no exact binary fraction.
    let (digits, places) = match text.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&text[..end], 3),
        Some((end, 'm' | 'M')) => (&text[..end], 6),
        _ => (text, 0),
    };
    let digits = digits.replace('_', "");
    let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
    // Without a suffix a point may separate thousands, as in many languages.
    let is_ambiguous = places == 0 && whole != digits;
    let decimals = decimals.trim_end_matches('0');
    let all = format!("{whole}{decimals:0<places$}");
    let is_plain =
        !is_ambiguous && decimals.len() <= places && all.bytes().all(|byte| byte.is_ascii_digit());
    let count = all.parse().ok().filter(|count| is_plain && (1..=MAX_CUBES).contains(count));
    count.ok_or_else(|| {
        "expected a whole number from 1 to 100M, such as 10000, 10k or 1.5M".to_owned()
    })
}

/// Parses a number of bytes: `268435456`, `256M` or `4G`, in powers of 1,024.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let unit = units.into_iter().find(|(unit, _)| text.to_ascii_uppercase().ends_with(*unit));
    let (digits, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], shift));
    let number = digits.parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "expected a number of bytes, such as 268435456, 256M or 4G".into())
}

/// Parses seconds, as a decimal (`0.01`) or a fraction (`1/60`).
pub(super) fn parse_time_step(text: &str) -> Result<TimeStep, String> {
    let number = |text: &str| text.trim().parse::<f32>().ok();
    let seconds = match text.split_once('/') {
        Some((dividend, divisor)) => {
            number(dividend).zip(number(divisor)).map(|(dividend, divisor)| dividend / divisor)
        }
        None => number(text),
    };
    let seconds = seconds.ok_or("expected seconds, such as 0.01 or 1/60")?;
    TimeStep::fixed(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_accept_k_and_m_suffixes_and_underscores() {
        let parsed =
            ["1", "10000", "10k", "10K", "1M", "1.5M", "2.5k", "100m", "10_000"].map(parse_count);
        let counts = [1, 10_000, 10_000, 10_000, 1_000_000, 1_500_000, 2_500, 100_000_000, 10_000];
        assert_eq!(parsed, counts.map(Ok));
        // Without an exact binary fraction.
        let exact = ["4.1M", "8.20M", "2.01k"].map(parse_count);
        assert_eq!(exact, [4_100_000, 8_200_000, 2_010].map(Ok));
    }

    #[test]
    fn invalid_counts_are_refused() {
        for wrong in [
            "",
            "0",
            "-1",
            "k",
            "1.5",
            "10.000",
            "0.0001k",
            "1e3",
            "nan",
            "inf",
            "101M",
            "4000000000",
            "1 k",
            "1kk",
            "é",
            "1µ",
        ] {
            assert!(parse_count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_of_other_languages_are_explained() {
        let fov = |text| number::<f32>(text, 10.0..=120.0, "degrees").unwrap_err();
        assert_eq!(fov("45,5"), "expected 10 to 120 degrees, with a point before decimals");
        assert_eq!(fov("5"), "expected 10 to 120 degrees");
        assert_eq!([fov("60deg"), fov("60°")], ["expected 10 to 120 degrees, without a unit"; 2]);
        assert_eq!(fov("wide"), "expected 10 to 120 degrees");
        let seed = |text| whole(0..=5000_u64)(text).unwrap_err();
        assert_eq!(seed("1,000"), "expected a whole number from 0 to 5,000, in digits alone");
        assert_eq!(seed("1k"), "expected a whole number from 0 to 5,000, in digits alone");
        assert_eq!(
            [seed("6000"), seed("-1"), seed("x")],
            ["expected a whole number from 0 to 5,000"; 3]
        );
    }

    #[test]
    fn bytes_accept_suffixes_of_powers_of_1024() {
        let parsed = ["0", "5", "2k", "256M", "4G", "4g"].map(parse_bytes);
        assert_eq!(parsed, [0, 5, 2048, 256 << 20, 4 << 30, 4 << 30].map(Ok));
        for wrong in ["", "G", "-1", "1.5G", "4T", "99999999999G", "é"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_steps_are_decimals_or_fractions() {
        assert_eq!(parse_time_step("1/60").unwrap().seconds(), 1.0 / 60.0);
        assert_eq!(parse_time_step("0.25").unwrap().seconds(), 0.25);
    }

    #[test]
    fn invalid_time_steps_are_refused() {
        for wrong in ["", "x", "1/", "/60", "1/0", "0", "-1/60", "nan", "inf", "1", "3600", "1/2/3"]
        {
            assert!(parse_time_step(wrong).is_err(), "{wrong}");
        }
    }
}
