//! Frames: the queue between the renderer and the encoder of a recording.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

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
    pub(super) fps: u16,
}

impl RecordSettings {
    /// Returns the number of pixels in all frames.
    pub(super) fn pixels(self) -> u64 {
        let Self { size, frames, .. } = self;
        u64::from(size.width()) * u64::from(size.height()) * u64::from(frames)
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
