//! Capture: a picture read back from the GPU.

use std::sync::mpsc;

use super::{Gpu, Image, RenderError, Size};

const BYTES_PER_PIXEL: u32 = 4;

/// Reads a texture of `OffscreenTarget::FORMAT` back, after all work submitted so far; waits for
/// it.
pub(super) fn read(gpu: &Gpu, texture: &wgpu::Texture, size: Size) -> Result<Image, RenderError> {
    let row = size.width() * BYTES_PER_PIXEL;
    let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture read back"),
        size: u64::from(padded_row) * u64::from(size.height()),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })?;
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
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

    let (report, mapped) = mpsc::sync_channel(1);
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody listens any more if the wait below failed.
        let _ = report.send(result);
    });
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    mapped.try_recv().map_err(|_| RenderError::NotReadBack)??;

    let bytes = buffer.get_mapped_range(..).map_err(|_| RenderError::NotReadBack)?;
    let mut rgba = Vec::new();
    rgba.try_reserve_exact(row as usize * size.height() as usize).map_err(|error| {
        RenderError::NotAllocated {
            what: format!("picture of {size} pixels"),
            why: error.to_string(),
        }
    })?;
    for padded in bytes.chunks_exact(padded_row as usize) {
        rgba.extend_from_slice(&padded[..row as usize]);
    }
    Ok(Image::new(size, rgba))
}
