//! Uploads through staging buffers.

use super::{Gpu, RenderError};

/// Size of a staging buffer, in bytes; larger copies get a buffer of their own size.
pub(super) const STAGING_SIZE: u64 = 1 << 20;

/// Bytes of staging memory at which an upload to pages, of records or colors, is submitted in parts. Instance buffers are
/// staged whole.
const MAX_STAGED: u64 = 64 << 20;

/// A large copy adds a staging buffer if it is larger than all before. When these buffers together exceed this multiple of the
/// largest, all are replaced.
const MAX_GROWTH: u64 = 4;

/// Bytes that a thread copies at a time.
#[cfg(parallel)]
const CHUNK: usize = 128 << 10;

const ALIGNMENT: wgpu::BufferSize = wgpu::BufferSize::new(wgpu::COPY_BUFFER_ALIGNMENT).unwrap();

/// Copies of one frame. Staging buffers are reused once the GPU has read them.
pub(super) struct Upload {
    belt: wgpu::util::StagingBelt,
    encoder: Option<wgpu::CommandEncoder>,
    /// Bytes in staging memory that have not been submitted.
    staged: u64,
    /// Latest copies that a frame submitted before the others.
    flushed: Option<wgpu::SubmissionIndex>,
    /// Size of the largest copy so far, and of all that were the largest: each of these has a staging buffer.
    largest: u64,
    grown: u64,
}

fn new_encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
    gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") })
}

/// Returns the number of bytes that are copied in less time than it takes to begin another copy.
pub(super) fn largest_gap(gpu: &Gpu) -> usize {
    match gpu.info.backend {
        // A copy is several calls of the driver or of JavaScript.
        wgpu::Backend::Gl | wgpu::Backend::BrowserWebGpu => 16 << 10,
        _ => 0,
    }
}

fn belt(gpu: &Gpu) -> wgpu::util::StagingBelt {
    wgpu::util::StagingBelt::new(gpu.device.clone(), STAGING_SIZE)
}

/// Copies `bytes` to memory of the same size, with the `parallel` feature on the current thread pool: one core
/// alone uses a part of the bandwidth.
pub(super) fn fill(mut memory: wgpu::WriteOnly<'_, [u8]>, bytes: &[u8]) {
    #[cfg(parallel)]
    if bytes.len() >= 2 * CHUNK {
        use rayon::prelude::*;
        let (memory, mut memory_rest) = memory.into_chunks::<CHUNK>();
        let (chunks, rest) = bytes.as_chunks::<CHUNK>();
        let chunks: Vec<_> = memory.into_iter().zip(chunks).collect();
        chunks.into_par_iter().for_each(|(memory, chunk)| {
            wgpu::WriteOnly::<[u8]>::from(memory).copy_from_slice(chunk);
        });
        memory_rest.copy_from_slice(rest);
        return;
    }
    memory.copy_from_slice(bytes);
}

impl Upload {
    pub(super) fn new(gpu: &Gpu) -> Self {
        Self { belt: belt(gpu), encoder: None, staged: 0, flushed: None, largest: 0, grown: 0 }
    }

    /// Copies `bytes`, a multiple of four, to an offset of a buffer.
    pub(super) fn copy(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &[u8],
    ) -> Result<(), RenderError> {
        // WebGPU copies staging memory twice more. The queue writes before all commands that are recorded.
        if gpu.info.backend == wgpu::Backend::BrowserWebGpu && self.encoder.is_none() {
            gpu.queue.write_buffer(buffer, offset, bytes);
            return Ok(());
        }
        self.write(gpu, buffer, offset, bytes.len() as u64, |staged| fill(staged, bytes))
    }

    /// Copies `size` bytes, a multiple of four, to an offset of a buffer. `fill` writes them into staging
    /// memory.
    pub(super) fn write(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        offset: u64,
        size: u64,
        fill: impl FnOnce(wgpu::WriteOnly<'_, [u8]>),
    ) -> Result<(), RenderError> {
        self.write_parts(gpu, size, [(buffer, offset, size)], fill)
    }

    /// Copies `size` bytes, a multiple of four, from one allocation of staging memory. `parts` are buffer, offset
    /// and size of each copy, in order; the sizes sum up to `size`. `fill` writes all of them.
    pub(super) fn write_parts<'a>(
        &mut self,
        gpu: &Gpu,
        size: u64,
        parts: impl IntoIterator<Item = (&'a wgpu::Buffer, u64, u64)>,
        fill: impl FnOnce(wgpu::WriteOnly<'_, [u8]>),
    ) -> Result<(), RenderError> {
        let Some(size) = wgpu::BufferSize::new(size) else { return Ok(()) };
        if size.get() > self.largest.max(STAGING_SIZE) {
            self.largest = size.get();
            self.grown += self.largest;
        }
        // `StagingBelt::write_buffer` panics without memory or on a lost device.
        let staging = self.belt.allocate(size, ALIGNMENT);
        let mapped = staging.get_mapped_range_mut();
        fill(mapped.map_err(|error| gpu.failure(&error.to_string()))?.slice(..));
        let encoder = self.encoder.get_or_insert_with(|| new_encoder(gpu));
        let mut at = staging.offset();
        for (buffer, offset, size) in parts {
            encoder.copy_buffer_to_buffer(staging.buffer(), at, buffer, offset, size);
            at += size;
        }
        self.staged += size.get();
        Ok(())
    }

    /// The encoder of the copies, for commands that run after those recorded so far.
    pub(super) fn encoder(&mut self, gpu: &Gpu) -> &mut wgpu::CommandEncoder {
        self.encoder.get_or_insert_with(|| new_encoder(gpu))
    }

    /// Submits the copies recorded so far if they are large, and waits for those submitted before: an
    /// upload of any size needs staging memory for two parts only.
    pub(super) fn limit_staging(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        if self.staged < MAX_STAGED {
            return Ok(());
        }
        let copies = self.take_encoder(gpu);
        let submission = gpu.queue.submit([copies.finish()]);
        match self.flushed.replace(submission) {
            Some(previous) => gpu.wait_for(previous),
            None => Ok(()),
        }
    }

    /// Returns the encoder of the copies recorded since the last call, for the passes that read them: each
    /// command buffer of its own takes time.
    pub(super) fn finish(&mut self, gpu: &Gpu) -> wgpu::CommandEncoder {
        let encoder = self.take_encoder(gpu);
        // The belt keeps all its buffers. Later frames need less after an upload in parts, or while arrays grow.
        if self.flushed.take().is_some() || self.grown > MAX_GROWTH * self.largest {
            self.belt = belt(gpu);
            (self.largest, self.grown) = (0, 0);
        }
        encoder
    }

    fn take_encoder(&mut self, gpu: &Gpu) -> wgpu::CommandEncoder {
        self.staged = 0;
        let encoder = self.encoder.take().unwrap_or_else(|| new_encoder(gpu));
        self.belt.finish_and_recall_on_submit(&encoder);
        encoder
    }
}

#[cfg(all(test, parallel))]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_size_is_filled() {
        for size in [0, 4, CHUNK, 2 * CHUNK - 4, 2 * CHUNK, 2 * CHUNK + 4, 5 * CHUNK + 100] {
            // A period that does not divide a chunk, so that a chunk at another place is noticed.
            let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8 + 1).collect();
            let mut memory = vec![0; size];
            fill(wgpu::WriteOnly::from_mut(memory.as_mut_slice()), &bytes);
            assert!(memory == bytes, "{size}");
        }
    }
}
