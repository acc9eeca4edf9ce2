//! Targets: the texture a frame is drawn onto, and its pixels read back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Gpu, Image, RenderError, Size};

const BYTES_PER_PIXEL: u32 = 4;

/// A texture view to draw onto, of the format the renderer was made for.
#[derive(Clone, Copy, Debug)]
pub struct RenderTarget<'a> {
    /// The color attachment.
    pub view: &'a wgpu::TextureView,
    /// Size of the texture.
    pub size: Size,
}

/// A texture to draw onto without a window, and to read back.
#[derive(Debug)]
pub struct OffscreenTarget {
    size: Size,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl OffscreenTarget {
    /// Texture format, for [`Renderer::new`](super::Renderer::new).
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// Allocates the texture.
    ///
    /// # Errors
    /// `size` exceeds the device's largest texture, or its memory is exhausted.
    pub fn new(gpu: &Gpu, size: Size) -> Result<Self, RenderError> {
        check_size(size, gpu.limits.max_texture_dimension_2d)?;
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("image"),
            size: size.extent(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { size, texture, view })
    }

    /// Size in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What to draw onto.
    pub fn target(&self) -> RenderTarget<'_> {
        RenderTarget { view: &self.view, size: self.size }
    }

    /// Reads the pixels back. Waits until the GPU has finished all submitted work. Not for pages, which cannot wait: there,
    /// [start](Self::start_reading) and finish later.
    ///
    /// # Errors
    /// The device failed or was lost, or memory does not suffice.
    pub fn read(&self, gpu: &Gpu) -> Result<Image, RenderError> {
        let readback = self.start_reading(gpu)?;
        gpu.wait()?;
        readback.finish(gpu)
    }

    /// Starts to read the pixels back.
    ///
    /// # Errors
    /// The memory of the device is exhausted. Other failures are returned by [`Readback::finish`].
    pub fn start_reading(&self, gpu: &Gpu) -> Result<Readback, RenderError> {
        let size = self.size;
        let row = size.width() * BYTES_PER_PIXEL;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: Some("image readback"),
            size: u64::from(padded_row) * u64::from(size.height()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        })?;
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("image readback"),
        });
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row),
                    rows_per_image: None,
                },
            },
            size.extent(),
        );
        gpu.queue.submit([encoder.finish()]);
        let done = Arc::new(AtomicBool::new(false));
        let mapped = Arc::clone(&done);
        // If mapping fails, there is no mapped range.
        buffer.map_async(wgpu::MapMode::Read, .., move |_| mapped.store(true, Ordering::Release));
        Ok(Readback { size, padded_row, buffer, done })
    }
}

/// An image on its way from the GPU.
#[derive(Debug)]
pub struct Readback {
    size: Size,
    /// Bytes of a row in the buffer.
    padded_row: u32,
    buffer: wgpu::Buffer,
    /// The buffer is mapped, or cannot be.
    done: Arc<AtomicBool>,
}

impl Readback {
    /// Returns `true` if the image has arrived, or never will: [`finish`](Self::finish) tells.
    ///
    /// [`Gpu::check`] lets it arrive.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// Returns the image.
    ///
    /// # Errors
    /// The image has not arrived, the device failed or was lost, or memory does not suffice.
    pub fn finish(self, gpu: &Gpu) -> Result<Image, RenderError> {
        let image = self.pixels();
        // A lost device may return pixels all the same, and a loss explains a failed readback.
        gpu.check()?;
        image
    }

    fn pixels(&self) -> Result<Image, RenderError> {
        let size = self.size;
        let row = size.width() as usize * BYTES_PER_PIXEL as usize;
        let bytes = self.buffer.get_mapped_range(..)?;
        let mut rgba = Vec::new();
        rgba.try_reserve_exact(row * size.height() as usize).map_err(|error| {
            RenderError::NotAllocated {
                what: format!("image of {size} pixels"),
                why: error.to_string(),
            }
        })?;
        for padded in bytes.chunks_exact(self.padded_row as usize) {
            rgba.extend_from_slice(&padded[..row]);
        }
        Ok(Image::new(size, rgba))
    }
}

fn check_size(size: Size, largest: u32) -> Result<(), RenderError> {
    let fits = size.width().max(size.height()) <= largest;
    fits.then_some(()).ok_or(RenderError::TooLarge { requested: size, largest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_above_the_texture_limit_is_refused_with_the_limit() {
        let size = |width, height| Size::new(width, height).unwrap();
        check_size(size(8192, 8192), 8192).unwrap();
        for size in [size(8193, 1), size(1, 8193)] {
            let refused = check_size(size, 8192).unwrap_err().to_string();
            let expected = format!(
                "an image of {size} pixels exceeds this graphics adapter's limit of 8192 pixels per edge"
            );
            assert_eq!(refused, expected);
        }
    }
}
