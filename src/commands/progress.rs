//! Progress: the progress bar of long commands.

use std::cell::Cell;
use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressFinish, ProgressState, ProgressStyle};

use crate::output;

/// Time between two lines if standard error is no terminal: systems that run tests stop programs without output.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// A progress bar on standard error. If that is not a terminal, a line for what begins, and now and then one for how much of it
/// is done.
pub(super) struct Progress {
    bar: ProgressBar,
    last_line: Cell<Instant>,
}

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
        // Where the system refuses a thread, the tick would panic: without it, steps redraw the bar.
        if !bar.is_hidden() && thread::Builder::new().spawn(|| {}).is_ok() {
            // Redrawn rarely, so that the bar does not disturb measurements.
            bar.enable_steady_tick(Duration::from_secs(1));
        }
        let bar = bar.with_finish(ProgressFinish::AndClear);
        Self { bar, last_line: Cell::new(Instant::now()) }
    }

    /// Sets the number of steps that are left.
    #[cfg(feature = "benchmark")]
    pub(super) fn expect(&self, steps: u64) {
        self.bar.set_length(self.bar.position() + steps);
    }

    /// Announces the step that begins.
    pub(super) fn begin(&self, step: &str) {
        self.bar.set_message(step.to_owned());
        if self.bar.is_hidden() {
            output::status(step);
        }
    }

    /// Prints a line above the bar.
    #[cfg(feature = "benchmark")]
    pub(super) fn status(&self, line: &str) {
        self.bar.suspend(|| output::status(line));
    }

    /// Counts a finished step.
    pub(super) fn done(&self) {
        self.bar.inc(1);
        if let Some(line) = self.line(LINE_INTERVAL) {
            output::status(&line);
            self.last_line.set(Instant::now());
        }
    }

    /// Returns how much is done, unless a bar shows it, all is done, or such a line was printed within the interval.
    fn line(&self, interval: Duration) -> Option<String> {
        let Self { bar, last_line } = self;
        let (done, all) = (bar.position(), bar.length().unwrap_or_default());
        let is_due = bar.is_hidden() && done < all && last_line.get().elapsed() >= interval;
        is_due.then(|| {
            let [elapsed, left] = [bar.elapsed(), bar.eta()].map(HumanDuration);
            format!("{done} of {all} done, {elapsed:#} elapsed, {left:#} left")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_bar_a_line_is_due_after_an_interval_and_not_at_the_end() {
        let progress = Progress::new(3);
        progress.bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        progress.begin("recording a.gif");
        progress.bar.inc(1);
        assert_eq!(progress.line(Duration::from_hours(1)), None);
        let line = progress.line(Duration::ZERO).unwrap();
        assert!(line.starts_with("1 of 3 done, 0s elapsed, "), "{line}");
        progress.bar.inc(2);
        assert_eq!(progress.line(Duration::ZERO), None);
    }
}
