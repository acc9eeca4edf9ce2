//! The report page: parsed, measured with its own axes, and opened in a browser.

#![cfg(feature = "benchmark")]

mod browser;
mod charts;
mod content;
mod document;
mod fixtures;
mod html;
#[path = "../support/png.rs"]
mod png;
#[path = "../exports/results.rs"]
mod results;
