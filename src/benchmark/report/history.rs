//! History: several results in the order in which they were measured, and their trend.

use maud::{Markup, html};

use super::chart::{Dot, evenly_spaced, medians_chart};
use super::elements::{definitions, table};
use super::sides::Side;
use super::{DEFINITIONS, headline, page};
use crate::benchmark::facts::{self, Fact, Setup, utc};
use crate::benchmark::in_words::in_words;
use crate::benchmark::quantile::theil_sen;
use crate::benchmark::{BenchResult, BenchSettings, Difference, LowFps, Threshold};
use crate::units::{bare_ms, change, counted, ms, or_unknown, percent, rate};

/// Format of dates: results of one script often start in the same minute.
const WHEN: &str = "%Y-%m-%d %H:%M:%S";

/// Dates that have space below the chart.
const MAX_DATES: usize = 7;

/// Returns a page about several results as HTML, from the earliest to the latest.
pub fn history_page(results: &[BenchResult]) -> String {
    let mut sides: Vec<_> = results.iter().map(|result| Side::of(result, "")).collect();
    sides.sort_by_key(|side| side.result.started_unix_s);
    let Some(Side { result: last, summary, .. }) = sides.last() else {
        return page("History", "no result", &html! {});
    };
    let first = sides[0].result;
    // Often many have the same, such as a new kernel.
    let mut differences: Vec<(String, Vec<&Side>)> = Vec::new();
    for side in &sides {
        let Some(found) = Difference::list(&first.differences(side.result)) else { continue };
        match differences.iter_mut().find(|(other, _)| *other == found) {
            Some((_, sides)) => sides.push(side),
            None => differences.push((found, vec![side])),
        }
    }
    let differences = differences.into_iter().map(|(found, sides)| {
        let (name, date) = (&sides[0].result.name, date(sides[0], WHEN));
        let more = match sides.len() {
            1 => String::new(),
            many => format!(" and {}", counted(many - 1, "later result")),
        };
        format!("{} (A) and {name} of {date}{more} (B) differ in {found}", first.name)
    });
    let incomplete = sides.iter().filter(|side| !side.result.complete).map(|side| {
        let (done, planned) = (side.result.runs.len(), side.result.settings.runs);
        let date = date(side, WHEN);
        format!("{} of {date} is incomplete: {done} of {planned} runs", side.result.name)
    });
    let of_one: Vec<_> = differences.chain(incomplete).collect();
    let warnings = sides.iter().flat_map(|side| side.result.warnings.iter().cloned());
    let trend = trend(&sides);
    let rows = (0..sides.len())
        .map(|i| row(&sides[i], &sides[0], i.checked_sub(1).map(|before| &sides[before])));
    let content = html! {
        section.headline {
            p.verdict { (trend) }
            p.in-words { "Last result: " (in_words(last, summary)) }
            (headline::warnings(&of_one, warnings))
        }
        section {
            h2 { "History" }
            p {
                "Dots are the medians of runs, the line connects the medians over the runs of each result. The time
                axis does not start at 0."
            }
            (chart(&sides, &trend))
            (table("started (UTC)", &rows.collect::<Vec<_>>()))
        }
        (definitions(&facts::definitions(), DEFINITIONS))
    };
    let count = sides.len();
    page(&last.name, &format!("{count} results, last: {}", Setup::of_result(last).line()), &content)
}

fn date(side: &Side, format: &str) -> String {
    utc(side.result.started_unix_s).strftime(format).to_string()
}

/// Returns the median over the runs in ns, if it is above 0.
fn median(side: &Side) -> Option<f64> {
    side.frame(|frame| frame.median_ns).filter(|median| *median > 0.0)
}

fn row(side: &Side, first: &Side, previous: Option<&Side>) -> (String, Vec<Fact>) {
    let from = |other| Some(median(side)? / median(other)? - 1.0);
    let cells = vec![
        ("name", side.result.name.clone()),
        ("version", side.result.version.clone()),
        ("median, ms", or_unknown(median(side), bare_ms)),
        ("1 % low, fps", or_unknown(side.summary.low_fps(LowFps::OnePercent), rate)),
        ("run-to-run spread", or_unknown(side.frame(|frame| frame.spread), percent)),
        ("from first", or_unknown(from(first), change)),
        ("from previous", or_unknown(previous.and_then(from), change)),
    ];
    (date(side, WHEN), cells)
}

/// Returns the trend as a sentence.
fn trend(sides: &[Side]) -> String {
    let settings = |side: &Side| BenchSettings { runs: 0, ..side.result.settings.clone() };
    if sides.iter().any(|side| settings(side) != settings(&sides[0])) {
        return "The results are of different benchmarks: no trend.".to_owned();
    }
    let logarithms: Vec<_> =
        (0..).map(f64::from).zip(sides.iter().filter_map(median).map(f64::ln)).collect();
    let Some(slope) = theil_sen(&logarithms).filter(|_| logarithms.len() >= 5) else {
        return "At least five results are needed for a trend.".to_owned();
    };
    let total = (slope * (logarithms.len() - 1) as f64).exp_m1();
    let over = format!("{} over {} results", change(total), logarithms.len());
    if total.abs() < Threshold::default().share() || !is_monotonic(&logarithms) {
        return format!("No clear trend of the frame time: {over}.");
    }
    let direction =
        if total > 0.0 { "Slower: frames become longer" } else { "Faster: frames become shorter" };
    format!("{direction}, {over}, {} per result.", change(slope.exp_m1()))
}

/// Returns whether chance alone rarely (p <= 0.05) gives as many pairs in the same order: the test of Mann and
/// Kendall. Never for fewer than five points.
fn is_monotonic(points: &[(f64, f64)]) -> bool {
    let n = points.len() as f64;
    let later = |i: usize| points[i + 1..].iter().map(move |later| later.1.total_cmp(&points[i].1));
    let sum: i32 = (0..points.len()).flat_map(later).map(|order| order as i32).sum();
    let deviation = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    f64::from(sum.abs() - 1) >= 1.96 * deviation
}

fn chart(sides: &[Side], trend: &str) -> Markup {
    let numbered = || (1..).map(f64::from).zip(sides);
    let dots = numbered().flat_map(|(at, side)| {
        side.result.medians().into_iter().map(move |time| {
            let (date, time) = (date(side, WHEN), time.nanoseconds());
            let title = format!("{}, {date}: {}", side.result.name, ms(time));
            Dot { at, time, range: [time; 2], title }
        })
    });
    let line: Vec<_> = numbered().filter_map(|(at, side)| Some((at, median(side)?))).collect();
    let dates = evenly_spaced(sides.len(), MAX_DATES).into_iter();
    let dates = dates.map(|number| (number as f64, date(&sides[number - 1], "%m-%d %H:%M")));
    let description = format!("Median frame times of {} results. {trend}", sides.len());
    medians_chart("started", dates.collect(), &dots.collect::<Vec<_>>(), &line, &description)
}
