//! Frames: pictures on their way from who draws to who encodes.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::render::{Image, Size};

/// Pictures that wait to be encoded: enough that neither side stands still for the other.
const WAITING: usize = 2;

/// What is recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reel {
    pub(super) size: Size,
    /// How many pictures.
    pub(super) frames: u32,
    /// Pictures a second.
    pub(super) fps: u16,
}

/// The pictures of a reel, in order. One that does not come is an error, so that nobody takes half
/// a reel for a whole one.
pub(super) struct Frames {
    queue: Receiver<Image>,
    left: u32,
}

impl Frames {
    /// Where pictures go in, and where they come out.
    pub(super) fn queue(reel: Reel) -> (SyncSender<Image>, Self) {
        let (sender, queue) = sync_channel(WAITING);
        (sender, Self { queue, left: reel.frames })
    }
}

impl Iterator for Frames {
    type Item = io::Result<Image>;

    fn next(&mut self) -> Option<io::Result<Image>> {
        self.left = self.left.checked_sub(1)?;
        let missing = |_| io::Error::other("not all pictures were drawn");
        Some(self.queue.recv().map_err(missing))
    }
}
