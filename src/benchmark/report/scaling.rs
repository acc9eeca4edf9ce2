//! Scaling: frame time by number of cubes.

use maud::{Markup, html};

use super::chart::{Axis, Dot, REFERENCE_RATES, chart, line_path, refresh_lines};
use super::elements::table;
use crate::benchmark::facts::Fact;
use crate::benchmark::sweep::GROWTH_SPAN;
use crate::benchmark::{Sweep, SweepPoint, TimeOf, quantile};
use crate::units::{MILLISECOND, bare_ms, count, ms, or_unknown, rate};

const HEIGHT: f64 = 340.0;

/// Shows the chart and its table; nothing without a point.
pub(super) fn section(sweep: &Sweep) -> Markup {
    let points: Vec<_> = sweep.points.iter().filter_map(dot).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return html! {} };
    let x = Axis::horizontal([first.at, last.at], 1.0, "cubes").logarithmic();
    let times: Vec<_> = points.iter().flat_map(|point| point.range).collect();
    let range = quantile::range(&times).unwrap_or_default();
    let y = Axis::vertical(range, HEIGHT, MILLISECOND, "median frame time, ms").logarithmic();
    let target = (!REFERENCE_RATES.contains(&sweep.fps)).then_some(sweep.fps);
    let rates: Vec<_> = target.into_iter().chain(REFERENCE_RATES).collect();
    let exponent = sweep.exponent();
    let summaries: Vec<_> = points.iter().map(|point| point.title.as_str()).collect();
    let description = format!("Median frame time by number of cubes. {}.", summaries.join(", "));
    let marks = html! {
        @if let Some(exponent) = exponent {
            path.fit d=(line_path([&x, &y], &fit(&points, exponent))) {}
        }
        @for point in &points { (point.draw(&x, &y)) }
    };
    html! {
        section {
            h2 { "Scaling" }
            p {
                @match exponent {
                    Some(exponent) if exponent > 0.0 => {
                        "At the largest counts, frame time grows with the number of cubes to the power of "
                        strong { (format!("{exponent:.2}")) }
                        (growth(exponent)) " "
                    }
                    Some(_) => {
                        "Frame time does not grow with the number of cubes: it has another cause, or other \
                         programs disturbed the measurement. "
                    }
                    None => {}
                }
                (sweep.in_words()) ". "
                @if let Some(reason) = &sweep.stopped { "The sweep stopped early: " (reason) ". " }
                "Both axes are logarithmic. Bars span the fastest to the slowest run."
            }
            (chart([&x, &y], &description, marks, refresh_lines(&x, &y, &rates)))
            (table("cubes", &sweep.points.iter().filter_map(row).collect::<Vec<_>>()))
        }
    }
}

/// Explains an exponent.
fn growth(exponent: f64) -> &'static str {
    match exponent {
        ..0.9 => ": less than proportionally, because part of a frame has a fixed cost.",
        0.9..=1.1 => ": proportionally.",
        _ => ": more than proportionally, for example because caches become too small.",
    }
}

/// Returns the median and the range of the runs with one number of cubes.
fn dot(point: &SweepPoint) -> Option<Dot> {
    let [fastest, slowest] = quantile::range(&point.medians_ns)?;
    let (at, time) = (f64::from(point.cubes), point.median_of(TimeOf::Frame)?);
    let title = format!("{} cubes: {}", count(at), ms(time));
    // Logarithmic axes have no 0.
    (at > 0.0 && fastest > 0.0).then_some(Dot { at, time, range: [fastest, slowest], title })
}

fn row(point: &SweepPoint) -> Option<(String, Vec<Fact>)> {
    let time = point.median_of(TimeOf::Frame)?;
    let [fastest, slowest] = quantile::range(&point.medians_ns)?;
    let cells = vec![
        ("median, ms", bare_ms(time)),
        ("fastest run, ms", bare_ms(fastest)),
        ("slowest run, ms", bare_ms(slowest)),
        ("CPU, ms", or_unknown(point.median_of(TimeOf::Cpu), bare_ms)),
        ("GPU, ms", or_unknown(point.median_of(TimeOf::Gpu), bare_ms)),
        ("ns per cube", rate(time / f64::from(point.cubes))),
        ("fps of median", rate(1e9 / time)),
    ];
    Some((count(point.cubes), cells))
}

/// Returns the ends of the line of the exponent through the middle of the points that it is computed from.
fn fit(points: &[Dot], exponent: f64) -> Vec<(f64, f64)> {
    let largest = points.last().map_or(0.0, |last| last.at);
    let fitted: Vec<_> = points.iter().filter(|point| point.at * GROWTH_SPAN >= largest).collect();
    let offset = |point: &&Dot| point.time.ln() - exponent * point.at.ln();
    let offset = quantile::median(&mut fitted.iter().map(offset).collect::<Vec<_>>());
    let end = |offset: f64, cubes: f64| (cubes, (offset + exponent * cubes.ln()).exp());
    let ends = offset.map(|offset| [fitted[0].at, largest].map(|cubes| end(offset, cubes)));
    ends.into_iter().flatten().collect()
}
