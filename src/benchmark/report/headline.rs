//! Headline: what the result says, and how far it can be trusted.

use maud::{Markup, html};

use super::comparison::Compared;
use super::scaling;
use crate::benchmark::{BenchResult, LowFps, REFRESH_RATES, Summary, Sweep};
use crate::units::{bare_ms, ms, or_unknown, percent};

/// A display is kept up with if no more of the time than this goes by in frames too long for it.
const MOST_OVER: f64 = 0.01;

/// Verdict, the figures that people ask for, and what makes them less worth.
pub(super) fn section(
    result: &BenchResult,
    summary: &Summary,
    compared: Option<&Compared>,
) -> Markup {
    let frame = summary.row("frame");
    let median = frame.and_then(|frame| frame.median);
    html! {
        section.headline {
            @if let Some(compared) = compared {
                p.verdict {
                    strong { (compared.word()) ". " }
                    (compared.sentence()) " "
                    span.note { (compared.names()) }
                }
            }
            @if let Some(pace) = pace(summary) { p.verdict { (pace) } }
            div.cards {
                (card(
                    "median frame time",
                    &or_unknown(median, bare_ms), "ms",
                    &or_unknown(median.filter(|median| *median > 0.0), |median| {
                        format!("as in {:.1} frames per second", 1e9 / median)
                    }),
                ))
                (card(
                    LowFps::OnePercent.name(),
                    &or_unknown(summary.low_fps(LowFps::OnePercent), |fps| format!("{fps:.1}")), "fps",
                    if summary.low_fps(LowFps::OnePercent).is_some() {
                        LowFps::OnePercent.formula()
                    } else {
                        "too few frames: it takes 1,000"
                    },
                ))
                (card(
                    "average",
                    &or_unknown(summary.average_fps, |fps| format!("{fps:.1}")), "fps",
                    "frames / sum of their times",
                ))
                (card(
                    "run to run",
                    &or_unknown(frame.and_then(|frame| frame.spread), |spread| format!("{:.1}", spread * 100.0)), "%",
                    &format!("how far the medians of {} runs are apart", result.runs.len()),
                ))
                (card(
                    "hitches",
                    &or_unknown(summary.hitches, |hitches| format!("{hitches:.0}")), "in a run",
                    "over 2.5 x the median around, and 4 ms more",
                ))
            }
            (warnings(missing(result).iter().chain(&result.warnings)))
        }
    }
}

/// As much of a sweep.
pub(super) fn of_sweep(sweep: &Sweep) -> Markup {
    let missing = (!sweep.complete)
        .then(|| "incomplete: it was interrupted; run it again for all of it".to_owned());
    html! {
        section.headline {
            @if let Some(reach) = scaling::largest_count(sweep) { p.verdict { (reach) } }
            (warnings(missing.iter().chain(&sweep.warnings)))
        }
    }
}

fn card(name: &str, figure: &str, unit: &str, note: &str) -> Markup {
    html! {
        div.card {
            div.name { (name) }
            div.figure { (figure) " " span.unit { (unit) } }
            div.note { (note) }
        }
    }
}

/// The fastest display that is kept up with, in words.
fn pace(summary: &Summary) -> Option<String> {
    let over =
        |(rate, share): (u32, Option<f64>)| share.map(|share| (rate, share, 1e9 / f64::from(rate)));
    let over: Vec<_> =
        REFRESH_RATES.into_iter().zip(summary.over_budget).filter_map(over).collect();
    let kept = over.iter().take_while(|(_, share, _)| *share <= MOST_OVER).last();
    Some(if let Some((rate, share, budget)) = kept {
        format!(
            "Keeps up with {rate} Hz: {} of the time goes by in frames over {}.",
            percent(*share),
            ms(*budget)
        )
    } else {
        let (rate, share, budget) = over.first()?;
        format!(
            "Does not keep up with {rate} Hz: {} of the time goes by in frames over {}.",
            percent(*share),
            ms(*budget)
        )
    })
}

fn missing(result: &BenchResult) -> Option<String> {
    (!result.complete).then(|| {
        format!(
            "incomplete: {} of {} runs are there; run it again for all of them",
            result.runs.len(),
            result.settings.runs
        )
    })
}

/// What is wrong, each with what to do about it.
pub(super) fn warnings<'a>(warnings: impl Iterator<Item = &'a String>) -> Markup {
    let mut warnings = warnings.peekable();
    html! {
        @if warnings.peek().is_none() {
            p.sound { "✓ Nothing was found that would make these figures less worth." }
        } @else {
            ul.warnings {
                @for warning in warnings {
                    li {
                        @match warning.split_once(": ") {
                            Some((what, fix)) => { strong { (what) } ": " (fix) "." }
                            None => { strong { (warning) } }
                        }
                    }
                }
            }
        }
    }
}
