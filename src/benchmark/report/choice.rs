//! Choice: which runs are drawn one by one, so that a page does not grow with their number.

use crate::benchmark::RunResult;

/// More runs than this nobody tells apart in one picture, nor by colour.
const MOST: usize = 8;

/// The runs that are drawn.
pub(super) struct Choice<'a> {
    /// Number, from 1 on, and run.
    pub(super) runs: Vec<(usize, &'a RunResult)>,
    of: usize,
}

impl<'a> Choice<'a> {
    /// All of a few; of many the first, the last, and others equally far apart.
    pub(super) fn of(runs: &'a [RunResult]) -> Self {
        let count = runs.len().min(MOST);
        let last = runs.len().saturating_sub(1);
        let number = |i: usize| (2 * i * last + (count - 1)) / (2 * (count - 1)).max(1);
        let chosen = (0..count).map(number).map(|i| (i + 1, &runs[i])).collect();
        Self { runs: chosen, of: runs.len() }
    }

    /// Says so where some are left out.
    pub(super) fn words(&self) -> String {
        if self.runs.len() == self.of {
            return String::new();
        }
        format!(" Shown are {} of {} runs, equally far apart.", self.runs.len(), self.of)
    }
}
