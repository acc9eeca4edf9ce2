//! Decoding of PNG files, for several test binaries.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use ::png::{ColorType, Decoder};

/// Delay in seconds, as a fraction, and pixels of a frame. A still image has no delay.
pub(crate) type Frame = (Option<(u16, u16)>, Vec<u8>);

/// Reads a PNG file: color type, width, and all frames, one for a still image.
pub(crate) fn read(path: &Path) -> (ColorType, u32, Vec<Frame>) {
    decode(fs::read(path).unwrap())
}

/// Decodes the bytes of a PNG file, like [`read`].
pub(crate) fn decode(file: Vec<u8>) -> (ColorType, u32, Vec<Frame>) {
    let mut reader = Decoder::new(Cursor::new(file)).read_info().unwrap();
    let count = reader.info().animation_control().map_or(1, |animation| animation.num_frames);
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let delay = reader.info().frame_control().map(|frame| (frame.delay_num, frame.delay_den));
        frames.push((delay, pixels));
    }
    (reader.info().color_type, reader.info().width, frames)
}
