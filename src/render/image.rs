//! Image: a finished picture.

use std::io::{self, Write};

use super::Size;

/// A picture in memory: sRGB-encoded red, green, blue and alpha, 8 bits each, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    size: Size,
    rgba: Vec<u8>,
}

impl Image {
    /// `rgba` holds four bytes to a pixel, without padding between rows.
    pub(super) fn new(size: Size, rgba: Vec<u8>) -> Self {
        debug_assert_eq!(rgba.len(), size.width() as usize * size.height() as usize * 4);
        Self { size, rgba }
    }

    /// In pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Four bytes to a pixel, rows from the top.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Red, green and blue of one pixel; `None` outside of the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let inside = x < self.size.width() && y < self.size.height();
        let at = (y as usize * self.size.width() as usize + x as usize) * 4;
        inside.then(|| [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]])
    }

    /// Writes the image as PNG.
    ///
    /// # Errors
    /// It cannot be written to `to`.
    pub fn write_png(&self, to: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(to, self.size.width(), self.size.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_image_reads_back_the_same() {
        let image = Image::new(Size::new(3, 2).unwrap(), (0..24).collect());
        let mut file = Vec::new();
        image.write_png(&mut file).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image.rgba());
        assert_eq!(image.pixel(2, 1), Some([20, 21, 22]));
        assert_eq!(image.pixel(3, 1), None);
    }
}
