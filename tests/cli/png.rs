//! Decoding of PNG files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Delay in seconds, as a fraction, and RGBA pixels of a frame. A still image has no delay.
pub(crate) type Frame = (Option<(u16, u16)>, Vec<u8>);

/// Decodes all frames of a PNG file, one for a still image.
pub(crate) fn read(path: &Path) -> Vec<Frame> {
    let mut reader =
        ::png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let count = reader.info().animation_control().map_or(1, |animation| animation.num_frames);
    assert_eq!(reader.info().color_type, ::png::ColorType::Rgba);
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let delay = reader.info().frame_control().map(|frame| (frame.delay_num, frame.delay_den));
        frames.push((delay, pixels));
    }
    frames
}
