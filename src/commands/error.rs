//! Command error: why a command failed, and the exit code it ends with.

use std::error::Error;
use std::io;
use std::process::ExitCode;

#[cfg(feature = "benchmark")]
use super::bench::BenchError;
#[cfg(feature = "record")]
use super::record::RecordError;
#[cfg(feature = "app")]
use crate::app::AppError;
use crate::ecs;
use crate::error_text;
use crate::memory::MemoryError;
use crate::output::{OutputError, StdoutError};
#[cfg(feature = "render")]
use crate::render::RenderError;
use crate::scenes::SceneError;
use crate::sim::{InvalidCamera, LoadError};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The simulation cannot be created or stepped.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// Main memory does not suffice.
    #[error("the simulation cannot run: {0}")]
    Memory(#[from] MemoryError),
    /// A scene file is invalid.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The camera of the flags does not fit the scene.
    #[error(transparent)]
    Camera(#[from] InvalidCamera),
    /// The thread pool cannot be started.
    #[error("cannot start the threads of the simulation: {}", reason(.0))]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The graphics adapter or device failed.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(#[from] RenderError),
    /// An image was sent to a terminal.
    #[cfg(feature = "render")]
    #[error(
        "an image cannot be printed to a terminal: redirect standard output, or name a .png file"
    )]
    ImageToTerminal,
    /// A saved simulation cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The window failed.
    #[cfg(feature = "app")]
    #[error(transparent)]
    App(#[from] AppError),
    /// A benchmark failed.
    #[cfg(feature = "benchmark")]
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A recording failed.
    #[cfg(feature = "record")]
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Standard output cannot be written.
    #[error(transparent)]
    Stdout(#[from] StdoutError),
}

impl CommandError {
    /// Exit code of the process, as listed by `cubefall --help`.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            #[cfg(feature = "render")]
            Self::Render(error) => error.exit_code(),
            #[cfg(feature = "app")]
            Self::App(error) => error.exit_code(),
            #[cfg(feature = "benchmark")]
            Self::Bench(error) => error.exit_code(),
            #[cfg(feature = "record")]
            Self::Record(error) => error.exit_code(),
            #[cfg(feature = "render")]
            Self::ImageToTerminal => 2,
            Self::Load(_) | Self::Scene(_) | Self::Camera(_) => 2,
            Self::Output(_) | Self::Stdout(_) => 5,
            _ => 1,
        })
    }
}

/// Returns why threads cannot be started.
fn reason(error: &rayon::ThreadPoolBuildError) -> String {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.map_or_else(|| error.to_string(), error_text::io)
}
