//! Progress: the progress bar of long commands.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// A progress bar on standard error, or a line per step if that is not a terminal.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(steps: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let template = "{msg} [{bar:30}] {pos}/{len}, {elapsed} elapsed, {eta} left";
            let style = ProgressStyle::with_template(template).expect("the template is valid");
            let bar = ProgressBar::new(steps).with_style(style.progress_chars("=> "));
            // Redrawn rarely, so that the bar does not disturb measurements.
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        Self { bar }
    }

    /// Announces the step that begins.
    pub(super) fn begin(&self, step: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(step.to_owned()),
            None => output::status(step),
        }
    }

    /// Counts a finished step.
    pub(super) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
