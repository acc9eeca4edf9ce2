//! Sides: the results that a chart draws over each other, told apart by color, line style and name.

use maud::Markup;

use super::elements::legend;
use crate::benchmark::{BenchResult, Summary, SummaryRow};

/// A result in the charts.
pub(super) struct Side<'a> {
    pub(super) result: &'a BenchResult,
    pub(super) summary: Summary,
    /// `A` or `B`, also the CSS class; empty without a comparison.
    pub(super) name: &'static str,
}

impl<'a> Side<'a> {
    pub(super) fn of(result: &'a BenchResult, name: &'static str) -> Self {
        Self { result, summary: Summary::of(&result.runs), name }
    }

    /// Returns a text after the name of the side, if it has one.
    pub(super) fn named(&self, text: &str) -> String {
        if self.name.is_empty() { text.to_owned() } else { format!("{}: {text}", self.name) }
    }

    /// Returns a statistic of the frame times.
    pub(super) fn frame(&self, value: fn(&SummaryRow) -> Option<f64>) -> Option<f64> {
        self.summary.row("frame").and_then(value)
    }
}

/// Names the results of a comparison; returns nothing for a single one.
pub(super) fn legend_of(sides: &[Side]) -> Markup {
    let sides = sides.iter().filter(|side| !side.name.is_empty());
    legend(&sides.map(|side| (side.name, side.named(&side.result.name))).collect::<Vec<_>>())
}
