//! Text: what goes to standard output.

use std::io::{self, ErrorKind, Write};

use super::Failure;

/// Prints one or more whole lines. A reader that went away (`cubefall adapters | head -1`) is no
/// failure.
pub(super) fn print(lines: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Stdout(error)),
        _ => Ok(()),
    }
}

/// Says how things go, on standard error; if nobody can read it, so be it.
#[cfg(any(feature = "benchmark", feature = "record"))]
pub(super) fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// `10,000`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_by_thousands() {
        let grouped = [0, 999, 1_000, 10_000, 123_456, 1_000_000].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "10,000", "123,456", "1,000,000"]);
    }
}
