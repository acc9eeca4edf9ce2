//! Screenshot: what is on the screen, and how it differs from what was.

use std::collections::HashSet;
use std::io::Cursor;

/// Pixels of the screen.
pub(crate) struct Screenshot {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Screenshot {
    /// Of a PNG without transparency.
    pub(crate) fn read(png: Vec<u8>) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Self { width: info.width as usize, pixels: bytes.as_chunks().0.to_vec() }
    }

    pub(crate) fn colors(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }

    /// Share of what is not black here that is different there.
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        let pairs = self.pixels.iter().zip(&other.pixels);
        let different = pairs.filter(|(a, b)| a != b).count();
        let lit = self.pixels.iter().filter(|pixel| **pixel != [0; 3]).count();
        different as f64 / lit.max(1) as f64
    }

    /// One row of pixels after the other.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[[u8; 3]]> {
        self.pixels.chunks(self.width)
    }

    /// Whether it is black nowhere at its edges.
    pub(crate) fn is_lit_all_over(&self) -> bool {
        let ends = self.rows().flat_map(|row| [row.first(), row.last()]).flatten();
        let across = self.rows().next().into_iter().chain(self.rows().last()).flatten();
        across.chain(ends).all(|pixel| *pixel != [0; 3])
    }

    /// Whether this is a picture of that size in the corner of the screen: right of and below it
    /// the screen is black; the sky is not.
    pub(crate) fn covers(&self, width: usize, height: usize) -> bool {
        let is_lit = |x: usize, y: usize| self.pixels[y * self.width + x] != [0; 3];
        is_lit(width - 2, height - 2)
            && !is_lit(width + 2, height - 2)
            && !is_lit(width - 2, height + 2)
    }
}
