//! Errors of `cubefall bench`.

use std::path::PathBuf;
use std::{io, process};

#[cfg(feature = "app")]
use crate::app::AppError;
use crate::benchmark::RunError;
use crate::error_text;
use crate::memory::MemoryError;
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
    /// Main memory does not suffice.
    #[error("the simulation cannot run: {0}")]
    Memory(#[from] MemoryError),
    /// A child process could not be started.
    #[error("cannot start {}: {}", program.display(), error_text::io(error))]
    NotStarted {
        /// Path of the binary.
        program: PathBuf,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A child process failed.
    #[error("a run of {} failed ({status}): {message}", program.display())]
    RunFailed {
        /// Path of the binary.
        program: PathBuf,
        /// How the process ended.
        status: process::ExitStatus,
        /// Its last error message.
        message: String,
    },
    /// A child process printed something other than a result of this version.
    #[error("{} printed no result this version can read: {reason}", program.display())]
    InvalidOutput {
        /// Path of the binary.
        program: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Flags of one side of a comparison are wrong.
    #[error("wrong flags \"{flags}\": {reason}")]
    Flags {
        /// The flags.
        flags: String,
        /// What is wrong with them.
        reason: String,
    },
    /// A run of a pair has invalid frames.
    #[error(
        "a run of {} was disturbed: its window was resized or hidden, or the process was suspended; \
         leave the window visible and the process running",
        .0.display()
    )]
    Disturbed(PathBuf),
    /// The runs of two binaries had different conditions.
    #[error("cannot compare A with B: they differ in {0}")]
    NotComparable(String),
    /// The runs of one result had different conditions.
    #[error("the runs do not belong together: they differ in {0}")]
    MixedRuns(String),
    /// A run measured no valid frame.
    #[error("a run of {} measured no frames; use a larger --frames or --duration", .0.display())]
    NoFrames(PathBuf),
    /// A file could not be written, or a directory not created.
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    /// A result could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    Input {
        /// Path of the file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The result could not be serialized.
    #[error("cannot serialize the result: {0}")]
    Json(#[from] serde_json::Error),
    /// The handler of signals could not be installed.
    #[error("cannot listen for Ctrl-C and other signals: {0}")]
    Signal(io::Error),
    /// Standard output failed.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
    /// A windowed run failed.
    #[cfg(feature = "app")]
    #[error(transparent)]
    App(#[from] AppError),
}

impl BenchError {
    /// Returns the exit code, as listed by `cubefall bench --help`.
    pub fn exit_code(&self) -> u8 {
        match self {
            #[cfg(feature = "app")]
            Self::App(error) => error.exit_code(),
            Self::NotWritten(_) | Self::Stdout(_) => 5,
            Self::NotComparable(_) | Self::MixedRuns(_) => 6,
            Self::Input { .. } | Self::Flags { .. } => 2,
            // Not 3, which is a regression.
            Self::Render(RenderError::NoSuchAdapter { .. })
            | Self::Run(RunError::Render(RenderError::NoSuchAdapter { .. })) => 2,
            Self::Render(error) | Self::Run(RunError::Render(error)) if error.exit_code() == 2 => 2,
            Self::RunFailed { status, .. } if status.code() == Some(2) => 2,
            _ => 1,
        }
    }
}
