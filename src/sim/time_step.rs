//! The simulated time of one step.

use std::time::Duration;

/// Simulated time of one step: finite, not negative, at most [`TimeStep::MAX`].
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct TimeStep(f32);

/// A number of seconds that is out of range for a time step.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("a time step of {0} s is out of range (expected above 0 and at most 0.25 s)")]
pub struct InvalidTimeStep(pub f32);

impl TimeStep {
    /// Longest step. After a stall of the program the world continues without a jump.
    pub const MAX: Duration = Duration::from_millis(250);

    /// Returns a fixed step.
    ///
    /// # Errors
    /// `seconds` is not finite, not above 0, or longer than [`TimeStep::MAX`].
    pub fn fixed(seconds: f32) -> Result<Self, InvalidTimeStep> {
        let valid = seconds > 0.0 && seconds <= Self::MAX.as_secs_f32();
        valid.then_some(Self(seconds)).ok_or(InvalidTimeStep(seconds))
    }

    /// Returns the elapsed time, at most [`TimeStep::MAX`].
    #[must_use]
    pub fn clamped(elapsed: Duration) -> Self {
        Self(elapsed.min(Self::MAX).as_secs_f32())
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
        for seconds in [0.0, -0.1, 0.251, 3600.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(TimeStep::fixed(seconds).is_err(), "{seconds}");
        }
        assert_eq!(TimeStep::fixed(1.0 / 60.0).map(TimeStep::seconds), Ok(1.0 / 60.0));
        assert_eq!(TimeStep::clamped(Duration::from_hours(1)), TimeStep(0.25));
        assert_eq!(TimeStep::clamped(Duration::ZERO), TimeStep(0.0));
    }
}
