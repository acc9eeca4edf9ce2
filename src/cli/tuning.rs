//! Flags that replace the factors of gravity, time and spin.

use clap::Args;

use super::values::number;
use crate::sim::Tuning;

/// Factors instead of those of the scene, as the sliders of the window set them.
#[derive(Args, Clone, Copy, PartialEq, Default, Debug)]
pub struct TuningArgs {
    /// Factor of gravity, from 0 to 4 [default: 1, or as the scene file says]
    #[arg(long, value_name = "FACTOR", value_parser = gravity)]
    pub(super) gravity: Option<f32>,
    /// Factor of time for all that moves by itself, from 0 to 8 [default: 1, or as the scene file says]
    #[arg(long, value_name = "FACTOR", value_parser = time)]
    pub(super) time: Option<f32>,
    /// Factor of the rate at which cubes spin, from 0 to 4 [default: 1, or as the scene file says]
    #[arg(long, value_name = "FACTOR", value_parser = spin)]
    pub(super) spin: Option<f32>,
}

impl TuningArgs {
    /// Returns the factors that differ from those at the start.
    pub(super) fn changed(start: Tuning, now: Tuning) -> Self {
        let changed = |start: f32, now: f32| (now != start).then_some(now);
        Self {
            gravity: changed(start.gravity, now.gravity),
            time: changed(start.time, now.time),
            spin: changed(start.spin, now.spin),
        }
    }

    /// Returns these factors, or else those of `tuning`.
    pub fn of(self, tuning: Tuning) -> Tuning {
        Tuning {
            gravity: self.gravity.unwrap_or(tuning.gravity),
            time: self.time.unwrap_or(tuning.time),
            spin: self.spin.unwrap_or(tuning.spin),
        }
    }

    /// Returns names and values of the flags that are set.
    pub fn parts(self) -> impl Iterator<Item = (&'static str, String)> {
        let parts = [("gravity", self.gravity), ("time", self.time), ("spin", self.spin)];
        // Adding 0 turns -0 into 0.
        parts.into_iter().filter_map(|(name, factor)| Some((name, (factor? + 0.0).to_string())))
    }
}

/// Returns the flags as one text; `None` without any.
#[cfg(feature = "benchmark")]
pub(super) fn tuning_text(tuning: TuningArgs) -> Option<String> {
    let words: Vec<_> = tuning.parts().map(|(name, value)| format!("--{name}={value}")).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Parses a factor of gravity.
pub(super) fn gravity(text: &str) -> Result<f32, String> {
    number(text, 0.0..=Tuning::MAX_GRAVITY, "as the factor of gravity")
}

/// Parses a factor of time.
pub(super) fn time(text: &str) -> Result<f32, String> {
    number(text, 0.0..=Tuning::MAX_TIME, "as the factor of time")
}

/// Parses a factor of spin.
pub(super) fn spin(text: &str) -> Result<f32, String> {
    number(text, 0.0..=Tuning::MAX_SPIN, "as the factor of spin")
}
