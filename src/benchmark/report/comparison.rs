//! Comparison: the difference of two programs, and how certain it is.

use maud::{Markup, html};

use super::chart::{Axis, chart, px};
use crate::benchmark::{
    Baseline, BenchResult, Comparison, Difference, LogRatio, RunMedian, Threshold,
};
use crate::units::{change, ms};

/// A comparison of the results of two programs: the baseline A and the candidate B.
#[derive(Clone, Debug)]
pub struct NamedComparison<'a> {
    pub(super) a: &'a BenchResult,
    b: &'a BenchResult,
    comparison: Comparison,
    is_saved: bool,
    changes: Vec<Change>,
}

/// The change of one pair, or of one run from the median of A.
#[derive(Clone, Debug)]
struct Change {
    share: f64,
    row: usize,
    label: String,
}

/// Height of a row of dots, in SVG units.
const ROW: f64 = 22.0;

/// Further pairs share rows.
const MAX_ROWS: usize = 24;

impl<'a> NamedComparison<'a> {
    /// Describes a [comparison by pairs of runs](Comparison::of_pairs); `a` and `b` hold the same runs.
    pub fn of_pairs(
        a: &'a BenchResult,
        b: &'a BenchResult,
        pairs: &[(RunMedian, RunMedian)],
        comparison: Comparison,
    ) -> Self {
        let changes = pairs.iter().enumerate().map(|(i, &(a, b))| Change {
            share: LogRatio::between(a, b).change(),
            row: i % MAX_ROWS,
            label: format!("pair {}, A {}, B {}", i + 1, ms(a.nanoseconds()), ms(b.nanoseconds())),
        });
        Self { a, b, comparison, is_saved: false, changes: changes.collect() }
    }

    /// Compares a result with the session of a [baseline](Baseline::compare) that decides the verdict: advisory,
    /// as the page says. `None` if one of the results has no medians.
    pub fn of_baseline(
        baseline: &'a Baseline,
        b: &'a BenchResult,
        threshold: Threshold,
    ) -> Option<Self> {
        let compared = baseline.compare(b, threshold)?;
        let (a, comparison) = if compared.first_decides() {
            (&baseline.sessions()[0], compared.first)
        } else {
            (baseline.last(), compared.last)
        };
        let runs = [a, b].map(BenchResult::medians);
        let reference = RunMedian::over(&runs[0]);
        let changes =
            ["A", "B"].into_iter().zip(&runs).enumerate().flat_map(|(row, (name, runs))| {
                runs.iter().enumerate().filter_map(move |(i, &run)| {
                    let share = LogRatio::between(reference?, run).change();
                    let label = format!("{name}, run {}, {}", i + 1, ms(run.nanoseconds()));
                    Some(Change { share, row, label })
                })
            });
        let changes = changes.collect();
        Some(Self { a, b, comparison, is_saved: true, changes })
    }

    /// Returns the verdict and the names, for the top of the page.
    pub(super) fn verdict(&self) -> Markup {
        html! { p.verdict { (self.conclusion()) " " span.note { (self.names()) } } }
    }

    fn conclusion(&self) -> Markup {
        html! {
            strong { (self.comparison.verdict.name()) ". " }
            (self.comparison.conclusion())
        }
    }

    fn names(&self) -> Markup {
        html! { "A is " bdi { (self.a.name) } ", B is " bdi { (self.b.name) } "." }
    }

    pub(super) fn section(&self) -> Markup {
        html! {
            section {
                h2 { "Comparison" }
                p {
                    (self.names()) " " (self.conclusion())
                    @if let Some(effect) = self.comparison.effect() { " " (effect) }
                }
                @if let Some(list) = Difference::list(&self.a.differences(self.b)) {
                    p { "A and B differ in " (list) "." }
                }
                @if self.is_saved {
                    p.advice {
                        "Advisory: A and B were measured "
                        @if self.a.machine.is_same(&self.b.machine) {
                            "at different times, so any change of the machine in between counts as a difference of the
                            programs. " code { "cubefall bench ab" } " measures them in turns."
                        } @else {
                            "on different machines."
                        }
                    }
                }
                (self.chart())
            }
        }
    }

    /// Charts the change of each pair or run, and below them the estimate with its interval.
    fn chart(&self) -> Markup {
        let Comparison { estimate, test, threshold, .. } = self.comparison;
        // As long in logarithms on both sides.
        let slower = threshold.share();
        let faster = 1.0 / (1.0 + slower) - 1.0;
        let interval = test.map(|test| [test.low.change(), test.high.change()]);
        let estimate = estimate.map(LogRatio::change);
        let shares = self.changes.iter().map(|change| change.share);
        let shares = shares.chain(interval.into_iter().flatten()).chain(estimate);
        let max = shares.map(f64::abs).fold(slower * 1.5, f64::max) * 1.05;
        let x = Axis::horizontal([-max, max], 0.01, "change of B from A, %");
        let rows = self.changes.iter().map(|change| change.row + 1).max().unwrap_or(0);
        let height = (rows as f64 + 3.0) * ROW;
        let y = Axis { max_ticks: 0, ..Axis::vertical([0.0, 1.0], height, 1.0, "") };
        let at = |share: f64| x.position(share);
        let row_center = |row: usize| (row as f64 + 1.5) * ROW;
        let bottom = height - ROW;
        let names: &[&str] = if self.is_saved { &["A", "B"] } else { &[] };
        let annotations = html! {
            @for (row, name) in names.iter().enumerate() {
                text.name x="-8" y=(row_center(row)) dy="0.35em" text-anchor="end" { (name) }
            }
            text.name x="-8" y=(bottom) dy="0.35em" text-anchor="end" { "overall" }
        };
        let marks = html! {
            rect.threshold x=(at(faster)) width=(px(at(slower) - at(faster))) height=(height) {
                title { "within the threshold of " (threshold.percent()) " %" }
            }
            line.edge x1=(at(0.0)) x2=(at(0.0)) y1="20" y2=(height) {}
            text.note x="6" y="14" { "← B is faster" }
            text.note x=(at(0.0)) y="14" text-anchor="middle" { "within threshold" }
            text.note x=(x.length - 6.0) y="14" text-anchor="end" { "B is slower →" }
            @for dot in &self.changes {
                circle.dot.small cx=(at(dot.share)) cy=(row_center(dot.row)) r="4.5" {
                    title { (dot.label) ": " (change(dot.share)) }
                }
            }
            @if let Some([low, high]) = interval {
                line.interval x1=(at(low)) x2=(at(high)) y1=(bottom) y2=(bottom) {
                    title { "95 % interval" }
                }
            }
            @if let Some(estimate) = estimate {
                path.estimate d=(format!("M{} {}l8 8l-8 8l-8 -8Z", at(estimate), bottom - 8.0)) {
                    title { "estimate: " (change(estimate)) }
                }
            }
        };
        let conclusion = self.comparison.conclusion();
        let description = format!("{}. {conclusion}", self.comparison.verdict.name());
        chart([&x, &y], &description, marks, annotations)
    }
}
