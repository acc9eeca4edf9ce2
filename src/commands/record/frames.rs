//! Frames: the queue between the renderer and the encoder of a recording.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::cli::FrameRate;
use crate::render::{Image, Size};

/// Frames in the queue at most: enough that renderer and encoder do not wait for each other.
const QUEUE_LENGTH: usize = 2;

/// Settings of a recording.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordSettings {
    pub(super) size: Size,
    /// Number of frames.
    pub(super) frames: u32,
    /// Frames per second.
    pub(super) fps: FrameRate,
}

impl RecordSettings {
    /// Returns the size of all frames as PNG at the highest compression ratio, 1032 to 1.
    pub(super) fn least_png_bytes(self) -> u64 {
        self.pixels() * 4 / 1032
    }

    /// Returns the size of all frames as GIF at the highest compression ratio.
    pub(super) fn least_gif_bytes(self) -> u64 {
        self.pixels() / 1400
    }

    fn pixels(self) -> u64 {
        self.size.pixels() * u64::from(self.frames)
    }
}

/// The frames of a recording, in order. Yields an error if rendering ends early.
pub(super) struct Frames {
    queue: Receiver<Image>,
    left: u32,
}

impl Frames {
    /// Returns both ends of the queue.
    pub(super) fn queue(settings: RecordSettings) -> (SyncSender<Image>, Self) {
        let (sender, queue) = sync_channel(QUEUE_LENGTH);
        (sender, Self { queue, left: settings.frames })
    }
}

impl Iterator for Frames {
    type Item = io::Result<Image>;

    fn next(&mut self) -> Option<io::Result<Image>> {
        self.left = self.left.checked_sub(1)?;
        let ended_early = |_| io::Error::other("rendering ended early");
        Some(self.queue.recv().map_err(ended_early))
    }
}
