//! Numbers: as people read them.

use std::fmt::Write;

/// `12,345`.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12.34`, of ns; a dash for none.
pub(super) fn milliseconds(ns: Option<f64>) -> String {
    ns.map_or_else(|| "-".to_owned(), |ns| format!("{:.2}", ns / 1e6))
}

/// `59.9`, of frames per second; a dash for none.
pub(super) fn rate(fps: Option<f64>) -> String {
    match fps {
        Some(fps) if fps < 99.95 => format!("{fps:.1}"),
        Some(fps) => format!("{fps:.0}"),
        None => "-".to_owned(),
    }
}

/// `1.5 MB`, in powers of a thousand.
pub(super) fn bytes(bytes: f64) -> String {
    let mut text = String::new();
    let (value, unit) = match bytes {
        bytes if bytes < 1e3 => (bytes, "B"),
        bytes if bytes < 1e6 => (bytes / 1e3, "kB"),
        bytes if bytes < 1e9 => (bytes / 1e6, "MB"),
        bytes => (bytes / 1e9, "GB"),
    };
    let digits = usize::from(value < 99.95 && unit != "B");
    let _ = write!(text, "{value:.digits$} {unit}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let grouped = [0, 7, 999, 1000, 12_345, 123_456, 1_234_567].map(count);
        assert_eq!(grouped, ["0", "7", "999", "1,000", "12,345", "123,456", "1,234,567"]);
    }

    #[test]
    fn bytes_have_a_unit_that_suits() {
        let said = [0.0, 999.0, 1500.0, 123_456.0, 1e6, 2.5e9].map(bytes);
        assert_eq!(said, ["0 B", "999 B", "1.5 kB", "123 kB", "1.0 MB", "2.5 GB"]);
    }

    #[test]
    fn what_is_not_known_is_a_dash() {
        assert_eq!((milliseconds(None), rate(None)), ("-".into(), "-".into()));
        assert_eq!(
            (milliseconds(Some(16_666_667.0)), rate(Some(59.94))),
            ("16.67".into(), "59.9".into())
        );
    }
}
