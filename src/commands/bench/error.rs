//! Error: why a benchmark failed.

use std::path::PathBuf;
use std::{io, process};

#[cfg(feature = "app")]
use crate::app::AppError;
use crate::benchmark::RunError;
use crate::output::{OutputError, StdoutError};
use crate::render::RenderError;

/// Why a benchmark failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Nothing can be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A run could not be started.
    #[error("{} cannot be started: {why}", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// A run ended without a result.
    #[error("a run of {} failed ({status}); it said: {said}", program.display())]
    RunFailed {
        /// The program.
        program: PathBuf,
        /// How it ended.
        status: process::ExitStatus,
        /// The last of what it said.
        said: String,
    },
    /// A run answered something else than this version understands.
    #[error("a run of {} gave no result of this version: {why}", program.display())]
    NotUnderstood {
        /// The program.
        program: PathBuf,
        /// What is wrong with it.
        why: serde_json::Error,
    },
    /// Frames of a run may not be compared.
    #[error("a run of {} was disturbed: its window was resized or hidden", .0.display())]
    Disturbed(PathBuf),
    /// The runs of two programs may not be compared.
    #[error("runs of A and B cannot be compared: they differ in {0}")]
    NotComparable(String),
    /// A run had no frame that counts.
    #[error("a run of {} measured nothing; make it longer", .0.display())]
    NothingMeasured(PathBuf),
    /// A file could not be written.
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    /// A file could not be read, or a folder not made.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// What was found out could not be put into words.
    #[error("the result cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The process could not arrange to be interrupted.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
    /// Standard output failed.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
    /// A windowed run failed.
    #[cfg(feature = "app")]
    #[error(transparent)]
    App(#[from] AppError),
}

impl BenchError {
    /// The exit code of the process, as `cubefall bench --help` lists them.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let wrong_usage = match self {
            Self::Render(error) | Self::Run(RunError::Render(error)) => error.exit_code() == 2,
            Self::RunFailed { status, .. } => status.code() == Some(2),
            _ => false,
        };
        match self {
            #[cfg(feature = "app")]
            Self::App(error) => error.exit_code(),
            Self::NotComparable(_) => 6,
            _ if wrong_usage => 2,
            _ => 1,
        }
    }
}
