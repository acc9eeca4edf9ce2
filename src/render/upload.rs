//! Upload: the copies that bring a frame's data from staging memory to the GPU.

use super::Gpu;

/// Smallest staging buffer, in bytes; a larger piece gets one of its own size.
const STAGING: u64 = 1 << 20;

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
    pub(super) fn copy(&mut self, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8]) {
        let Some(size) = wgpu::BufferSize::new(bytes.len() as u64) else { return };
        let encoder = self.encoder.get_or_insert_with(|| {
            self.device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("upload") })
        });
        self.belt.write_buffer(encoder, buffer, offset, size).copy_from_slice(bytes);
    }

    /// The copies recorded since the last call, to be submitted before what reads their results.
    pub(super) fn finish(&mut self) -> Option<wgpu::CommandBuffer> {
        let encoder = self.encoder.take()?;
        self.belt.finish_and_recall_on_submit(&encoder);
        Some(encoder.finish())
    }
}
