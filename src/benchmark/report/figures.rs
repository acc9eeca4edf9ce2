//! Figures: the table of all that was worked out, each figure the middle one of the runs.

use maud::{Markup, html};

use super::circumstances::list;
use crate::benchmark::{Low, Overview, REFRESH_RATES};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, percent};

/// Times by parts of a frame, and rates.
pub(super) fn section(overview: &Overview) -> Markup {
    html! {
        section {
            h2 { "All figures" }
            p { "Each figure is the middle one of the runs." }
            div.table { table {
                thead { tr {
                    @for name in ["", "median, ms", "p95, ms", "p99, ms", "slowest, ms", "run to run"] {
                        th scope="col" { (name) }
                    }
                } }
                tbody { @for row in &overview.rows { tr {
                    th scope="row" { (row.name) }
                    @for time in [row.median, row.p95, row.p99, row.max] { td { (or_unknown(time, bare_ms)) } }
                    td { (or_unknown(row.spread, percent)) }
                } } }
            } }
            div.columns { (list(&rates(overview))) (list(&rest(overview))) }
        }
    }
}

fn rates(overview: &Overview) -> Vec<(String, String)> {
    let fps = |fps: f64| format!("{fps:.1} fps");
    let mut rates = vec![("average".to_owned(), or_unknown(overview.average_fps, fps))];
    let lows = Low::ALL.into_iter().zip(overview.lows);
    rates.extend(lows.map(|(low, figure)| (low.name().to_owned(), or_unknown(figure, fps))));
    let over = REFRESH_RATES.into_iter().zip(overview.over_budget);
    rates.extend(over.map(|(rate, share)| {
        (
            format!("too long for {rate} Hz"),
            or_unknown(share, |share| percent(share) + " of the time"),
        )
    }));
    rates
}

fn rest(overview: &Overview) -> Vec<(String, String)> {
    let shares = |[work, gpu, display]: [f64; 3]| {
        let [work, gpu, display] = [work, gpu, display].map(percent);
        format!("{work} to work, {gpu} to waiting for the GPU, {display} for the display")
    };
    [
        ("time goes", or_unknown(overview.bound_by, shares)),
        ("hitches", or_unknown(overview.hitches, |hitches| format!("{hitches:.0} in a run"))),
        ("jitter", or_unknown(overview.jitter, ms)),
        (
            "a run is worth",
            or_unknown(overview.effective_frames, |frames| {
                format!("{} independent frames", count(frames.round()))
            }),
        ),
        ("time for a cube", or_unknown(overview.ns_per_cube, |ns| format!("{ns:.1} ns"))),
        ("sent to the GPU", or_unknown(overview.upload_bytes_per_s, |rate| bytes(rate) + "/s")),
        ("memory at the end", or_unknown(overview.memory_bytes, bytes)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}
