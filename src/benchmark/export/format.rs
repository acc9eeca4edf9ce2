//! Format: what a result can be turned into, and the files that makes.

use std::io::{self, Write};

use super::{bencher, capframex, hyperfine, mangohud, markdown, trace};
use crate::benchmark::BenchResult;

/// A format that other programs read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExportFormat {
    /// The log of `MangoHud`, which mangoplot and `FlightlessSomething` read: a file for each run.
    MangoHud,
    /// The table of `PresentMon` 1.x with the header of `CapFrameX`: a file for each run.
    CapFrameX,
    /// Trace events, which Perfetto and Chrome read: a file for each run.
    Trace,
    /// Bencher Metric Format.
    Bencher,
    /// What `hyperfine --export-json` writes.
    Hyperfine,
    /// A summary for people, to be pasted into an issue.
    Markdown,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::MangoHud,
        Self::CapFrameX,
        Self::Trace,
        Self::Bencher,
        Self::Hyperfine,
        Self::Markdown,
    ];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MangoHud => "mangohud",
            Self::CapFrameX => "capframex",
            Self::Trace => "trace",
            Self::Bencher => "bencher",
            Self::Hyperfine => "hyperfine",
            Self::Markdown => "markdown",
        }
    }

    /// How its files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::MangoHud | Self::CapFrameX => "csv",
            Self::Trace | Self::Bencher | Self::Hyperfine => "json",
            Self::Markdown => "md",
        }
    }

    /// Whether each run is a file of its own.
    #[must_use]
    pub const fn is_per_run(self) -> bool {
        matches!(self, Self::MangoHud | Self::CapFrameX | Self::Trace)
    }

    /// The name of its file; of that of run `run`, counted from 0, where each is a file of its own:
    /// `mangohud-1.csv`.
    #[must_use]
    pub fn file_name(self, run: usize) -> String {
        let (name, extension) = (self.name(), self.extension());
        if self.is_per_run() {
            return format!("{name}-{}.{extension}", run + 1);
        }
        format!("{name}.{extension}")
    }

    /// The files `result` becomes, in order.
    pub fn files(self, result: &BenchResult) -> impl Iterator<Item = ExportFile<'_>> {
        let files = if self.is_per_run() { result.runs.len() } else { 1 };
        (0..files).map(move |run| ExportFile { format: self, result, run })
    }
}

/// A file that a result becomes.
#[derive(Clone, Copy, Debug)]
pub struct ExportFile<'a> {
    format: ExportFormat,
    result: &'a BenchResult,
    /// Which run, counted from 0, of those formats where it matters.
    run: usize,
}

impl ExportFile<'_> {
    /// Its [name](ExportFormat::file_name).
    #[must_use]
    pub fn name(&self) -> String {
        self.format.file_name(self.run)
    }

    /// Which run it holds, counted from 0; none if it holds all of them.
    #[must_use]
    pub fn run(&self) -> Option<usize> {
        self.format.is_per_run().then_some(self.run)
    }

    /// Writes it.
    ///
    /// # Errors
    /// `to` cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self { format, result, run } = *self;
        match format {
            ExportFormat::MangoHud => mangohud::write(to, result, run),
            ExportFormat::CapFrameX => capframex::write(to, result, run),
            ExportFormat::Trace => trace::write(to, result, run),
            ExportFormat::Bencher => bencher::write(to, result),
            ExportFormat::Hyperfine => hyperfine::write(to, result),
            ExportFormat::Markdown => markdown::write(to, result),
        }
    }
}
