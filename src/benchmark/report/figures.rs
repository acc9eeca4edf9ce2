//! Figures: the table of all that was worked out, each figure the middle one of the runs.

use maud::{Markup, html};

use super::circumstances::list;
use crate::benchmark::{LowFps, REFRESH_RATES, Summary};
use crate::units::{bare_ms, bytes, count, ms, or_unknown, percent};

/// Times by parts of a frame, and rates.
pub(super) fn section(summary: &Summary) -> Markup {
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
                tbody { @for row in &summary.rows { tr {
                    th scope="row" { (row.name) }
                    @for time in [row.median, row.p95, row.p99, row.max] { td { (or_unknown(time, bare_ms)) } }
                    td { (or_unknown(row.spread, percent)) }
                } } }
            } }
            div.columns { (list(&rates(summary))) (list(&rest(summary))) }
        }
    }
}

fn rates(summary: &Summary) -> Vec<(String, String)> {
    let fps = |fps: f64| format!("{fps:.1} fps");
    let mut rates = vec![("average".to_owned(), or_unknown(summary.average_fps, fps))];
    let lows = LowFps::ALL.into_iter().zip(summary.low_fps);
    rates.extend(lows.map(|(low, figure)| (low.name().to_owned(), or_unknown(figure, fps))));
    let over = REFRESH_RATES.into_iter().zip(summary.over_budget);
    rates.extend(over.map(|(rate, share)| {
        (
            format!("too long for {rate} Hz"),
            or_unknown(share, |share| percent(share) + " of the time"),
        )
    }));
    rates
}

fn rest(summary: &Summary) -> Vec<(String, String)> {
    let shares = |[work, gpu, display]: [f64; 3]| {
        let [work, gpu, display] = [work, gpu, display].map(percent);
        format!("{work} to work, {gpu} to waiting for the GPU, {display} for the display")
    };
    [
        ("time goes", or_unknown(summary.bound_by, shares)),
        ("hitches", or_unknown(summary.hitches, |hitches| format!("{hitches:.0} in a run"))),
        ("jitter", or_unknown(summary.jitter, ms)),
        (
            "a run is worth",
            or_unknown(summary.effective_frames, |frames| {
                format!("{} independent frames", count(frames.round()))
            }),
        ),
        ("time for a cube", or_unknown(summary.ns_per_cube, |ns| format!("{ns:.1} ns"))),
        ("sent to the GPU", or_unknown(summary.upload_bytes_per_s, |rate| bytes(rate) + "/s")),
        ("memory at the end", or_unknown(summary.memory_bytes, bytes)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}
