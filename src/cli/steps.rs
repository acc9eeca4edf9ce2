//! Run: how far one without a window goes.

use clap::Args;

use super::seconds;
use crate::sim::TimeStep;

/// Steps of a run without a window, unless told otherwise.
const FRAMES: u32 = 120;

/// How far a run without a window goes.
#[derive(Args, Clone, Copy, Debug)]
pub struct StepArgs {
    /// How many steps, from 0 to 10,000,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    #[arg(default_value_t = FRAMES)]
    pub frames: u32,
    /// Simulated time of each step, in seconds; a fraction such as 1/60 is understood
    #[arg(long, value_name = "SECONDS", default_value = "1/60", value_parser = seconds::parse)]
    pub dt: TimeStep,
}

impl Default for StepArgs {
    /// Two seconds of falling.
    fn default() -> Self {
        Self { frames: FRAMES, dt: TimeStep::default() }
    }
}
