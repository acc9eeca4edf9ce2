//! Failure: why the program could not do what was asked, and how it says so to its caller.

use std::io;
use std::process::ExitCode;

#[cfg(feature = "benchmark")]
use super::BenchError;
#[cfg(feature = "record")]
use super::RecordError;
use crate::ecs;
use crate::output::OutputError;
#[cfg(feature = "render")]
use crate::render::RenderError;
use crate::scenes::SceneError;
use crate::sim::LoadError;

/// Why the program ends without having done what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The simulation could not be made or run.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// A scene file is wrong.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Threads could not be started.
    #[error("the threads for the simulation cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Nothing can be drawn.
    #[cfg(feature = "render")]
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A saved simulation cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A benchmark failed.
    #[cfg(feature = "benchmark")]
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// A moving picture cannot be recorded.
    #[cfg(feature = "record")]
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

impl Failure {
    /// The exit code of the process, as `cubefall --help` lists them.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            #[cfg(feature = "render")]
            Self::Render(error) => error.exit_code(),
            #[cfg(feature = "benchmark")]
            Self::Bench(error) => error.exit_code(),
            #[cfg(feature = "record")]
            Self::Record(error) => error.exit_code(),
            Self::Load(_) | Self::Scene(_) => 2,
            Self::Output(_) | Self::Stdout(_) => 5,
            _ => 1,
        })
    }
}
