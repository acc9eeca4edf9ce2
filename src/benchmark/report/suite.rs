//! Suite: the score, what it depends on, and what other settings cost.

use maud::{Markup, html};

use super::elements::{cards, definitions, table};
use super::{headline, page, scaling, setup_section};
use crate::benchmark::facts::Setup;
use crate::benchmark::{SCORE_FPS, Score, ScoreRun, Suite, TimeOf, Variant};
use crate::units::{bare_ms, count, or_unknown, rate};

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
            (definitions(&[], include_str!("suite_definitions.html")))
        },
    )
}

fn headline_section(suite: &Suite) -> Markup {
    let of = |name, score: Option<Score>| {
        let cubes = or_unknown(score, |score| count(score.cubes));
        (name, cubes, "", score.map(range).unwrap_or_default())
    };
    let scores = suite.scores;
    let each = suite.growth.ns_per_further_cube(TimeOf::Frame).filter(|each| *each > 0.0);
    let growth = each.and_then(|_| suite.growth.exponent());
    let growth = growth.map(|exponent| format!("frame time grows as cubes^{exponent:.2}"));
    let statistics = [
        of("score", scores.map(|scores| scores.cubes)),
        of("CPU side", scores.and_then(|scores| scores.cpu)),
        of("GPU side", scores.and_then(|scores| scores.gpu)),
        ("each further cube", or_unknown(each, rate), "ns", growth.unwrap_or_default()),
    ];
    html! {
        section.headline {
            p.in-words { (suite.in_words()) }
            (cards(&statistics))
            (headline::sweep_warnings(&suite.growth, suite.complete))
        }
    }
}

fn range(score: Score) -> String {
    let at_least = if score.at_least { "at least; " } else { "" };
    format!("cubes; {at_least}{} to {}", count(score.least), count(score.most))
}

/// Compares the settings; nothing without a measurement.
fn variants_section(suite: &Suite) -> Markup {
    let variants: Vec<(&Variant, f64)> =
        suite.variants.iter().filter_map(|variant| Some((variant, variant.median()?))).collect();
    let (Some(&(_, standard)), Some(run)) = (variants.first(), suite.score_runs.first()) else {
        return html! {};
    };
    let slowest = variants.iter().map(|(_, median)| *median).fold(0.0, f64::max);
    let rows = variants.iter().map(|(variant, median)| {
        let cells = vec![
            ("median, ms", html! { (bare_ms(*median)) }),
            ("of standard", html! { (format!("{:.2} x", median / standard)) }),
            ("relative time", html! { meter min="0" max=(slowest) value=(median) {} }),
        ];
        (variant.name().replace("--", ""), cells)
    });
    html! {
        section.settings {
            h2 { "Settings" }
            p {
                "Median frame times of " (count(run.cubes)) " cubes. The standard settings are those of the
                score; each line changes what it names."
            }
            (table("settings", &rows.collect::<Vec<_>>()))
        }
    }
}

/// Shows what each run contributes to the score; nothing without a run.
fn runs_section(suite: &Suite) -> Markup {
    let Some(first) = suite.score_runs.first() else { return html! {} };
    let row = |(number, run): (u32, &ScoreRun)| {
        let cells = vec![
            ("frame, ms", bare_ms(run.frame_ns)),
            ("CPU, ms", bare_ms(run.cpu_ns)),
            ("GPU, ms", or_unknown(run.gpu_ns, bare_ms)),
            ("cubes at 60 fps", count(suite.estimate(run))),
        ];
        (number.to_string(), cells)
    };
    let rows: Vec<_> = (1..).zip(&suite.score_runs).map(row).collect();
    html! {
        section {
            h2 { "Runs of the score" }
            p {
                "Mean of the slowest 1 % of frames with " (count(first.cubes)) " cubes, and the number of cubes
                that would take " (bare_ms(1e9 / SCORE_FPS)) " ms."
            }
            (table("run", &rows))
        }
    }
}
