//! Size of a frame or an image.

use std::fmt;
use std::str::FromStr;

/// Width and height in physical pixels, each from 1 to [`Size::LARGEST`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// Longest edge. Desktop GPUs support at least half of it.
    pub const LARGEST: u32 = 16_384;

    /// Returns `None` if an edge is 0 or above [`Size::LARGEST`].
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let valid = |edge| (1..=Self::LARGEST).contains(&edge);
        (valid(width) && valid(height)).then_some(Self { width, height })
    }

    /// Number of pixels.
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Width in pixels.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Aspect ratio: width divided by height.
    pub fn aspect(self) -> f32 {
        self.width as f32 / self.height as f32
    }

    /// Returns the largest size of about this shape that `fits`, or the smallest.
    #[must_use]
    pub fn largest_that(self, fits: impl Fn(Self) -> bool) -> Self {
        let longer = self.width.max(self.height);
        let scaled = |edge: u32| {
            let scale =
                |of: u32| (u64::from(of) * u64::from(edge) / u64::from(longer)).max(1) as u32;
            Self { width: scale(self.width), height: scale(self.height) }
        };
        let (mut least, mut most) = (1, longer);
        while least < most {
            let middle = (least + most).div_ceil(2);
            if fits(scaled(middle)) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        scaled(least)
    }

    /// Returns this size with no edge above `largest`, which is at least 1.
    pub(super) fn clamped(self, largest: u32) -> Self {
        Self { width: self.width.min(largest), height: self.height.min(largest) }
    }

    /// Returns half the size, rounded up.
    pub(super) fn halved(self) -> Self {
        Self { width: self.width.div_ceil(2), height: self.height.div_ceil(2) }
    }

    pub(super) fn extent(self) -> wgpu::Extent3d {
        wgpu::Extent3d { width: self.width, height: self.height, depth_or_array_layers: 1 }
    }
}

impl Default for Size {
    /// 1280x720.
    fn default() -> Self {
        Self { width: 1280, height: 720 }
    }
}

/// Prints `1280x720`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The text is no [`Size`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a size is WIDTHxHEIGHT in pixels, each from 1 to {}, such as {}",
    Size::LARGEST,
    Size::default()
)]
pub struct InvalidSize;

/// Parses `1280x720`.
impl FromStr for Size {
    type Err = InvalidSize;

    fn from_str(text: &str) -> Result<Self, InvalidSize> {
        let edges = text.split_once(['x', 'X']);
        edges
            .and_then(|(width, height)| Self::new(width.parse().ok()?, height.parse().ok()?))
            .ok_or(InvalidSize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_size_that_fits_has_the_same_shape() {
        let size = Size::new(1600, 900).unwrap();
        let within = |pixels: u32| size.largest_that(|size| size.width * size.height <= pixels);
        assert_eq!(within(u32::MAX), size);
        assert_eq!(within(1600 * 900 - 1).to_string(), "1599x899");
        assert_eq!(within(160 * 90).to_string(), "160x90");
        assert_eq!(within(0).to_string(), "1x1");
        let line = Size::new(16384, 1).unwrap();
        assert_eq!(line.largest_that(|size| size.width <= 5).to_string(), "5x1");
    }

    #[test]
    fn a_printed_size_parses_and_invalid_sizes_do_not() {
        let size: Size = "640x360".parse().unwrap();
        assert_eq!((size.width(), size.height(), size.to_string().as_str()), (640, 360, "640x360"));
        for invalid in
            ["", "640", "640x", "0x1", "1x0", "-1x5", "16385x10", "1x2x3", "99999999999x1"]
        {
            assert_eq!(invalid.parse::<Size>(), Err(InvalidSize), "{invalid}");
        }
    }
}
