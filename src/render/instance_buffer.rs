//! Instance buffers: GPU copies of packed arrays, updated where the arrays have changed.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Pod;

use super::allocation::{FIRST_CAPACITY, capacity};
use super::change_tracked::merged;
use super::upload::{self, Upload};
use super::{ChangeTracked, Gpu, RenderError, Streaming};

/// Frames that the GPU may still read from mapped buffers while the CPU writes the next.
pub const MAPPED_LATENCY: u32 = 2;

/// Mapped buffers per array.
pub(super) const MAX_SLOTS: usize = MAPPED_LATENCY as usize + 1;

/// One element per cube. Grows by somewhat more than it needs, and shrinks with its array.
pub(super) struct InstanceBuffer<T> {
    label: &'static str,
    usage: wgpu::BufferUsages,
    capacity: u64,
    /// One with [`Streaming::Staged`], up to [`MAX_SLOTS`] with [`Streaming::Mapped`].
    slots: Vec<Slot>,
    /// The slot written last.
    current: usize,
    /// Indices of changed elements; kept to reuse the memory.
    changed: Vec<u32>,
    element: PhantomData<T>,
}

/// A buffer and the state of its contents.
struct Slot {
    buffer: wgpu::Buffer,
    /// Revision of the array it has a copy of; `None` before the first write.
    revision: Option<u64>,
    /// The CPU may write to it now.
    mapped: Arc<AtomicBool>,
}

impl Slot {
    /// Maps the buffer as soon as the GPU has read it.
    fn map_again(&self) {
        let mapped = Arc::clone(&self.mapped);
        self.buffer.map_async(wgpu::MapMode::Write, .., move |result| {
            mapped.store(result.is_ok(), Ordering::Release);
        });
    }

    fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// Unmaps the buffer, so that the GPU can read it.
    fn unmap(&self, gpu: &Gpu) {
        if gpu.streaming() == Streaming::Mapped {
            self.buffer.unmap();
            self.mapped.store(false, Ordering::Release);
        }
    }

    /// Writes slices at element offsets, and returns their size in bytes.
    fn write<'a, T: Pod>(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        slices: impl Iterator<Item = (usize, &'a [T])>,
    ) -> Result<u64, RenderError> {
        let mut total = 0;
        let mut slices = slices.map(|(start, slice)| {
            let bytes: &[u8] = bytemuck::cast_slice(slice);
            total += bytes.len() as u64;
            (start * size_of::<T>(), bytes)
        });
        if gpu.streaming() == Streaming::Staged {
            slices.try_for_each(|(offset, bytes)| {
                upload.copy(gpu, &self.buffer, offset as u64, bytes)
            })?;
        } else {
            let mapped = self.buffer.get_mapped_range_mut(..);
            let mut mapped = mapped.map_err(|error| gpu.failure(&error.to_string()))?;
            for (offset, bytes) in slices {
                upload::fill(mapped.slice(offset..offset + bytes.len()), bytes);
            }
        }
        self.unmap(gpu);
        Ok(total)
    }
}

impl<T: Pod> InstanceBuffer<T> {
    /// Creates an empty buffer with `usage` besides what writing needs.
    pub(super) fn new(
        gpu: &Gpu,
        label: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Result<Self, RenderError> {
        let (slots, changed, element) = (Vec::new(), Vec::new(), PhantomData);
        let capacity = FIRST_CAPACITY;
        let mut buffer = Self { label, usage, capacity, slots, current: 0, changed, element };
        buffer.slots.push(buffer.new_slot(gpu, capacity)?);
        // A bound buffer must not be mapped, even if nothing is ever written to it.
        buffer.slots[0].unmap(gpu);
        Ok(buffer)
    }

    /// The buffer written last.
    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.slots[self.current].buffer
    }

    /// Copies what is newer in the array, and returns its size in bytes. The array must fit: see
    /// [`Gpu::check_capacity`].
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        array: ChangeTracked<'_, T>,
    ) -> Result<u64, RenderError> {
        self.shrink(gpu, array.values.len());
        let slot = &mut self.slots[self.current];
        let is_current = array.since(slot.revision).is_some_and(|changes| {
            changes.iter().all(|&index| index as usize >= array.values.len())
        });
        if is_current {
            // Any change was beyond the end of the values.
            slot.revision = slot.revision.map(|_| array.latest);
            return Ok(0);
        }
        let mut changed = std::mem::take(&mut self.changed);
        let slot = self.writable_slot(gpu, array.values.len())?;
        let newer = array.newer_than(slot.revision.take(), &mut changed);
        let newer = merged(newer, upload::largest_gap(gpu) / size_of::<T>());
        let newer = newer.map(|range| (range.start, &array.values[range]));
        let bytes = slot.write(gpu, upload, newer)?;
        slot.revision = Some(array.latest);
        self.changed = changed;
        Ok(bytes)
    }

    /// Replaces the contents by slices one after the other, `len` elements in all. Returns their size
    /// in bytes.
    pub(super) fn replace<'a>(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        len: usize,
        slices: impl Iterator<Item = &'a [T]>,
    ) -> Result<u64, RenderError> {
        let mut end = 0;
        let slices = slices.map(|slice| {
            let start = end;
            end += slice.len();
            (start, slice)
        });
        self.writable_slot(gpu, len)?.write(gpu, upload, slices)
    }

    fn new_slot(&self, gpu: &Gpu, capacity: u64) -> Result<Slot, RenderError> {
        let (access, mapped) = match gpu.streaming() {
            Streaming::Mapped => (wgpu::BufferUsages::MAP_WRITE, true),
            Streaming::Staged => (wgpu::BufferUsages::COPY_DST, false),
        };
        let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: Some(self.label),
            size: capacity * size_of::<T>() as u64,
            usage: self.usage | access,
            mapped_at_creation: mapped,
        })?;
        Ok(Slot { buffer, revision: None, mapped: Arc::new(AtomicBool::new(mapped)) })
    }

    /// Frees memory if the buffers are much too large for `len` elements.
    pub(super) fn shrink(&mut self, gpu: &Gpu, len: usize) {
        let is_large = self.capacity > FIRST_CAPACITY && self.capacity / 4 >= len as u64;
        if is_large && let Err(error) = self.replace_slots(gpu, len as u64) {
            log::debug!("the {} stay large: {error}", self.label);
        }
    }

    /// Replaces the slots by one that holds at least `len` elements.
    fn replace_slots(&mut self, gpu: &Gpu, len: u64) -> Result<(), RenderError> {
        let largest = gpu.limits.max_buffer_size / size_of::<T>() as u64;
        let capacity = capacity(len).min(largest);
        let slot = self.new_slot(gpu, capacity)?;
        (self.capacity, self.slots, self.current) = (capacity, vec![slot], 0);
        self.changed = Vec::new();
        Ok(())
    }

    /// Makes a slot current that holds `len` elements and can be written now.
    fn writable_slot(&mut self, gpu: &Gpu, len: usize) -> Result<&mut Slot, RenderError> {
        let len = len as u64;
        if self.capacity < len {
            self.replace_slots(gpu, len)?;
        }
        let used = self.current;
        if gpu.streaming() == Streaming::Mapped && !self.slots[used].is_mapped() {
            self.current = self.next_mapped(gpu)?;
            self.slots[used].map_again();
        }
        Ok(&mut self.slots[self.current])
    }

    /// Finds a mapped slot, adds one, or waits for the GPU.
    fn next_mapped(&mut self, gpu: &Gpu) -> Result<usize, RenderError> {
        let mapped = |slots: &[Slot]| slots.iter().position(Slot::is_mapped);
        if let Some(mapped) = mapped(&self.slots) {
            return Ok(mapped);
        }
        if self.slots.len() < MAX_SLOTS {
            self.slots.push(self.new_slot(gpu, self.capacity)?);
            return Ok(self.slots.len() - 1);
        }
        // A window waits for an older frame when it acquires a texture, which runs no callback.
        gpu.poll(wgpu::PollType::Poll)?;
        if let Some(mapped) = mapped(&self.slots) {
            return Ok(mapped);
        }
        gpu.poll(wgpu::PollType::wait_indefinitely())?;
        mapped(&self.slots).ok_or_else(|| gpu.failure("no instance buffer could be mapped"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::GpuSettings;

    #[test]
    fn a_buffer_shrinks_with_its_array() {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default())).unwrap();
        let usage = wgpu::BufferUsages::VERTEX;
        let mut buffer = InstanceBuffer::new(&gpu, "numbers", usage).unwrap();
        let mut upload = Upload::new(&gpu);
        for (revision, (len, capacity)) in
            [(9000, 10_240), (2561, 10_240), (2560, 3072), (0, 1024), (3000, 3072)]
                .into_iter()
                .enumerate()
        {
            let numbers = vec![7_u32; len];
            let array = ChangeTracked::new(&numbers, revision as u64);
            let bytes = buffer.update(&gpu, &mut upload, array).unwrap();
            gpu.queue.submit([upload.finish(&gpu).finish()]);
            assert_eq!((bytes, buffer.buffer().size()), (len as u64 * 4, capacity * 4));
        }
        gpu.check().unwrap();
    }
}
