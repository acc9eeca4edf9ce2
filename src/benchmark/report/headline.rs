//! Headline: the main statistics of a result, and what makes them less reliable.

use std::collections::HashSet;

use maud::{Markup, html};

use super::comparison::NamedComparison;
use super::elements::cards;
use super::sides::Side;
use crate::benchmark::budget::budget;
use crate::benchmark::facts::{AVERAGE, HITCH};
use crate::benchmark::in_words::in_words;
use crate::benchmark::summary::exceeds;
use crate::benchmark::{BenchResult, LowFps, REFRESH_RATES, Summary, Sweep};
use crate::units::{bare_ms, count, counted, ms, or_unknown, percent, rate};

/// A refresh rate is held if at most this share of the time is spent in frames over its budget.
const MAX_TIME_OVER_BUDGET: f64 = 0.01;

/// Shows the results in words, and the most wanted statistics of `main`, which is the last of `sides`.
pub(super) fn section(sides: &[Side], main: &Side, comparison: Option<&NamedComparison>) -> Markup {
    let Side { result, summary, .. } = main;
    let (median, spread) = (main.frame(|frame| frame.median_ns), main.frame(|frame| frame.spread));
    let low = summary.low_fps(LowFps::OnePercent);
    let median_rate = median.filter(|median| *median > 0.0).map(|median| 1e9 / median);
    let statistics = [
        (
            "median frame time",
            or_unknown(median, bare_ms),
            "ms",
            or_unknown(median_rate, |fps| format!("{} frames per second", rate(fps))),
        ),
        (
            LowFps::OnePercent.name(),
            or_unknown(low, rate),
            "fps",
            low.map_or("needs at least 1,000 frames", |_| LowFps::OnePercent.formula()).to_owned(),
        ),
        ("average", or_unknown(summary.average_fps, rate), "fps", AVERAGE.to_owned()),
        (
            "run-to-run spread",
            or_unknown(spread, |spread| rate(spread * 100.0)),
            "%",
            format!("range of the medians of {}", counted(result.runs.len(), "run")),
        ),
        (
            "hitches",
            or_unknown(summary.hitches, |hitches| count(hitches.total)),
            "in all runs",
            HITCH.to_owned(),
        ),
    ];
    let statistics =
        statistics.map(|(name, value, unit, note)| (main.named(name), value, unit, note));
    let lists = sides.iter().map(|side| warnings_of(side.result).collect::<Vec<_>>());
    let lists: Vec<_> = lists.collect();
    let [of_one, common] = if lists.windows(2).all(|two| two[0] == two[1]) {
        [Vec::new(), lists.into_iter().next().unwrap_or_default()]
    } else {
        let named = |(side, list): (&Side, Vec<String>)| {
            list.iter().map(|warning| side.named(warning)).collect::<Vec<_>>()
        };
        [sides.iter().zip(lists).flat_map(named).collect(), Vec::new()]
    };
    html! {
        section.headline {
            @if let Some(comparison) = comparison { (comparison.verdict()) }
            @for side in sides { p.in-words { (side.named(&in_words(side.result, &side.summary))) } }
            @if let Some(verdict) = refresh_rate_verdict(summary) { p.verdict { (main.named(&verdict)) } }
            (cards(&statistics))
            (warnings(&of_one, common.into_iter()))
        }
    }
}

/// Shows the largest count that holds the target rate, and the warnings.
pub(super) fn of_sweep(sweep: &Sweep) -> Markup {
    html! {
        section.headline {
            p.verdict { (sweep.in_words()) "." }
            (sweep_warnings(sweep, sweep.complete))
        }
    }
}

/// Shows the warnings of a sweep, alone or as a part of what may be complete.
pub(super) fn sweep_warnings(sweep: &Sweep, is_complete: bool) -> Markup {
    let incomplete = (!is_complete).then(|| {
        "incomplete: the measurement was interrupted; run it again to completion".to_owned()
    });
    warnings(&[], incomplete.into_iter().chain(sweep.warnings.iter().cloned()))
}

/// Names the highest refresh rate that is held, or the lowest if none is.
fn refresh_rate_verdict(summary: &Summary) -> Option<String> {
    let budgets = REFRESH_RATES.into_iter().zip(summary.over_budget);
    let known: Vec<_> = budgets.filter_map(|(hz, share)| Some((hz, share?))).collect();
    let held = known.iter().take_while(|(_, share)| !exceeds(*share, MAX_TIME_OVER_BUDGET)).last();
    let (hz, share) = held.or(known.first())?;
    Some(format!(
        "{} {hz} Hz: {} of the time is spent in frames longer than {}.",
        if held.is_some() { "Holds" } else { "Does not hold" },
        percent(*share),
        ms(budget(*hz)),
    ))
}

/// Returns the warnings of a result.
pub(super) fn warnings_of(result: &BenchResult) -> impl Iterator<Item = String> {
    let (done, planned) = (result.runs.len(), result.settings.runs);
    let warning = || format!("incomplete: {done} of {planned} runs; run the benchmark again");
    (!result.complete).then(warning).into_iter().chain(result.warnings.iter().cloned())
}

/// Lists what makes results less reliable: warnings of a single result, and each condition of several once, with
/// what to do about it.
pub(super) fn warnings(of_one: &[String], warnings: impl Iterator<Item = String>) -> Markup {
    let mut shown = HashSet::new();
    let warnings: Vec<_> = warnings
        .filter(|warning| shown.insert(warning.split(": ").next().map(str::to_owned)))
        .collect();
    html! {
        @if of_one.is_empty() && warnings.is_empty() {
            p.sound { "✓ No condition that was checked makes these results less reliable." }
        } @else {
            ul.warnings {
                @for warning in of_one { li { (warning) "." } }
                @for warning in warnings {
                    li {
                        @match warning.split_once(": ") {
                            Some((condition, action)) => { strong { (condition) } ": " (action) "." }
                            None => { strong { (warning) } }
                        }
                    }
                }
            }
        }
    }
}
