//! Report: a result as a page that explains itself, in one file that needs nothing else.
//!
//! The page asks no network for anything, runs no script, and is as small for a million frames as for
//! ten thousand: pictures have a fixed number of columns. What others wrote, names above all, is
//! escaped by the templates.

mod axis;
mod budgets;
mod choice;
mod circumstances;
mod columns;
mod comparison;
mod definitions;
mod figures;
mod headline;
mod histogram;
mod plot;
mod runs;
mod scaling;
mod stack;
mod svg;
mod timeline;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use comparison::Compared;

use self::circumstances::Circumstances;
use super::{BenchResult, Summary, Sweep};

const STYLE: &str = include_str!("style.css");

/// What a browser may do for the page: show it, in its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A page about a result.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What was measured.
    pub result: &'a BenchResult,
    /// How it compares with another program, or with an earlier result.
    pub compared: Option<Compared<'a>>,
    /// How frame times grow with the number of cubes.
    pub sweep: Option<&'a Sweep>,
}

impl<'a> Report<'a> {
    /// A page about a result alone.
    #[must_use]
    pub const fn of(result: &'a BenchResult) -> Self {
        Self { result, compared: None, sweep: None }
    }

    /// The page, as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let Self { result, compared, sweep } = self;
        let summary = Summary::of(result);
        let median = summary.row("frame").and_then(|frame| frame.median);
        let circumstances = Circumstances::of(result);
        page(
            &result.name,
            &circumstances,
            &html! {
                (headline::section(result, &summary, compared.as_ref()))
                (circumstances.section())
                @if let Some(compared) = compared { (compared.section()) }
                (timeline::section(&result.runs))
                (stack::section(&result.runs))
                (histogram::section(&result.runs))
                (runs::section(&result.runs, median))
                (figures::section(&summary))
                @if let Some(sweep) = sweep {
                    (scaling::section(sweep))
                    p { "The sweep: " (Circumstances::of_sweep(sweep).line()) "." }
                    (headline::warnings(sweep.warnings.iter()))
                }
                (definitions::section())
            },
        )
    }
}

/// A page about a sweep, as HTML.
#[must_use]
pub fn sweep_page(sweep: &Sweep) -> String {
    let circumstances = Circumstances::of_sweep(sweep);
    page(
        &sweep.name,
        &circumstances,
        &html! {
            (headline::of_sweep(sweep))
            (scaling::section(sweep))
            (circumstances.section())
            (definitions::of_sweep())
        },
    )
}

/// What all pages have in common.
fn page(name: &str, circumstances: &Circumstances, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (name) " - Cubefall benchmark" }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                header { h1 { bdi { (name) } } p { (circumstances.line()) } }
                (content)
                footer { "Made by Cubefall " (env!("CARGO_PKG_VERSION")) "." }
            } }
        }
    };
    page.into_string()
}
