//! Definitions: what each statistic is and how it is computed.

use maud::{Markup, PreEscaped, html};

use crate::benchmark::LowFps;

const OF_RESULTS: &str = include_str!("definitions.html");
const OF_SUITES: &str = include_str!("suite_definitions.html");
const OF_SWEEPS: &str = include_str!("sweep_definitions.html");

/// Defines the statistics of a result and of a history.
pub(super) fn section() -> Markup {
    list(&html! {
        (PreEscaped(OF_RESULTS))
        @for low in LowFps::ALL { dt { (low.name()) } dd { "frames per second: " (low.formula()) } }
    })
}

/// Defines the statistics of a sweep.
pub(super) fn of_sweep() -> Markup {
    list(&html! { (PreEscaped(OF_SWEEPS)) })
}

/// Defines the statistics of a suite.
pub(super) fn of_suite() -> Markup {
    list(&html! { (PreEscaped(OF_SUITES)) })
}

fn list(definitions: &Markup) -> Markup {
    html! {
        section { details { summary { h2 { "Definitions" } } dl.definitions { (definitions) } } }
    }
}
