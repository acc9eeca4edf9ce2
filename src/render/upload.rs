//! Uploads through staging buffers.

use super::{Gpu, RenderError};

/// Size of a staging buffer, in bytes; larger copies get a buffer of their own size.
const STAGING_SIZE: u64 = 1 << 20;

const ALIGNMENT: wgpu::BufferSize = wgpu::BufferSize::new(wgpu::COPY_BUFFER_ALIGNMENT).unwrap();

/// Copies of one frame. Staging buffers are reused once the GPU has read them.
pub(super) struct Upload {
    belt: wgpu::util::StagingBelt,
    encoder: Option<wgpu::CommandEncoder>,
}

impl Upload {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let belt = wgpu::util::StagingBelt::new(gpu.device.clone(), STAGING_SIZE);
        Self { belt, encoder: None }
    }

    /// Copies `bytes`, a multiple of four, to an offset of a buffer.
    pub(super) fn copy(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), RenderError> {
        let Some(size) = wgpu::BufferSize::new(bytes.len() as u64) else { return Ok(()) };
        // `StagingBelt::write_buffer` panics without memory or on a lost device.
        let staging = self.belt.allocate(size, ALIGNMENT);
        let mapped = staging.get_mapped_range_mut();
        mapped.map_err(|error| gpu.failure(&error.to_string()))?.copy_from_slice(bytes);
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("upload") };
        let encoder =
            self.encoder.get_or_insert_with(|| gpu.device.create_command_encoder(&descriptor));
        let (from, at) = (staging.buffer(), staging.offset());
        encoder.copy_buffer_to_buffer(from, at, buffer, offset, size.get());
        Ok(())
    }

    /// Returns the copies recorded since the last call.
    pub(super) fn finish(&mut self) -> Option<wgpu::CommandBuffer> {
        let encoder = self.encoder.take()?;
        self.belt.finish_and_recall_on_submit(&encoder);
        Some(encoder.finish())
    }
}
