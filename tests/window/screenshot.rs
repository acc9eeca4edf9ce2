//! The content of the screen, and comparisons of it.

use std::collections::HashSet;

use super::png;

/// Pixels of the screen.
pub(crate) struct Screenshot {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Screenshot {
    /// Decodes a PNG without transparency.
    pub(crate) fn read(file: Vec<u8>) -> Self {
        let (color_type, width, frames) = png::decode(file);
        assert_eq!(color_type, ::png::ColorType::Rgb);
        Self { width: width as usize, pixels: frames[0].1.as_chunks().0.to_vec() }
    }

    pub(crate) fn colors(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }

    /// Returns the share of the pixels that are not black here and differ there.
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        let pairs = self.pixels.iter().zip(&other.pixels);
        let different = pairs.filter(|(a, b)| a != b).count();
        let lit = self.pixels.iter().filter(|pixel| **pixel != [0; 3]).count();
        different as f64 / lit.max(1) as f64
    }

    /// Iterates over the rows of pixels.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[[u8; 3]]> {
        self.pixels.chunks(self.width)
    }

    /// Returns whether no pixel at the edges is black.
    pub(crate) fn covers_screen(&self) -> bool {
        let ends = self.rows().flat_map(|row| [row.first(), row.last()]).flatten();
        let across = self.rows().next().into_iter().chain(self.rows().last()).flatten();
        across.chain(ends).all(|pixel| *pixel != [0; 3])
    }

    /// Returns whether a frame of this size fills the upper left corner of a black screen.
    pub(crate) fn covers(&self, width: usize, height: usize) -> bool {
        let is_lit = |x: usize, y: usize| self.pixels[y * self.width + x] != [0; 3];
        is_lit(width - 2, height - 2)
            && !is_lit(width + 2, height - 2)
            && !is_lit(width - 2, height + 2)
    }
}
