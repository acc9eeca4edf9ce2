//! Progress: the progress bar of long commands.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressFinish, ProgressState, ProgressStyle};

use crate::output;

/// A progress bar on standard error, or a line per step if that is not a terminal.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(steps: u64) -> Self {
        let template = "{msg} [{bar:30}] {pos}/{len}, {elapsed} elapsed{left}";
        // Unknown before the end of the first step.
        let left = |state: &ProgressState, to: &mut dyn Write| {
            if state.pos() > 0 {
                let _ = write!(to, ", {:#} left", HumanDuration(state.eta()));
            }
        };
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let style = style.with_key("left", left);
        let bar = ProgressBar::new(steps).with_style(style.progress_chars("=> "));
        if !bar.is_hidden() {
            // Redrawn rarely, so that the bar does not disturb measurements.
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        Self(bar.with_finish(ProgressFinish::AndClear))
    }

    /// Sets the number of steps that are left.
    #[cfg(feature = "benchmark")]
    pub(super) fn expect(&self, steps: u64) {
        self.0.set_length(self.0.position() + steps);
    }

    /// Announces the step that begins.
    pub(super) fn begin(&self, step: &str) {
        self.0.set_message(step.to_owned());
        if self.0.is_hidden() {
            output::status(step);
        }
    }

    /// Prints a line above the bar.
    #[cfg(feature = "benchmark")]
    pub(super) fn status(&self, line: &str) {
        self.0.suspend(|| output::status(line));
    }

    /// Counts a finished step.
    pub(super) fn done(&self) {
        self.0.inc(1);
    }
}
