//! Main memory that drawing needs: that of buffers and textures too, where CPU and GPU share it.
//!
//! Resident memory of `cubefall` with lavapipe: 16 bytes per pixel of a PNG without antialiasing and 44
//! with it, which the formulas make 20 and 48; 36 bytes per cube of one frame, and 83 of a video, if its
//! buffers are full. The formulas add the quarter of a buffer that may be unused.

use super::adapter::shares_memory;
use super::instance_buffer::MAX_SLOTS;
use super::scene_shader::post_effects;
use super::{Effects, Gpu, Size, Streaming, attachments, evaluated, post, shadow_map};
use crate::components::{Color, Position, Rotation, Scale};

/// Bytes of a pixel of color, and of depth.
const BYTES_PER_SAMPLE: u64 = 4;

/// Bytes of a cube in all instance buffers, with its index in the list of visible cubes.
const BYTES_PER_CUBE: u64 = (size_of::<Position>()
    + size_of::<Rotation>()
    + size_of::<Scale>()
    + size_of::<Color>()
    + size_of::<u32>()) as u64;

/// How many frames exist at a time, and whether images of them are read back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FramesInFlight {
    /// A single image that is not read back, as in a window. The cubes of a window need the memory of [`Many`](Self::Many).
    Shown,
    /// A single one that is read back, as for an image.
    One,
    /// The next is prepared while the GPU draws others, as in a window, and an encoder reads images, as for a video.
    Many,
}

impl FramesInFlight {
    /// Copies of the instance buffers.
    fn buffers(self) -> u64 {
        match self {
            Self::Shown | Self::One => 1,
            Self::Many => MAX_SLOTS as u64,
        }
    }

    /// Images for reading back: the buffer of the GPU, and for each frame the image and its encoded form.
    fn images(self) -> u64 {
        if self == Self::Shown { 0 } else { 1 + 2 * self.buffers() }
    }
}

impl Gpu {
    /// Returns the main memory of a drawn cube, in bytes, whether its motion is integrated or evaluated.
    pub fn memory_per_cube(&self, frames: FramesInFlight) -> u64 {
        // Staged uploads have the copies in staging buffers.
        let is_shared = shares_memory(&self.info);
        let staged = is_shared && self.streaming() == Streaming::Staged;
        let integrated =
            allocated(BYTES_PER_CUBE) * frames.buffers() + BYTES_PER_CUBE * u64::from(staged);
        // All frames share one copy.
        let evaluated = if is_shared { allocated(evaluated::BYTES_PER_CUBE) } else { 0 };
        integrated.max(evaluated)
    }

    /// Returns the main memory of drawing images of a size and, unless they are only shown, of reading them back, in bytes.
    pub fn memory_of_images(&self, size: Size, effects: Effects, frames: FramesInFlight) -> u64 {
        image_bytes(size, effects, frames, shares_memory(&self.info))
    }
}

/// Returns the largest memory of a buffer with so many bytes in use: a quarter more.
fn allocated(bytes: u64) -> u64 {
    bytes + bytes / 4
}

fn image_bytes(size: Size, effects: Effects, frames: FramesInFlight, shared: bool) -> u64 {
    let pixels = size.pixels();
    let readback = frames.images();
    let (textures, shadow_map, post) = if shared {
        let samples = u64::from(attachments::samples(effects));
        let multisampled = if effects.msaa { samples } else { 0 };
        let shadow_map = if effects.shadows { shadow_map::TEXELS } else { 0 };
        let post = if post_effects(effects) { post::BYTES_PER_PIXEL } else { 0 };
        (1 + samples + multisampled, shadow_map, post)
    } else {
        (0, 0, 0)
    };
    ((textures + readback) * pixels + shadow_map) * BYTES_PER_SAMPLE + post * pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Quality;

    #[test]
    fn images_need_more_than_was_measured_and_less_than_half_more() {
        let size = Size::new(4096, 4096).unwrap();
        // Peaks of `render`, without the 123 MiB of a tiny image.
        for (quality, measured) in
            [(Quality::Low, 259), (Quality::Medium, 713), (Quality::High, 730)]
        {
            let bytes = image_bytes(size, quality.effects(), FramesInFlight::One, true);
            let measured = measured << 20;
            assert!((measured..measured * 3 / 2).contains(&bytes), "{quality}: {bytes}");
        }
    }

    #[test]
    fn a_gpu_with_its_own_memory_needs_main_memory_for_images_only() {
        let size = Size::new(100, 10).unwrap();
        let bytes = |quality: Quality, frames| image_bytes(size, quality.effects(), frames, false);
        assert_eq!(bytes(Quality::Low, FramesInFlight::One), 1000 * 3 * 4);
        assert_eq!(bytes(Quality::High, FramesInFlight::One), 1000 * 3 * 4);
        assert!(bytes(Quality::High, FramesInFlight::Many) > 1000 * 3 * 4);
        assert_eq!(bytes(Quality::High, FramesInFlight::Shown), 0);
    }
}
