//! Exit codes of `cubefall bench` other than errors.

use std::process::ExitCode;

use crate::benchmark::Verdict;
use crate::interrupt;

/// Why `--strict` changes the exit code.
pub(super) const STRICT: &str = "there are warnings, and --strict is given";

/// How a benchmark command without an error ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Measured, or no regression.
    Done = 0,
    /// Regression, or a failed assertion.
    Regression = 3,
    Inconclusive = 4,
    /// Warnings with `--strict`, or frames that do not count with `--assert`.
    Invalid = 5,
    NotComparable = 6,
    /// A signal; partial results are written.
    Interrupted,
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Regression => Self::Regression,
            Verdict::Improvement | Verdict::Equivalent => Self::Done,
            Verdict::Inconclusive { .. } | Verdict::TooFewPairs => Self::Inconclusive,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Interrupted => interrupt::received().unwrap_or(130),
            code => code as u8,
        })
    }
}
