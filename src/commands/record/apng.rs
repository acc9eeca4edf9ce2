//! Animated PNG: exact colours and exact times.

use std::io::{self, Write};
use std::path::Path;

use super::{Format, Frames, RecordError, Reel};
use crate::output::OutputFile;

pub(super) struct Apng {
    file: OutputFile,
    reel: Reel,
}

impl Apng {
    pub(super) fn new(path: &Path, reel: Reel) -> Result<Self, RecordError> {
        Ok(Self { file: OutputFile::create(path)?, reel })
    }

    fn encode(&self, frames: Frames, to: &mut dyn Write) -> io::Result<()> {
        let Reel { size, frames: count, fps } = self.reel;
        let mut encoder = png::Encoder::new(to, size.width(), size.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        // Shown again and again.
        encoder.set_animated(count, 0)?;
        encoder.set_frame_delay(1, fps)?;
        let mut writer = encoder.write_header()?;
        for image in frames {
            writer.write_image_data(image?.rgba())?;
        }
        Ok(writer.finish()?)
    }
}

impl Format for Apng {
    fn keep(&self, frames: Frames) -> Result<(), RecordError> {
        Ok(self.file.write(|to| self.encode(frames, to))?)
    }
}
