//! Record error: why a recording failed.

use std::io;

use crate::cli::{FrameRate, GIF_MAX_FPS, VideoContainer};
use crate::error_text;
use crate::output::OutputError;

/// How to install ffmpeg.
const INSTALL_FFMPEG: &str = if cfg!(target_os = "linux") {
    "install the package ffmpeg (Debian, Ubuntu, Arch; ffmpeg-free on Fedora)"
} else if cfg!(target_os = "macos") {
    "install it, such as with `brew install ffmpeg`"
} else {
    "install it from ffmpeg.org, so that the PATH has its folder"
};

/// Why a recording failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// ffmpeg is not installed.
    #[error(
        ".{} requires ffmpeg, which is not installed: {INSTALL_FFMPEG}, or record to .gif, .png or a folder/",
        .0.name()
    )]
    NoFfmpeg(VideoContainer),
    /// ffmpeg has no encoder for the container.
    #[error(
        "this ffmpeg has no encoder for .{} (expected one of {encoders}); record to .{}, .gif, .png or \
         a folder/",
        container.name(),
        match container { VideoContainer::Mp4 => "webm", VideoContainer::Webm => "mp4" }
    )]
    NoEncoder {
        /// The video container.
        container: VideoContainer,
        /// Supported encoders.
        encoders: String,
    },
    /// ffmpeg failed.
    #[error("ffmpeg failed: {0}")]
    Ffmpeg(String),
    /// The frame rate is too high for a GIF.
    #[error(
        "a GIF has at most {GIF_MAX_FPS} frames per second, not {0}; leave out --fps, or record to .png"
    )]
    TooFastForGif(FrameRate),
    /// ffmpeg cannot be started, or takes no more frames.
    #[error("cannot run ffmpeg: {}", error_text::io(.0))]
    Pipe(io::Error),
    /// The thread that writes frames cannot be started.
    #[error("cannot start a thread: {}", error_text::io(.0))]
    Thread(io::Error),
    /// The handler of signals cannot be installed.
    #[error("cannot listen for Ctrl-C and other signals: {}", error_text::io(.0))]
    Signal(io::Error),
}

impl RecordError {
    /// Exit code of the process, as listed by `cubefall record --help`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output(_) => 5,
            Self::TooFastForGif(_) => 2,
            _ => 1,
        }
    }
}
