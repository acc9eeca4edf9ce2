//! Error: what keeps the window from opening or ends it.

use crate::render::RenderError;
use crate::{benchmark, ecs, output, render, sim};

/// Why there is no window, or no longer one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// There is no display to open a window on.
    #[error("no window can be opened: {0}; `cubefall render` draws a picture without a display")]
    NoDisplay(String),
    /// The window could not be opened, or the window system failed.
    #[error("the window system failed: {0}")]
    Window(String),
    /// Nothing can be drawn.
    #[error(transparent)]
    Render(#[from] render::RenderError),
    /// A benchmark run failed.
    #[error(transparent)]
    Run(#[from] benchmark::RunError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] output::OutputError),
    /// The simulation could not be made or run.
    #[error("the simulation cannot run: {0}")]
    Simulation(#[from] ecs::Error),
    /// A scene file cannot be read or written.
    #[error(transparent)]
    Scene(#[from] crate::scenes::SceneError),
    /// A saved simulation cannot be loaded.
    #[error(transparent)]
    Load(#[from] sim::LoadError),
}

impl AppError {
    /// Whether the program can go on as if it had not been asked for what failed.
    pub(super) fn is_recoverable(&self) -> bool {
        match self {
            Self::Output(_)
            | Self::Load(_)
            | Self::Scene(_)
            | Self::Simulation(ecs::Error::OutOfMemory { .. } | ecs::Error::EntityLimit { .. }) => {
                true
            }
            Self::Render(error) => matches!(
                error,
                RenderError::TooManyCubes { .. }
                    | RenderError::NotAllocated { .. }
                    | RenderError::TooLarge { .. }
                    | RenderError::NoSuchPresentMode { .. }
            ),
            _ => false,
        }
    }

    /// The exit code of the process, as `cubefall --help` lists them.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Load(_) => 2,
            Self::NoDisplay(_) => 3,
            Self::Render(error) => error.exit_code(),
            _ => 1,
        }
    }
}
