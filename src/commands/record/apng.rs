//! APNG encoder: lossless animations with exact frame times.

use std::io::{self, Write};
use std::path::Path;

use super::RecordError;
use super::frame_sink::{FrameSink, Frames, RecordSettings};
use crate::output::OutputFile;

pub(super) struct ApngEncoder {
    file: OutputFile,
    settings: RecordSettings,
}

impl ApngEncoder {
    pub(super) fn new(path: &Path, settings: RecordSettings) -> Result<Self, RecordError> {
        Ok(Self { file: OutputFile::create(path)?, settings })
    }

    fn encode(&self, frames: Frames, to: &mut dyn Write) -> io::Result<()> {
        let RecordSettings { size, frames: count, fps } = self.settings;
        let mut encoder = png::Encoder::new(to, size.width(), size.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        // Zero plays means: repeat forever.
        encoder.set_animated(count, 0)?;
        encoder.set_frame_delay(1, fps)?;
        let mut writer = encoder.write_header()?;
        for image in frames {
            writer.write_image_data(image?.rgba())?;
        }
        Ok(writer.finish()?)
    }
}

impl FrameSink for ApngEncoder {
    fn write(&self, frames: Frames) -> Result<(), RecordError> {
        Ok(self.file.write(|to| self.encode(frames, to))?)
    }
}
