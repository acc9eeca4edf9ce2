//! Run subset: the runs that get a line of their own, so that a page does not grow with their number.

use crate::benchmark::RunResult;

/// The most runs that colours can tell apart.
const MAX_RUNS: usize = 8;

/// The runs to draw.
pub(super) struct RunSubset<'a> {
    /// Number, starting at 1, and run.
    pub(super) runs: Vec<(usize, &'a RunResult)>,
    total: usize,
}

impl<'a> RunSubset<'a> {
    /// Selects all of a few runs; of many the first, the last and others evenly spaced.
    pub(super) fn of(runs: &'a [RunResult]) -> Self {
        let count = runs.len().min(MAX_RUNS);
        let last = runs.len().saturating_sub(1);
        let index = |i: usize| (2 * i * last + (count - 1)) / (2 * (count - 1)).max(1);
        let selected = (0..count).map(index).map(|i| (i + 1, &runs[i])).collect();
        Self { runs: selected, total: runs.len() }
    }

    /// Returns a sentence if runs are left out.
    pub(super) fn note(&self) -> String {
        if self.runs.len() == self.total {
            return String::new();
        }
        format!(" The chart shows {} of {} runs, evenly spaced.", self.runs.len(), self.total)
    }
}
