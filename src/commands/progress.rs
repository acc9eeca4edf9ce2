//! Progress: how far a long command is, for whoever looks at the terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// A bar on standard error, or a line for each step where that is no terminal.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// At the first of so many steps.
    pub(super) fn new(steps: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let template = "{msg} [{bar:30}] {pos}/{len}, {elapsed} so far, about {eta} to go";
            let style = ProgressStyle::with_template(template).expect("a template that is known");
            let bar = ProgressBar::new(steps).with_style(style.progress_chars("=> "));
            // Once a second: the bar must not disturb what is measured beside it.
            bar.enable_steady_tick(std::time::Duration::from_secs(1));
            bar
        });
        Self { bar }
    }

    /// A step begins.
    pub(super) fn begin(&self, what: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(what.to_owned()),
            None => output::status(what),
        }
    }

    /// A step is done.
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
