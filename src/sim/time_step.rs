//! Time step: how far one step takes the simulation.

use std::time::Duration;

/// Simulated time of one step: finite, not negative, at most [`TimeStep::LONGEST`].
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct TimeStep(f32);

/// The seconds asked for are no time step.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("a time step of {0} s is out of range: it must be above 0 and at most 0.25 s")]
pub struct InvalidTimeStep(pub f32);

impl TimeStep {
    /// Longest step. After a pause of the whole program the world goes on from where it was instead
    /// of jumping.
    pub const LONGEST: Duration = Duration::from_millis(250);

    /// A fixed step.
    ///
    /// # Errors
    /// `seconds` is not finite, not above 0, or longer than [`TimeStep::LONGEST`].
    pub fn fixed(seconds: f32) -> Result<Self, InvalidTimeStep> {
        let valid = seconds > 0.0 && seconds <= Self::LONGEST.as_secs_f32();
        valid.then_some(Self(seconds)).ok_or(InvalidTimeStep(seconds))
    }

    /// The time that really went by, cut to [`TimeStep::LONGEST`].
    #[must_use]
    pub fn clamped(elapsed: Duration) -> Self {
        Self(elapsed.min(Self::LONGEST).as_secs_f32())
    }

    /// In seconds.
    #[must_use]
    pub const fn seconds(self) -> f32 {
        self.0
    }
}

impl Default for TimeStep {
    /// A frame of a 60 Hz display.
    fn default() -> Self {
        Self(1.0 / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_time_step_is_refused_or_cut() {
        for seconds in [0.0, -0.1, 0.251, 3600.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(TimeStep::fixed(seconds).is_err(), "{seconds}");
        }
        assert_eq!(TimeStep::fixed(1.0 / 60.0).map(TimeStep::seconds), Ok(1.0 / 60.0));
        assert_eq!(TimeStep::clamped(Duration::from_hours(1)), TimeStep(0.25));
        assert_eq!(TimeStep::clamped(Duration::ZERO), TimeStep(0.0));
    }
}
