//! The simulated time of one step.

use std::time::Duration;

/// Simulated time of one step: finite, not negative, at most [`TimeStep::MAX`].
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct TimeStep(f32);

/// A number of seconds that is out of range for a time step.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("a time step of {0} s is out of range (expected 0.000001 to 0.25 s)")]
pub struct InvalidTimeStep(pub f32);

impl TimeStep {
    /// Longest step. After a stall of the program the world continues without a jump.
    pub const MAX: Duration = Duration::from_millis(250);

    /// Shortest fixed step, in seconds. The clock counts in 2⁻³² s, by which a shorter one would be rounded noticeably.
    const MIN_FIXED: f32 = 1e-6;

    /// Returns a fixed step.
    ///
    /// # Errors
    /// `seconds` is not finite, below a microsecond, or longer than [`TimeStep::MAX`].
    pub fn fixed(seconds: f32) -> Result<Self, InvalidTimeStep> {
        let valid = seconds >= Self::MIN_FIXED && seconds <= Self::MAX.as_secs_f32();
        valid.then_some(Self(seconds)).ok_or(InvalidTimeStep(seconds))
    }

    /// Returns the elapsed time, at most [`TimeStep::MAX`].
    #[must_use]
    pub fn clamped(elapsed: Duration) -> Self {
        Self(elapsed.min(Self::MAX).as_secs_f32())
    }

    /// Splits the step at ascending fractions of it, from 0 to 1. The parts sum to the step exactly: each is
    /// a multiple of the last digit of the step. Empty parts are left out.
    pub fn split(self, fractions: impl IntoIterator<Item = f64>) -> Vec<Self> {
        let digits = (self.0.to_bits() & 0x7F_FFFF) | 0x80_0000;
        let last_digit = self.0 / digits as f32;
        let mut before = 0;
        let ends = fractions.into_iter().map(|fraction| (f64::from(digits) * fraction) as u32);
        let parts = ends.chain([digits]).map(|end| {
            let part = end.min(digits).saturating_sub(before);
            before += part;
            Self(part as f32 * last_digit)
        });
        parts.filter(|part| part.0 > 0.0).collect()
    }

    /// In seconds.
    pub const fn seconds(self) -> f32 {
        self.0
    }
}

impl Default for TimeStep {
    /// One frame of a 60 Hz display.
    fn default() -> Self {
        Self(1.0 / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_steps_out_of_range_are_refused_or_clamped() {
        for seconds in
            [0.0, -0.1, 1e-45, 9e-7, 0.251, 3600.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]
        {
            assert!(TimeStep::fixed(seconds).is_err(), "{seconds}");
        }
        assert_eq!(TimeStep::fixed(1.0 / 60.0).map(TimeStep::seconds), Ok(1.0 / 60.0));
        assert_eq!(TimeStep::fixed(1e-6).map(TimeStep::seconds), Ok(1e-6));
        assert_eq!(TimeStep::clamped(Duration::from_hours(1)), TimeStep(0.25));
        assert_eq!(TimeStep::clamped(Duration::ZERO), TimeStep(0.0));
    }

    #[test]
    fn empty_parts_of_a_step_are_left_out() {
        assert_eq!(TimeStep::default().split([0.0, 0.5, 0.5, 1.0]).len(), 2);
    }

    #[test]
    fn the_parts_of_a_step_are_even_up_to_the_last_and_sum_to_it_exactly() {
        for rate in [4.0, 23.976, 24.0, 29.97, 60.0, 240.0] {
            let step = TimeStep::fixed(1.0 / rate).unwrap();
            for samples in [2_u16, 3, 16, 256] {
                let fraction = |sample: u16| 0.5 * f64::from(sample) / f64::from(samples);
                let parts = step.split((1..samples).map(fraction));
                assert_eq!(parts.len(), usize::from(samples));
                let sum: f64 = parts.iter().map(|part| f64::from(part.0)).sum();
                assert_eq!(sum, f64::from(step.0), "{rate} {samples}");
                let even = step.0 * 0.5 / f32::from(samples);
                // The last part is the time until the next frame.
                let even_parts = &parts[..parts.len() - 1];
                assert!(even_parts.iter().all(|part| (part.0 / even - 1.0).abs() < 1e-4));
            }
            assert_eq!(step.split([]), [step]);
        }
    }
}
