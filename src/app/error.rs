//! Why the window cannot open, closes, or reports a failure.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

#[cfg(not(web))]
use winit::error::EventLoopError;

use crate::memory::MemoryError;
use crate::render::RenderError;
use crate::scenes::SceneError;
use crate::sim::InvalidCamera;
use crate::{benchmark, ecs, error_text, output, sim};

/// A failure of the window.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// There is no display.
    #[error("cannot open a window: {0}")]
    NoDisplay(String),
    /// The window system failed.
    #[error("the window system failed: {0}")]
    Window(String),
    /// A variable of the environment has no use for the window system.
    #[error("cannot open a window: {0}")]
    Variable(String),
    /// The user closed the window before its work was done.
    #[error("the window was closed before the end")]
    Closed,
    /// Signals such as Ctrl-C cannot be received.
    #[error("cannot listen for Ctrl-C and other signals: {}", error_text::io(.0))]
    Signal(io::Error),
    /// The system refuses a thread.
    #[error("cannot start a thread: the system refuses more")]
    NoThread,
    /// The graphics device failed, or cannot do what was asked for.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A benchmark run failed.
    #[error(transparent)]
    Run(#[from] benchmark::RunError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] output::OutputError),
    /// The browser refuses to store or to download a file.
    #[error("the browser refused: {0}")]
    Download(String),
    /// The simulation cannot be created or stepped.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// Main memory does not suffice.
    #[error("the simulation cannot run: {0}")]
    Memory(#[from] MemoryError),
    /// A scene file cannot be read or written.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A saved state cannot be loaded.
    #[error(transparent)]
    Load(#[from] sim::LoadError),
    /// The camera of the flags does not fit the scene.
    #[error(transparent)]
    Camera(#[from] InvalidCamera),
    /// Saved preferences cannot be read, or some of them.
    #[error("the preferences {} {reason}", error_text::path(path))]
    Preferences {
        /// The preferences file.
        path: PathBuf,
        /// What is wrong with it, and where there are defaults.
        reason: String,
    },
}

impl AppError {
    /// Wraps an error of the window library.
    pub(super) fn window(error: impl Display) -> Self {
        Self::Window(error.to_string())
    }

    /// Explains the end of an event loop.
    #[cfg(not(web))]
    pub(super) fn event_loop(error: EventLoopError) -> Self {
        match error {
            EventLoopError::ExitFailure(_) => Self::window("the connection to the display is lost"),
            other => Self::window(other),
        }
    }

    /// Returns whether the program keeps running after it has reported the error.
    pub(super) fn is_recoverable(&self) -> bool {
        match self {
            Self::Output(_)
            | Self::Download(_)
            | Self::Load(_)
            | Self::Scene(_)
            | Self::Memory(_)
            | Self::Preferences { .. } => true,
            Self::Simulation(error) => {
                matches!(error, ecs::Error::OutOfMemory { .. } | ecs::Error::EntityLimit { .. })
            }
            Self::Render(error) => {
                matches!(error, RenderError::TooManyCubes { .. } | RenderError::NotAllocated { .. })
            }
            Self::NoDisplay(_)
            | Self::Window(_)
            | Self::Variable(_)
            | Self::Closed
            | Self::Signal(_)
            | Self::NoThread
            | Self::Camera(_)
            | Self::Run(_) => false,
        }
    }

    /// Returns the exit code of the process, as listed by `cubefall --help`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Load(_) | Self::Camera(_) | Self::Run(benchmark::RunError::Camera(_)) => 2,
            Self::NoDisplay(_) => 3,
            Self::Render(error) => error.exit_code(),
            _ => 1,
        }
    }
}
