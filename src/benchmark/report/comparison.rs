//! Comparison: two programs, and how sure their difference is.

use maud::{Markup, html};

use super::axis::Axis;
use super::plot::{INNER, Plot};
use super::svg::px;
use crate::benchmark::{BenchResult, Comparison, LogRatio, RunMedian, Threshold, Verdict};
use crate::units::{change, ms};

/// A comparison to be shown: of program A, the one that was, and B, the one to be judged.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    a: &'a str,
    b: &'a str,
    medians: Medians,
    comparison: Comparison,
    threshold: Threshold,
}

/// The medians of the runs of two programs.
#[derive(Clone, Debug)]
enum Medians {
    /// Runs of A and B next to each other.
    Pairs(Vec<(RunMedian, RunMedian)>),
    /// Runs of A, and later runs of B.
    Saved(Vec<RunMedian>, Vec<RunMedian>),
}

/// Room for a line of dots.
const LINE: f64 = 22.0;

/// So many lines of dots at most; more pairs share them.
const MOST_LINES: usize = 24;

impl<'a> Compared<'a> {
    /// Programs of these names, by [pairs of runs](Comparison::of_pairs).
    #[must_use]
    pub fn of_pairs(
        a: &'a str,
        b: &'a str,
        pairs: Vec<(RunMedian, RunMedian)>,
        threshold: Threshold,
    ) -> Self {
        let comparison = Comparison::of_pairs(&pairs, threshold);
        Self { a, b, medians: Medians::Pairs(pairs), comparison, threshold }
    }

    /// Results that were [measured apart](Comparison::of_saved): advice only, which the page says.
    #[must_use]
    pub fn of_saved(a: &'a BenchResult, b: &'a BenchResult, threshold: Threshold) -> Self {
        let (was, is) = (a.medians(), b.medians());
        let comparison = Comparison::of_saved(&was, &is, threshold);
        let medians = Medians::Saved(was, is);
        Self { a: &a.name, b: &b.name, medians, comparison, threshold }
    }

    const fn is_saved(&self) -> bool {
        matches!(self.medians, Medians::Saved(..))
    }

    /// Which program is which.
    pub(super) fn names(&self) -> Markup {
        html! { "A is " bdi { (self.a) } ", B is " bdi { (self.b) } "." }
    }

    /// The verdict in a word.
    pub(super) const fn word(&self) -> &'static str {
        match self.comparison.verdict {
            Verdict::Regression => "Slower",
            Verdict::Improvement => "Faster",
            Verdict::Equivalent => "Equivalent",
            Verdict::Inconclusive { .. } => "Inconclusive",
            Verdict::TooFewPairs => "No verdict",
        }
    }

    /// The verdict in a sentence.
    pub(super) fn sentence(&self) -> String {
        let percent = self.threshold.share() * 100.0;
        let is_saved = self.is_saved();
        let what = if is_saved { "runs of each" } else { "pairs" };
        match self.comparison.verdict {
            Verdict::Regression => format!("B is slower than A, by more than {percent} %."),
            Verdict::Improvement => format!("B is faster than A, by more than {percent} %."),
            Verdict::Equivalent => format!("Whatever the difference is, it is within {percent} %."),
            Verdict::Inconclusive { pairs_needed: Some(needed) } => {
                format!("Too much noise for a verdict; about {needed} {what} might bring one.")
            }
            Verdict::Inconclusive { pairs_needed: None } => {
                format!("Not even 1,000 {what} would bring a verdict amid this noise.")
            }
            Verdict::TooFewPairs if is_saved => {
                "It takes four runs of each for a verdict.".to_owned()
            }
            Verdict::TooFewPairs => {
                format!("It takes {} pairs for a verdict.", Verdict::FEWEST_PAIRS)
            }
        }
    }

    /// Picture and words.
    pub(super) fn section(&self) -> Markup {
        let Comparison { estimate, test, .. } = self.comparison;
        html! {
            section {
                h2 { "Compared" }
                p {
                    (self.names()) " "
                    strong { (self.word()) ". " }
                    (self.sentence())
                    @if let Some(estimate) = estimate {
                        " B takes " strong { (change(estimate.change())) }
                        @if let Some(test) = test {
                            " (95 % interval " (change(test.low.change())) " to "
                            (change(test.high.change())) ", p = " (format!("{:.4}", test.p)) ")"
                        }
                        "."
                    }
                }
                @if self.is_saved() {
                    p.advice {
                        "Advice only: A was measured first and B later, so whatever changed on the machine in
                        between counts as a difference of the programs. " code { "cubefall bench ab" }
                        " measures both in turns."
                    }
                }
                (self.picture())
            }
        }
    }

    /// What B takes more than A, run by run, and over all with its interval.
    fn picture(&self) -> Markup {
        let dots = self.dots();
        let Comparison { estimate, test, .. } = self.comparison;
        let threshold = self.threshold.share();
        let ends = test.iter().flat_map(|test| [test.low.change(), test.high.change()]);
        let values =
            dots.iter().map(|dot| dot.change).chain(ends).chain(estimate.map(LogRatio::change));
        let farthest = values.map(f64::abs).fold(threshold * 1.5, f64::max) * 105.0;
        let x = Axis::across(-farthest, farthest, INNER, "what B takes more than A, %");
        let lines = dots.iter().map(|dot| dot.line + 1).max().unwrap_or(0);
        let height = (lines as f64 + 3.0) * LINE;
        let y = Axis::upward(0.0, 1.0, height, "").with_room(0);
        let at = |share: f64| px(x.at(share * 100.0));
        let height_of = |line: usize| (line as f64 + 1.5) * LINE;
        let names: &[&str] = if self.is_saved() { &["A", "B"] } else { &[] };
        let notes = html! {
            @for (line, name) in names.iter().enumerate() {
                text.name x="-8" y=(px(height_of(line))) dy="0.35em" text-anchor="end" { (name) }
            }
            text.name x="-8" y=(px(height - LINE)) dy="0.35em" text-anchor="end" { "in all" }
        };
        let (from, to) = (at(-threshold), at(threshold));
        let bottom = height - LINE;
        let description = format!("{} {}", self.word(), self.sentence());
        Plot { x: &x, y: &y, description: &description }.draw_with(&html! {
            rect.harmless x=(from) width=(px(to - from)) height=(px(height)) {
                title { "differences that do not matter: within " (threshold * 100.0) " %" }
            }
            line.edge x1=(at(0.0)) x2=(at(0.0)) y1="20" y2=(px(height)) {}
            text.note x="6" y="14" { "← B is faster" }
            text.note x=(at(0.0)) y="14" text-anchor="middle" { "does not matter" }
            text.note x=(px(INNER - 6.0)) y="14" text-anchor="end" { "B is slower →" }
            @for dot in &dots {
                circle.dot.small cx=(at(dot.change)) cy=(px(height_of(dot.line))) r="4.5" {
                    title { (dot.words) ": " (change(dot.change)) }
                }
            }
            @if let Some(test) = test {
                line.interval x1=(at(test.low.change())) x2=(at(test.high.change()))
                    y1=(px(bottom)) y2=(px(bottom)) {
                    title { "95 % interval" }
                }
            }
            @if let Some(estimate) = estimate {
                path.estimate d=(format!("M{} {}l8 8l-8 8l-8 -8Z", at(estimate.change()), px(bottom - 8.0))) {
                    title { "estimate: " (change(estimate.change())) }
                }
            }
        }, &notes)
    }

    fn dots(&self) -> Vec<Dot> {
        match &self.medians {
            Medians::Pairs(pairs) => (0..)
                .zip(pairs)
                .map(|(number, &(a, b))| Dot {
                    change: LogRatio::between(a, b).change(),
                    line: number % MOST_LINES,
                    words: format!(
                        "pair {}, A {}, B {}",
                        number + 1,
                        ms(a.nanoseconds()),
                        ms(b.nanoseconds())
                    ),
                })
                .collect(),
            // Runs that have no partner are held against the middle of A.
            Medians::Saved(a, b) => {
                let mut times: Vec<_> = a.iter().map(|median| median.nanoseconds()).collect();
                let middle =
                    crate::benchmark::quantile::median(&mut times).and_then(RunMedian::new);
                let dot = |name: &'static str, line: usize| {
                    move |(number, run): (usize, &RunMedian)| {
                        middle.map(|middle| Dot {
                            change: LogRatio::between(middle, *run).change(),
                            line,
                            words: format!("{name}, run {}, {}", number + 1, ms(run.nanoseconds())),
                        })
                    }
                };
                let a = a.iter().enumerate().filter_map(dot("A", 0));
                a.chain(b.iter().enumerate().filter_map(dot("B", 1))).collect()
            }
        }
    }
}

/// One pair, or one run beside the middle of A.
struct Dot {
    change: f64,
    line: usize,
    words: String,
}
