//! Elements: tables, lists, cards and legends of the page.

use maud::{Markup, PreEscaped, Render, html};

use crate::benchmark::facts::Fact;

/// Returns a table: below `corner` the names of the rows, and to the right of them cells with the names of their
/// columns. Nothing without rows.
pub(super) fn table<Cell: Render>(
    corner: &str,
    rows: &[(String, Vec<(impl Render, Cell)>)],
) -> Markup {
    let Some((_, columns)) = rows.first() else { return html! {} };
    html! {
        div.table { table {
            thead { tr {
                th scope="col" { (corner) }
                @for (name, _) in columns { th scope="col" { (name) } }
            } }
            tbody {
                @for (name, cells) in rows {
                    tr { th scope="row" { (name) } @for (_, cell) in cells { td { (cell) } } }
                }
            }
        } }
    }
}

/// Returns labels beside their values.
pub(super) fn fact_list(facts: &[Fact]) -> Markup {
    html! { dl.facts { @for (label, value) in facts { dt { (label) } dd { (value) } } } }
}

/// Returns cards of a name, a value in large type, its unit and a note.
pub(super) fn cards<Name: Render>(cards: &[(Name, String, &str, String)]) -> Markup {
    html! {
        div.cards {
            @for (name, value, unit, note) in cards {
                div.card {
                    div.name { (name) }
                    div.value { (value) " " span.unit { (unit) } }
                    div.note { (note) }
                }
            }
        }
    }
}

/// Returns a legend of CSS classes, which decide the colors, and texts; nothing without entries.
pub(super) fn legend(entries: &[(&str, String)]) -> Markup {
    html! {
        @if !entries.is_empty() {
            ul.legend {
                @for (class, text) in entries { li { span class={ "swatch " (class) } {} (text) } }
            }
        }
    }
}

/// Returns a folded section of definitions: names with their meanings, and others in HTML.
pub(super) fn definitions(named: &[(&str, &str)], others: &str) -> Markup {
    html! {
        section { details { summary { h2 { "Definitions" } } dl.definitions {
            @for (name, meaning) in named { dt { (name) } dd { (meaning) } }
            (PreEscaped(others))
        } } }
    }
}
