//! APNG: lossless animations with exact frame times.

use std::io::{self, Write};

use super::frames::{Frames, RecordSettings};
use crate::render::{png_encoder, png_error};

/// Writes all frames.
pub(super) fn encode(
    settings: RecordSettings,
    frames: Frames,
    to: &mut dyn Write,
) -> io::Result<()> {
    let RecordSettings { size, frames: count, fps } = settings;
    let mut encoder = png_encoder(to, size);
    // Zero plays means: repeat forever.
    encoder.set_animated(count, 0)?;
    let (rate, seconds) = fps.fraction();
    encoder.set_frame_delay(seconds, rate)?;
    let mut writer = encoder.write_header().map_err(png_error)?;
    for image in frames {
        writer.write_image_data(image?.rgba()).map_err(png_error)?;
    }
    writer.finish().map_err(png_error)
}
