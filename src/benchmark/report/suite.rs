//! Suite: the score, what it depends on, and what other settings cost.

use maud::{Markup, html};

use super::elements::{row, table};
use super::{definitions, headline, page, scaling, setup_section};
use crate::benchmark::facts::Setup;
use crate::benchmark::{SCORE_FPS, Score, ScoreRun, Suite, TimeOf, Variant};
use crate::units::{UNKNOWN, bare_ms, count, or_unknown, rate};

const VARIANTS: [&str; 4] = ["settings", "median, ms", "of standard", ""];
const RUNS: [&str; 5] = ["run", "frame, ms", "CPU, ms", "GPU, ms", "cubes at 60 fps"];

/// Returns a page about a suite, as HTML.
pub fn suite_page(suite: &Suite) -> String {
    let setup = Setup::of_sweep(&suite.growth);
    page(
        &suite.growth.name,
        &setup.line(),
        &html! {
            (headline_section(suite))
            (scaling::section(&suite.growth))
            (variants_section(suite))
            (runs_section(suite))
            (setup_section(&setup))
            (definitions::of_suite())
        },
    )
}

fn headline_section(suite: &Suite) -> Markup {
    let of = |score: Option<Score>| score.map(|score| (count(score.cubes), range(score)));
    let scores = suite.scores;
    let exponent = suite.growth.exponent();
    let each = suite.growth.ns_per_further_cube(TimeOf::Frame);
    let cards = [
        ("score", of(scores.map(|scores| scores.cubes)), ""),
        ("CPU side", of(scores.and_then(|scores| scores.cpu)), ""),
        ("GPU side", of(scores.and_then(|scores| scores.gpu)), ""),
        ("each further cube", each.map(|each| (rate(each), growth(exponent))), "ns"),
    ];
    html! {
        section.headline {
            p.in-words { (suite.in_words()) }
            div.cards {
                @for (name, value, unit) in cards {
                    @let (value, note) = value.unwrap_or_else(|| (UNKNOWN.to_owned(), String::new()));
                    div.card {
                        div.name { (name) }
                        div.value { (value) " " span.unit { (unit) } }
                        div.note { (note) }
                    }
                }
            }
            (headline::warnings(suite.growth.warnings.iter().cloned()))
        }
    }
}

fn range(score: Score) -> String {
    let at_least = if score.at_least { "at least; " } else { "" };
    format!("cubes; {at_least}{} to {}", count(score.least), count(score.most))
}

fn growth(exponent: Option<f64>) -> String {
    or_unknown(exponent, |exponent| format!("frame time grows as cubes^{exponent:.2}"))
}

/// Compares the settings; nothing without a measurement.
fn variants_section(suite: &Suite) -> Markup {
    let variants: Vec<(&Variant, f64)> =
        suite.variants.iter().filter_map(|variant| Some((variant, variant.median()?))).collect();
    let (Some(&(_, standard)), Some(run)) = (variants.first(), suite.score_runs.first()) else {
        return html! {};
    };
    let slowest = variants.iter().map(|(_, median)| *median).fold(0.0, f64::max);
    let rows = html! {
        @for (variant, median) in &variants {
            tr {
                th scope="row" { (variant.name().replace("--", "")) }
                td { (bare_ms(*median)) }
                td { (format!("{:.2} x", median / standard)) }
                td { meter min="0" max=(slowest) value=(median) {} }
            }
        }
    };
    html! {
        section.settings {
            h2 { "Settings" }
            p {
                "Median frame times of " (count(run.cubes)) " cubes. The standard settings are those of the
                score; each line changes what it names."
            }
            (table(&VARIANTS, &rows))
        }
    }
}

/// Shows what each run contributes to the score; nothing without a run.
fn runs_section(suite: &Suite) -> Markup {
    let Some(first) = suite.score_runs.first() else { return html! {} };
    let cells = |run: &ScoreRun| {
        let side = |time: Option<f64>| or_unknown(time, bare_ms);
        [bare_ms(run.frame_ns), bare_ms(run.cpu_ns), side(run.gpu_ns), count(suite.estimate(run))]
    };
    let rows = html! {
        @for (number, run) in (1..).zip(&suite.score_runs) { (row(number, &cells(run))) }
    };
    html! {
        section {
            h2 { "Runs of the score" }
            p {
                "Mean of the slowest 1 % of frames with " (count(first.cubes)) " cubes, and the number of cubes
                that would take " (bare_ms(1e9 / SCORE_FPS)) " ms."
            }
            (table(&RUNS, &rows))
        }
    }
}
