//! Offscreen target: a picture that needs no window.

use super::{Gpu, Image, RenderError, Size, capture};

/// A texture to draw on and read back.
pub struct OffscreenTarget {
    size: Size,
    color: wgpu::Texture,
    view: wgpu::TextureView,
}

impl OffscreenTarget {
    /// What [`Renderer::new`](super::Renderer::new) is given for this target.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// A target of a size.
    ///
    /// # Errors
    /// It is larger than the device can draw on, or than its memory.
    pub fn new(gpu: &Gpu, size: Size) -> Result<Self, RenderError> {
        let largest = gpu.device.limits().max_texture_dimension_2d;
        if size.width().max(size.height()) > largest {
            return Err(RenderError::TooLarge { asked: size, largest });
        }
        let color = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: size.extent(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Self::FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })?;
        let view = color.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { size, color, view })
    }

    /// In pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What [`Renderer::encode`](super::Renderer::encode) draws on.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Reads back what was drawn by all that was submitted; waits for the GPU.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub fn read(&self, gpu: &Gpu) -> Result<Image, RenderError> {
        let image = capture::read(gpu, &self.color, self.size);
        // What a lost device hands out is no picture, and why it could not be read is not why.
        gpu.check()?;
        image
    }
}
