//! Upload: the copies that bring a frame's data from staging memory to the GPU.

use super::{Gpu, RenderError};

/// Smallest staging buffer, in bytes; a larger piece gets one of its own size.
const STAGING: u64 = 1 << 20;

/// Of what is copied.
const ALIGNMENT: wgpu::BufferSize = wgpu::BufferSize::new(wgpu::COPY_BUFFER_ALIGNMENT).unwrap();

/// Copies of one frame, recorded until they are submitted with it; the staging buffers come back
/// when the GPU has read them.
pub(super) struct Upload {
    belt: wgpu::util::StagingBelt,
    encoder: Option<wgpu::CommandEncoder>,
    device: wgpu::Device,
}

impl Upload {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self {
            belt: wgpu::util::StagingBelt::new(gpu.device.clone(), STAGING),
            encoder: None,
            device: gpu.device.clone(),
        }
    }

    /// Copies bytes, a multiple of four, to an offset of a buffer.
    pub(super) fn copy(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), RenderError> {
        let Some(size) = wgpu::BufferSize::new(bytes.len() as u64) else { return Ok(()) };
        // `StagingBelt::write_buffer` would panic where there is no memory or the device was lost.
        let staging = self.belt.allocate(size, ALIGNMENT);
        let mapped = staging.get_mapped_range_mut();
        mapped.map_err(|error| gpu.failure(&error.to_string()))?.copy_from_slice(bytes);
        let encoder = self.encoder.get_or_insert_with(|| {
            self.device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("upload") })
        });
        let (from, at) = (staging.buffer(), staging.offset());
        encoder.copy_buffer_to_buffer(from, at, buffer, offset, size.get());
        Ok(())
    }

    /// The copies recorded since the last call, to be submitted before what reads their results.
    pub(super) fn finish(&mut self) -> Option<wgpu::CommandBuffer> {
        let encoder = self.encoder.take()?;
        self.belt.finish_and_recall_on_submit(&encoder);
        Some(encoder.finish())
    }
}
