//! Elements: tables, lists and legends of the page.

use maud::{Markup, Render, html};

use crate::benchmark::facts::Fact;

/// Returns a table whose first column names the rows.
pub(super) fn table(columns: &[&str], rows: &Markup) -> Markup {
    html! {
        div.table { table {
            thead { tr { @for name in columns { th scope="col" { (name) } } } }
            tbody { (rows) }
        } }
    }
}

/// Returns a row of a [`table`].
pub(super) fn row(name: impl Render, cells: &[String]) -> Markup {
    html! { tr { th scope="row" { (name) } @for cell in cells { td { (cell) } } } }
}

/// Returns labels beside their values.
pub(super) fn fact_list(facts: &[Fact]) -> Markup {
    html! { dl.facts { @for (label, value) in facts { dt { (label) } dd { (value) } } } }
}

/// Returns a legend of CSS classes, which decide the colors, and texts; nothing without entries.
pub(super) fn legend(entries: &[(String, String)]) -> Markup {
    html! {
        @if !entries.is_empty() {
            ul.legend {
                @for (class, text) in entries { li { span class={ "swatch " (class) } {} (text) } }
            }
        }
    }
}
