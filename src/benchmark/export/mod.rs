//! Export: a result in the formats of other programs.
//!
//! The logs of other programs leave out [invalid frames](super::FrameStatus), but their time still passes; CSV and the trace
//! have them with their status. An unknown value is empty, `NA` or `null`, as the format wants it, and
//! never 0. `docs/benchmark-files.md` describes each file.

mod bencher;
mod capframex;
mod csv;
mod hyperfine;
mod mangohud;
mod markdown;
mod text;
mod trace;

use std::io::{self, Write};
use std::ops::Range;

use super::BenchResult;
use crate::names::names;

/// A file format of another program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExportFormat {
    /// The log of `MangoHud`, for mangoplot and `FlightlessSomething`: a file per run.
    MangoHud,
    /// The table of `PresentMon` 1.x with the header of `CapFrameX`: a file per run.
    CapFrameX,
    /// Trace events, for Perfetto and Chrome: a file per run.
    Trace,
    /// Bencher Metric Format.
    Bencher,
    /// The JSON of `hyperfine --export-json`.
    Hyperfine,
    /// One line per frame of all runs, for spreadsheets: `frames.csv`.
    Csv,
    /// A summary for an issue or a pull request.
    Markdown,
}

names!(ExportFormat {
    MangoHud => "mangohud",
    CapFrameX => "capframex",
    Trace => "trace",
    Bencher => "bencher",
    Hyperfine => "hyperfine",
    Csv => "csv",
    Markdown => "markdown",
});

impl ExportFormat {
    /// Returns whether each run has a file of its own.
    pub const fn is_per_run(self) -> bool {
        matches!(self, Self::MangoHud | Self::CapFrameX | Self::Trace)
    }

    /// Returns the file name. Where each run has a file, `run` starts at 0 and the name at 1:
    /// `mangohud-1.csv`.
    pub fn file_name(self, run: usize) -> String {
        let name = self.name();
        match self {
            Self::MangoHud | Self::CapFrameX => format!("{name}-{}.csv", run + 1),
            Self::Trace => format!("{name}-{}.json", run + 1),
            Self::Bencher | Self::Hyperfine => format!("{name}.json"),
            Self::Csv => "frames.csv".to_owned(),
            Self::Markdown => format!("{name}.md"),
        }
    }

    /// Returns the numbers of the files of `result`: those of its runs, or 0 where one file holds all runs.
    pub fn files(self, result: &BenchResult) -> Range<usize> {
        0..if self.is_per_run() { result.runs.len() } else { 1 }
    }

    /// Writes the content of one of the [files](Self::files).
    ///
    /// # Errors
    /// `to` cannot be written.
    ///
    /// # Panics
    /// `run` is none of the [files](Self::files).
    pub fn write(self, to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
        match self {
            Self::MangoHud => mangohud::write(to, result, run),
            Self::CapFrameX => capframex::write(to, result, run),
            Self::Trace => trace::write(to, result, run),
            Self::Bencher => bencher::write(to, result),
            Self::Hyperfine => hyperfine::write(to, result),
            Self::Csv => csv::write(to, result),
            Self::Markdown => markdown::write(to, result),
        }
    }
}
