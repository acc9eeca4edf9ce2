//! Images: pixels in memory, and PNG files.

use std::fmt;
use std::io::{self, Write};

use super::Size;

/// An image in memory: sRGB with alpha, 8 bits per channel, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    size: Size,
    rgba: Vec<u8>,
}

/// Prints the size.
impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Image {
    /// `rgba` has four bytes per pixel, without padding between rows.
    pub(super) fn new(size: Size, rgba: Vec<u8>) -> Self {
        debug_assert_eq!(rgba.len(), size.width() as usize * size.height() as usize * 4);
        Self { size, rgba }
    }

    /// Size in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Four bytes per pixel, rows from the top.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Writes the image as PNG.
    ///
    /// # Errors
    /// Returns the errors of `writer`.
    pub fn write_png(&self, writer: impl Write) -> io::Result<()> {
        let write = || {
            let mut writer = png_encoder(writer, self.size).write_header()?;
            writer.write_image_data(&self.rgba)?;
            writer.finish()
        };
        write().map_err(png_error)
    }
}

/// Returns an encoder for PNG files and animations with the pixels of images.
pub(crate) fn png_encoder<W: Write>(writer: W, size: Size) -> png::Encoder<'static, W> {
    let mut encoder = png::Encoder::new(writer, size.width(), size.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    // Several times as fast as the default, for files that are a third larger.
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
}

/// Returns the error of the system, whose number the encoder would put into a text.
pub(crate) fn png_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_png_decodes_to_the_same_pixels() {
        let image = Image::new(Size::new(3, 2).unwrap(), (0..24).collect());
        let mut file = Vec::new();
        image.write_png(&mut file).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image.rgba());
    }
}
