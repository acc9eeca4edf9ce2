//! Pages: an array of all cubes in several buffers, each within the limits of the device.

use std::ops::Range;
use std::{iter, mem};

use super::elements::Elements;
use crate::render::upload::{STAGING_SIZE, Upload};
use crate::render::{Gpu, RenderError};

/// Elements of the smallest page.
const FIRST_CAPACITY: usize = 1024;

/// Elements of the largest page. Smaller buffers than devices allow keep growth cheap, and draw calls do
/// not get slower by their number.
const LARGEST_CAPACITY: usize = 1 << 21;

/// Elements of one part of a range, at most.
pub(super) const PART: usize = 1 << 16;

/// An array with one element per cube. All pages but the last have the same number of elements.
pub(super) struct PagedArray {
    label: &'static str,
    usage: wgpu::BufferUsages,
    element_size: usize,
    per_page: usize,
    pages: Vec<Page>,
}

/// A buffer with a part of the elements.
pub(super) struct Page {
    pub(super) buffer: wgpu::Buffer,
    capacity: usize,
    /// Bind group for scattered uploads, created by the first of them.
    pub(super) scatter: Option<wgpu::BindGroup>,
}

/// Returns the largest number of elements of `bytes` each in a page: a buffer that the device can bind.
pub(super) fn elements_per_page(gpu: &Gpu, bytes: usize) -> usize {
    let limits = &gpu.limits;
    let mut largest = limits.max_buffer_size;
    if gpu.can_pull() {
        largest = largest.min(limits.max_storage_buffer_binding_size);
    }
    let elements = usize::try_from(largest).unwrap_or(usize::MAX) / bytes;
    elements.min(LARGEST_CAPACITY)
}

impl PagedArray {
    /// Creates an empty array, with pages of `usage` besides what copying needs.
    pub(super) fn new(
        label: &'static str,
        usage: wgpu::BufferUsages,
        element_size: usize,
        per_page: usize,
    ) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { label, usage, element_size, per_page, pages: Vec::new() }
    }

    pub(super) fn per_page(&self) -> usize {
        self.per_page
    }

    pub(super) fn page(&mut self, index: usize) -> &mut Page {
        &mut self.pages[index]
    }

    /// Buffers with the elements of `count` cubes, each with its number of cubes.
    pub(super) fn buffers(
        &self,
        count: usize,
    ) -> impl Iterator<Item = (&wgpu::Buffer, u32)> + Clone {
        let first = (0..count).step_by(self.per_page);
        first
            .zip(&self.pages)
            .map(move |(first, page)| (&page.buffer, self.per_page.min(count - first) as u32))
    }

    /// Allocates pages for `count` elements and frees the pages beyond. Returns the range whose contents are
    /// undefined because their page is new.
    pub(super) fn resize(&mut self, gpu: &Gpu, count: usize) -> Result<Range<usize>, RenderError> {
        self.pages.truncate(count.div_ceil(self.per_page));
        let mut lost = count..count;
        for (index, first) in (0..count).step_by(self.per_page).enumerate() {
            let needed = self.per_page.min(count - first);
            if self.pages.get(index).is_some_and(|page| page.capacity >= needed) {
                continue;
            }
            lost.start = lost.start.min(first);
            // Frees the smaller page before the larger one exists.
            self.pages.truncate(index);
            let capacity = needed.next_power_of_two().max(FIRST_CAPACITY).min(self.per_page);
            let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: (capacity * self.element_size) as u64,
                usage: self.usage,
                mapped_at_creation: false,
            })?;
            self.pages.push(Page { buffer, capacity, scatter: None });
        }
        Ok(lost)
    }

    /// Copies the elements of ranges of cubes, and returns their size in bytes.
    pub(super) fn copy(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        ranges: impl Iterator<Item = Range<usize>>,
        elements: &impl Elements,
    ) -> Result<u64, RenderError> {
        let (mut staged, mut bytes, mut copied) = (Vec::new(), 0, 0);
        let mut parts = ranges.flat_map(|range| parts(range, self.per_page)).peekable();
        while let Some(part) = parts.next() {
            bytes += self.bytes(part.len());
            staged.push(part);
            let next = parts.peek().map(|next| self.bytes(next.len()));
            if next.is_none_or(|next| bytes + next > STAGING_SIZE) {
                let places = staged.iter().map(|part| {
                    let page = &self.pages[part.start / self.per_page];
                    let offset = self.bytes(part.start % self.per_page);
                    (&page.buffer, offset, self.bytes(part.len()))
                });
                upload.write_parts(gpu, bytes, places, |out| elements.write(&staged, out))?;
                upload.limit_staging(gpu)?;
                staged.clear();
                copied += mem::take(&mut bytes);
            }
        }
        Ok(copied)
    }

    fn bytes(&self, elements: usize) -> u64 {
        (elements * self.element_size) as u64
    }
}

/// Splits a range at the ends of pages, and into parts for staging memory.
pub(super) fn parts(range: Range<usize>, per_page: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    iter::from_fn(move || {
        let end = range.end.min(start + PART).min((start / per_page + 1) * per_page);
        let part = start..end;
        start = end;
        (!part.is_empty()).then_some(part)
    })
}
