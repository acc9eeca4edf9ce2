//! Instance stream: a packed array on its way into a vertex buffer.

use std::marker::PhantomData;

use bytemuck::Pod;

use super::Gpu;

/// Instances of the smallest buffer.
const FIRST_CAPACITY: u64 = 1024;

/// A vertex buffer with one element per instance, which grows by doubling.
pub(super) struct InstanceStream<T> {
    label: &'static str,
    buffer: wgpu::Buffer,
    element: PhantomData<T>,
}

impl<T: Pod> InstanceStream<T> {
    pub(super) fn new(gpu: &Gpu, label: &'static str) -> Self {
        Self { label, buffer: create::<T>(gpu, label, FIRST_CAPACITY), element: PhantomData }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Copies the array as it lies to the front of the buffer. The device can hold it:
    /// `Gpu::check_capacity` was asked.
    pub(super) fn write(&mut self, gpu: &Gpu, elements: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        if self.buffer.size() < bytes.len() as u64 {
            let largest = gpu.device.limits().max_buffer_size / size_of::<T>() as u64;
            let capacity = (elements.len() as u64).next_power_of_two().min(largest);
            self.buffer = create::<T>(gpu, self.label, capacity);
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytes);
    }
}

fn create<T>(gpu: &Gpu, label: &str, capacity: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: capacity * size_of::<T>() as u64,
        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
