//! The score of the machine: a page cannot measure it, since it has no other process that could draw without
//! waiting for the display.

use crate::benchmark::Suite;
use crate::time::Instant;

/// A measurement, which does not exist in a page.
pub(in crate::app) enum ScoreMeasurement {}

impl ScoreMeasurement {
    /// Returns why there is no measurement.
    pub(in crate::app) fn start(_: &[String]) -> Result<Self, String> {
        Err("the program for the desktop measures it".to_owned())
    }

    pub(in crate::app) fn progress(&self) -> &str {
        match *self {}
    }

    pub(in crate::app) fn due() -> Instant {
        Instant::now()
    }

    pub(in crate::app) fn poll(&mut self) -> (bool, Option<Result<Suite, String>>) {
        match *self {}
    }
}
