//! A buffer that the GPU fills and the CPU reads some frames later, without waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{Gpu, RenderError};

const FREE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;

/// A buffer for data of one frame at a time, and what the CPU knows of that frame.
pub(super) struct ReadbackBuffer<F> {
    /// The frame whose data the buffer receives.
    pub(super) frame: F,
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

impl<F: Default> ReadbackBuffer<F> {
    pub(super) fn new(gpu: &Gpu, label: &str, size: u64) -> Result<Self, RenderError> {
        let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })?;
        Ok(Self { frame: F::default(), buffer, state: Arc::new(AtomicU8::new(FREE)) })
    }
}

impl<F> ReadbackBuffer<F> {
    /// Size in bytes.
    pub(super) fn size(&self) -> u64 {
        self.buffer.size()
    }

    /// Returns `true` if the data of the last frame has been read, or there was none.
    pub(super) fn is_free(&self) -> bool {
        self.state.load(Ordering::Acquire) == FREE
    }

    /// Records copies to the buffer, which must be free, and its mapping when they are done.
    pub(super) fn fill(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        copy: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer),
    ) {
        copy(encoder, &self.buffer);
        self.state.store(PENDING, Ordering::Release);
        let state = Arc::clone(&self.state);
        encoder.map_buffer_on_submit(&self.buffer, wgpu::MapMode::Read, .., move |result| {
            // Mapping fails only on a lost device; the data then stays pending.
            if result.is_ok() {
                state.store(READY, Ordering::Release);
            }
        });
    }

    /// Reads the data if it has arrived, and frees the buffer.
    pub(super) fn take<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
        if self.state.load(Ordering::Acquire) != READY {
            return None;
        }
        let data = self.buffer.get_mapped_range(..).ok().map(|mapped| read(&mapped));
        self.buffer.unmap();
        self.state.store(FREE, Ordering::Release);
        data
    }
}
