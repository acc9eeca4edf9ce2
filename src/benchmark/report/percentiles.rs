//! Percentiles of the frame time: a group of bars each, one bar for each result.

use maud::{Markup, html};

use super::chart::{Axis, bar, chart, px};
use super::sides::{Side, legend_of};
use crate::benchmark::{Percentile, SummaryRow};
use crate::units::{MILLISECOND, bare_ms, ms};

const HEIGHT: f64 = 190.0;

/// Share of the width of a group that its bars fill.
const FILLED: f64 = 0.84;

/// Leaves out unknown percentiles.
pub(super) fn section(sides: &[Side]) -> Markup {
    let frame = |side: &Side| side.summary.row("frame").map(SummaryRow::percentiles);
    let times: Vec<_> = sides.iter().map(|side| frame(side).unwrap_or_default()).collect();
    let is_known = |&i: &usize| times.iter().any(|times| times[i].is_some());
    let known: Vec<_> = (0..Percentile::ALL.len()).filter(is_known).collect();
    let max = times.iter().flatten().flatten().copied().fold(0.0, f64::max);
    if max <= 0.0 {
        return html! {};
    }
    let names = known.iter().map(|&i| Percentile::ALL[i].to_string());
    let ticks = (0..).map(|group| f64::from(group) + 0.5).zip(names).collect();
    let x = Axis { ticks, ..Axis::horizontal([0.0, known.len() as f64], 1.0, "percentile") };
    let y = Axis::vertical([0.0, max * 1.12], HEIGHT, MILLISECOND, "frame time, ms");
    let width = FILLED / sides.len() as f64;
    let (mut bars, mut titles) = (Vec::new(), Vec::new());
    for (group, &i) in known.iter().enumerate() {
        for (row, (side, times)) in sides.iter().zip(&times).enumerate() {
            let Some(time) = times[i] else { continue };
            let left = group as f64 + (1.0 - FILLED) / 2.0 + width * row as f64;
            bars.push((side.name, [left, left + width].map(|at| x.position(at)), time));
            titles.push(side.named(&format!("{} {}", Percentile::ALL[i], ms(time))));
        }
    }
    let description = format!("Percentiles of the frame time. {}.", titles.join(", "));
    let marks = html! {
        @for (&(side, [left, right], time), title) in bars.iter().zip(&titles) {
            g class=(side) {
                (bar([left + 1.0, right - 1.0], &y, time, title))
                text x=(px(f64::midpoint(left, right))) y=(px(y.position(time) - 4.0)) text-anchor="middle" {
                    (bare_ms(time))
                }
            }
        }
    };
    html! {
        section {
            h2 { "Percentiles" }
            p {
                "The frame time that a share of the frames does not exceed: the median over the runs. Percentiles
                with fewer than ten frames beyond them are left out."
            }
            (legend_of(sides))
            (chart([&x, &y], &description, marks, html! {}))
        }
    }
}
