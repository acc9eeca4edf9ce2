//! Errors of `cubefall bench`.

use std::path::Path;

#[cfg(feature = "app")]
use crate::app::AppError;
use crate::benchmark::RunError;
use crate::error_text;
use crate::output::{OutputError, StdoutError};
use crate::render::RenderError;

/// Error that ends a benchmark command.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A run in this process failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No adapter, or it cannot hold the cubes.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A run could not be started or watched, failed, or gave nothing to measure.
    #[error("{0}")]
    Failed(String),
    /// A file that is read, or flags of one side of a comparison, are wrong; or a run refused its flags.
    #[error("{0}")]
    Input(String),
    /// The runs of two binaries had different conditions.
    #[error("cannot compare A with B: they differ in {0}")]
    NotComparable(String),
    /// The runs of one result had different conditions.
    #[error("the runs do not belong together: they differ in {0}")]
    MixedRuns(String),
    /// A file could not be written, or a directory not created.
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    /// The result could not be serialized.
    #[error("cannot serialize the result: {0}")]
    Json(#[from] serde_json::Error),
    /// Standard output failed.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
    /// A windowed run failed.
    #[cfg(feature = "app")]
    #[error(transparent)]
    App(#[from] AppError),
}

impl BenchError {
    /// A file could not be read.
    pub(super) fn unread(path: &Path, reason: &str) -> Self {
        let reason = error_text::shortened_line(reason);
        Self::Input(format!("cannot read {}: {reason}", error_text::path(path)))
    }

    /// Returns the exit code, as listed by `cubefall bench --help`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Render(error) | Self::Run(RunError::Render(error)) => render_code(error),
            #[cfg(feature = "app")]
            Self::App(AppError::Render(error) | AppError::Run(RunError::Render(error))) => {
                render_code(error)
            }
            #[cfg(feature = "app")]
            Self::App(error) => error.exit_code(),
            Self::NotWritten(_) | Self::Stdout(_) => 5,
            Self::NotComparable(_) | Self::MixedRuns(_) => 6,
            Self::Input(_) | Self::Run(RunError::Latency(_) | RunError::Camera(_)) => 2,
            _ => 1,
        }
    }
}

/// Returns 2 if the flags are wrong, else 1: 3 is a regression.
fn render_code(error: &RenderError) -> u8 {
    let is_usage = error.exit_code() == 2 || matches!(error, RenderError::NoSuchAdapter { .. });
    if is_usage { 2 } else { 1 }
}
