//! Error: why nothing is recorded.

use std::io;

use crate::cli::{Container, GIF_FPS};
use crate::output::OutputError;

/// Why nothing is recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Films are made by another program, which is not there.
    #[error(
        ".{} is made by ffmpeg, which is not installed: install the package ffmpeg (Debian, Ubuntu, \
         Arch; ffmpeg-free on Fedora), or record to .gif, to .png (animated) or to a folder/ of \
         pictures",
        .0.name()
    )]
    NoFfmpeg(Container),
    /// That program cannot make this kind.
    #[error(
        "this ffmpeg has no encoder for .{}: it needs one of {wanted}; record to .{}, .gif, .png or a \
         folder/",
        container.name(),
        match container { Container::Mp4 => "webm", Container::Webm => "mp4" }
    )]
    NoEncoder {
        /// The kind of film.
        container: Container,
        /// Encoders that would do.
        wanted: String,
    },
    /// That program failed.
    #[error("ffmpeg failed: {0}")]
    Ffmpeg(String),
    /// A GIF cannot be that fast.
    #[error(
        "a GIF has at most {GIF_FPS} pictures a second, not {0}; leave out --fps, or record to .png"
    )]
    TooFastForGif(u16),
    /// A film cannot be handed over.
    #[error("the pictures cannot be handed to ffmpeg: {0}")]
    Pipe(io::Error),
    /// The process could not arrange to be interrupted.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signal(#[from] ctrlc::Error),
}

impl RecordError {
    /// The exit code of the process, as `cubefall record --help` lists them.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output(_) => 5,
            Self::TooFastForGif(_) => 2,
            _ => 1,
        }
    }
}
