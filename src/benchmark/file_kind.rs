//! Kinds of files with a JSON schema.

use schemars::schema_for;
use serde_json::Value;

use super::{Baseline, BenchResult, Suite, Sweep};
use crate::names::names;
use crate::schema_text::rewrite_descriptions;

/// A kind of JSON file that `cubefall bench` writes and reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum FileKind {
    /// `result.json`, and what `bench --json` prints.
    #[default]
    Result,
    /// `sweep.json`, and what `bench sweep --json` prints.
    Sweep,
    /// `suite.json`, and what `bench suite --json` prints.
    Suite,
    /// The file of `--save-baseline`.
    Baseline,
}

names!(FileKind {
    Result => "result",
    Sweep => "sweep",
    Suite => "suite",
    Baseline => "baseline",
});

impl FileKind {
    /// Returns the JSON schema of files of this kind.
    pub fn schema(self) -> Value {
        let schema = match self {
            Self::Result => schema_for!(BenchResult),
            Self::Sweep => schema_for!(Sweep),
            Self::Suite => schema_for!(Suite),
            Self::Baseline => schema_for!(Baseline),
        };
        let mut schema = schema.to_value();
        rewrite_descriptions(&mut schema);
        schema
    }
}
