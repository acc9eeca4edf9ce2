//! Seconds: a time step, as people write it.

use crate::sim::{InvalidTimeStep, TimeStep};

/// Reads `0.01` and `1/60`.
pub(super) fn parse(text: &str) -> Result<TimeStep, String> {
    let number = |text: &str| text.trim().parse::<f32>().ok();
    let seconds = match text.split_once('/') {
        Some((above, below)) => {
            number(above).zip(number(below)).map(|(above, below)| above / below)
        }
        None => number(text),
    };
    let seconds = seconds.ok_or("a time step is given in seconds, such as 0.01 or 1/60")?;
    TimeStep::fixed(seconds).map_err(|error: InvalidTimeStep| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn fractions_and_decimals_are_read() {
        assert_eq!(parse("1/60").unwrap().seconds(), 1.0 / 60.0);
        assert_eq!(parse("0.25").unwrap().seconds(), 0.25);
    }

    #[test]
    fn what_is_no_time_step_is_refused() {
        for wrong in ["", "x", "1/", "/60", "1/0", "0", "-1/60", "nan", "inf", "1", "3600", "1/2/3"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
