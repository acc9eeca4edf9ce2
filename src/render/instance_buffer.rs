//! Instance buffer: a packed array of the CPU in memory that shaders read, kept in step.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Pod;

use super::upload::Upload;
use super::{ChangeTracked, Gpu, RenderError, Streaming};

/// Elements of the smallest buffer.
const FIRST_CAPACITY: u64 = 1024;

/// Buffers that take turns where they are mapped: the GPU may still read what was written for two
/// frames while the next one is being written.
const TURNS: usize = 3;

/// One element to an instance, as vertex buffer and storage buffer; grows by doubling.
pub(super) struct InstanceBuffer<T> {
    label: &'static str,
    usage: wgpu::BufferUsages,
    capacity: u64,
    /// With [`Streaming::Staged`] one; with [`Streaming::Mapped`] up to [`TURNS`].
    slots: Vec<Slot>,
    /// Which of them holds what was written last.
    current: usize,
    element: PhantomData<T>,
}

/// A buffer, and what it holds.
struct Slot {
    buffer: wgpu::Buffer,
    /// What it is a copy of; none before it was written.
    revision: Option<u64>,
    /// The CPU may write to it now.
    mapped: Arc<AtomicBool>,
}

impl Slot {
    /// Asks for the buffer to be mapped as soon as the GPU has read it.
    fn ask_back(&self) {
        let mapped = Arc::clone(&self.mapped);
        self.buffer.map_async(wgpu::MapMode::Write, .., move |result| {
            mapped.store(result.is_ok(), Ordering::Release);
        });
    }

    fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }
}

impl<T: Pod> InstanceBuffer<T> {
    /// An empty one, for the given usages beside being written.
    pub(super) fn new(
        gpu: &Gpu,
        label: &'static str,
        usage: wgpu::BufferUsages,
    ) -> Result<Self, RenderError> {
        let mut buffer = Self {
            label,
            usage,
            capacity: FIRST_CAPACITY,
            slots: Vec::new(),
            current: 0,
            element: PhantomData,
        };
        buffer.slots.push(buffer.new_slot(gpu, FIRST_CAPACITY)?);
        // A buffer that is bound must not be mapped, also where nothing is ever written to it.
        buffer.hand_over(gpu);
        Ok(buffer)
    }

    /// What shaders read: what was written last.
    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.slots[self.current].buffer
    }

    /// Brings the buffer up to date with the array; returns how many bytes that took. The device can
    /// hold it: `Gpu::check_capacity` was asked.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        array: ChangeTracked<'_, T>,
    ) -> Result<u64, RenderError> {
        let slot = &mut self.slots[self.current];
        if array.newer_than(slot.revision).next().is_none() {
            // What changed lies behind the end of what is drawn, if anything did.
            slot.revision = slot.revision.map(|_| array.latest);
            return Ok(0);
        }
        self.make_room(gpu, array.values.len())?;
        self.next_turn(gpu)?;
        let slot = &mut self.slots[self.current];
        let newer = array.newer_than(slot.revision.take());
        let newer = newer.map(|range| (range.start, &array.values[range]));
        let mut bytes = 0;
        let newer = newer.inspect(|(_, piece)| bytes += size_of_val(*piece) as u64);
        write(gpu, upload, &slot.buffer, newer)?;
        slot.revision = Some(array.latest);
        self.hand_over(gpu);
        Ok(bytes)
    }

    /// Puts the pieces into the buffer, one after the other; `len` elements in all.
    pub(super) fn replace<'a>(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        len: usize,
        pieces: impl Iterator<Item = &'a [T]>,
    ) -> Result<(), RenderError> {
        self.make_room(gpu, len)?;
        self.next_turn(gpu)?;
        let mut start = 0;
        let placed = pieces.map(|piece| {
            let place = start;
            start += piece.len();
            (place, piece)
        });
        write(gpu, upload, &self.slots[self.current].buffer, placed)?;
        self.hand_over(gpu);
        Ok(())
    }

    fn make_room(&mut self, gpu: &Gpu, len: usize) -> Result<(), RenderError> {
        let len = len as u64;
        if self.capacity >= len {
            return Ok(());
        }
        let largest = gpu.device.limits().max_buffer_size / size_of::<T>() as u64;
        let capacity = len.next_power_of_two().min(largest);
        let slot = self.new_slot(gpu, capacity)?;
        (self.capacity, self.slots, self.current) = (capacity, vec![slot], 0);
        Ok(())
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

    /// Makes a slot the current one that may be written now.
    fn next_turn(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        if gpu.streaming() == Streaming::Staged || self.slots[self.current].is_mapped() {
            return Ok(());
        }
        let used = self.current;
        self.current = match self.slots.iter().position(Slot::is_mapped) {
            Some(free) => free,
            None if self.slots.len() < TURNS => {
                self.slots.push(self.new_slot(gpu, self.capacity)?);
                self.slots.len() - 1
            }
            None => {
                gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
                let free = self.slots.iter().position(Slot::is_mapped);
                free.ok_or_else(|| gpu.failure("no buffer came back"))?
            }
        };
        self.slots[used].ask_back();
        Ok(())
    }

    /// Lets the GPU read what was written.
    fn hand_over(&self, gpu: &Gpu) {
        if gpu.streaming() == Streaming::Mapped {
            let slot = &self.slots[self.current];
            slot.buffer.unmap();
            slot.mapped.store(false, Ordering::Release);
        }
    }
}

/// Writes each piece to its place: into mapped memory, or by way of a staging buffer.
fn write<'a, T: Pod>(
    gpu: &Gpu,
    upload: &mut Upload,
    buffer: &wgpu::Buffer,
    pieces: impl Iterator<Item = (usize, &'a [T])>,
) -> Result<(), RenderError> {
    let mut placed = pieces.map(|(start, piece)| {
        let bytes: &[u8] = bytemuck::cast_slice(piece);
        (start * size_of::<T>(), bytes)
    });
    if gpu.streaming() == Streaming::Staged {
        return placed
            .try_for_each(|(offset, bytes)| upload.copy(gpu, buffer, offset as u64, bytes));
    }
    let mapped = buffer.get_mapped_range_mut(..);
    let mut mapped = mapped.map_err(|error| gpu.failure(&error.to_string()))?;
    for (offset, bytes) in placed {
        mapped.slice(offset..offset + bytes.len()).copy_from_slice(bytes);
    }
    Ok(())
}
