//! Count: how many cubes, as people write it.

/// Most cubes the command line accepts; what a machine can really hold is found out when they are
/// made.
const LARGEST: f64 = 100e6;

/// Reads `10000`, `10k`, `1.5M`, `10_000`.
pub(super) fn parse(text: &str) -> Result<u32, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&text[..end], 1e3),
        Some((end, 'm' | 'M')) => (&text[..end], 1e6),
        _ => (text, 1.0),
    };
    let plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '_');
    let number = digits.replace('_', "").parse::<f64>().ok().filter(|_| plain);
    let count = number.map(|number| number * unit);
    count
        .filter(|&count| (1.0..=LARGEST).contains(&count) && count.fract() == 0.0)
        .map(to_u32)
        .ok_or_else(|| {
            "a count is a whole number from 1 to 100M, such as 10000, 10k or 1.5M".into()
        })
}

#[expect(clippy::cast_sign_loss, reason = "the range was checked")]
fn to_u32(count: f64) -> u32 {
    count as u32
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn counts_are_read_as_people_write_them() {
        let read = ["1", "10000", "10k", "10K", "1M", "1.5M", "2.5k", "100m", "10_000"].map(parse);
        let counts = [1, 10_000, 10_000, 10_000, 1_000_000, 1_500_000, 2_500, 100_000_000, 10_000];
        assert_eq!(read, counts.map(Ok));
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for wrong in [
            "",
            "0",
            "-1",
            "k",
            "1.5",
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
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
