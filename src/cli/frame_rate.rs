//! Frame rate: frames per second as an exact fraction.

use std::fmt;
use std::str::FromStr;

/// Frames per second as a fraction in lowest terms: 29.97 is 2997/100.
///
/// Both terms fit 16 bits, which PNG animations require.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameRate {
    frames: u16,
    seconds: u16,
}

impl FrameRate {
    /// Lowest and highest rate, in frames per second.
    const RANGE: [u32; 2] = [4, 240];

    /// Returns a whole number of frames per second.
    pub(super) const fn whole(frames: u16) -> Self {
        Self { frames, seconds: 1 }
    }

    /// Returns the fraction: frames, and the seconds in which they are shown.
    pub fn fraction(self) -> (u16, u16) {
        (self.frames, self.seconds)
    }

    /// Returns the frames per second.
    pub fn per_second(self) -> f64 {
        f64::from(self.frames) / f64::from(self.seconds)
    }

    fn new(frames: u32, seconds: u32) -> Option<Self> {
        let divisor = gcd(frames, seconds);
        let [low, high] = Self::RANGE;
        let is_in_range =
            seconds.checked_mul(low)? <= frames && frames <= seconds.checked_mul(high)?;
        let term = |term: u32| u16::try_from(term.checked_div(divisor)?).ok();
        let rate = Self { frames: term(frames)?, seconds: term(seconds)? };
        is_in_range.then_some(rate)
    }

    /// Parses `30`, `29.97` or `30000/1001`.
    fn parse(text: &str) -> Option<Self> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((frames, seconds)) = text.split_once('/') {
            let number = |text: &str| text.parse().ok().filter(|_| digits(text));
            return Self::new(number(frames)?, number(seconds)?);
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let decimals = decimals.trim_end_matches('0');
        let scale = 10_u32.checked_pow(u32::try_from(decimals.len()).ok()?)?;
        let frames = format!("{whole}{decimals}");
        Self::new(frames.parse().ok().filter(|_| digits(&frames))?, scale)
    }
}

/// Greatest common divisor (Euclid, *Elements*, book VII).
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The text is no [`FrameRate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected 4 to 240 frames per second, such as 30, 29.97 or 30000/1001, as a fraction of numbers up to 65,535 \
     (119.88 instead of 120000/1001)"
)]
pub struct InvalidFrameRate;

impl FromStr for FrameRate {
    type Err = InvalidFrameRate;

    fn from_str(text: &str) -> Result<Self, InvalidFrameRate> {
        Self::parse(text).ok_or(InvalidFrameRate)
    }
}

/// Prints a whole number, or else the fraction.
impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.seconds {
            1 => write!(f, "{}", self.frames),
            seconds => write!(f, "{}/{seconds}", self.frames),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_whole_decimal_or_fractions() {
        for (text, fraction, printed) in [
            ("60", (60, 1), "60"),
            ("29.97", (2997, 100), "2997/100"),
            ("23.976", (2997, 125), "2997/125"),
            ("30000/1001", (30000, 1001), "30000/1001"),
            ("120/2", (60, 1), "60"),
            ("12.50", (25, 2), "25/2"),
            ("4", (4, 1), "4"),
            ("240.0", (240, 1), "240"),
        ] {
            let rate: FrameRate = text.parse().unwrap();
            assert_eq!((rate.fraction(), rate.to_string().as_str()), (fraction, printed));
            assert_eq!(rate.to_string().parse(), Ok(rate));
        }
        for wrong in [
            "",
            "3.99",
            "240.1",
            "0",
            "-30",
            "+30",
            "x",
            ".",
            "60/0",
            "0/0",
            "60/",
            "1/60",
            "1e2",
            "30.000001",
            "239.999",
            "4294967295/4294967295",
            "99999999999",
            "3/4/5",
        ] {
            assert!(wrong.parse::<FrameRate>().is_err(), "{wrong}");
        }
    }
}
