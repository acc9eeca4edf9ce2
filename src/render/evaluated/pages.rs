//! Pages: records and colors of all cubes in several buffers, each within the limits of the device.

use std::iter::{self, Peekable};
use std::ops::Range;

use super::record::Record;
use crate::components::Color;
use crate::render::allocation::{FIRST_CAPACITY, capacity};
use crate::render::upload::{STAGING_SIZE, Upload};
use crate::render::{Gpu, RenderError};

/// The arrays of a page.
pub(super) const RECORDS: usize = 0;
pub(super) const COLORS: usize = 1;

/// Name and bytes of an element of each array.
const ARRAYS: [(&str, usize); 2] =
    [("cube records", size_of::<Record>()), ("cube colors", size_of::<Color>())];

/// Cubes of the largest page. Smaller buffers than devices allow keep growth cheap, and draw calls do
/// not get slower by their number.
const LARGEST_CAPACITY: usize = 1 << 21;

/// Cubes of the largest range that is copied at once, and of one scattered upload.
pub(super) const PART: usize = 1 << 16;

/// Records and colors, one of each per cube. All pages but the last have the same number of cubes.
pub(super) struct PagedArrays {
    usage: wgpu::BufferUsages,
    per_page: usize,
    pages: Vec<Page>,
}

/// Buffers with a part of the cubes.
pub(super) struct Page {
    /// By array.
    pub(super) buffers: [wgpu::Buffer; 2],
    capacity: usize,
    /// Bind group for scattered uploads, created by the first of them.
    pub(super) scatter: Option<wgpu::BindGroup>,
}

impl PagedArrays {
    /// Creates arrays without pages. Buffers have `usage` besides what copying needs. A page has no more cubes than the largest
    /// buffer of the device holds with `bytes` for each.
    pub(super) fn new(gpu: &Gpu, usage: wgpu::BufferUsages, bytes: usize) -> Self {
        let limits = &gpu.limits;
        let mut largest = limits.max_buffer_size;
        if gpu.can_pull() || gpu.can_compute() {
            largest = largest.min(limits.max_storage_buffer_binding_size);
        }
        let cubes = usize::try_from(largest).unwrap_or(usize::MAX) / bytes;
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { usage, per_page: cubes.min(LARGEST_CAPACITY), pages: Vec::new() }
    }

    pub(super) fn per_page(&self) -> usize {
        self.per_page
    }

    pub(super) fn page(&mut self, index: usize) -> &mut Page {
        &mut self.pages[index]
    }

    /// Buffers of `count` cubes by array, each pair with its number of cubes.
    pub(super) fn buffers(
        &self,
        count: usize,
    ) -> impl Iterator<Item = ([&wgpu::Buffer; 2], u32)> + Clone {
        let first = (0..count).step_by(self.per_page);
        first.zip(&self.pages).map(move |(first, page)| {
            (page.buffers.each_ref(), self.per_page.min(count - first) as u32)
        })
    }

    /// Allocates pages for `count` cubes and frees the pages beyond. Returns the range whose contents are
    /// undefined because their page is new.
    pub(super) fn resize(&mut self, gpu: &Gpu, count: usize) -> Result<Range<usize>, RenderError> {
        let needed = |first: usize| self.per_page.min(count - first);
        let firsts = || (0..count).step_by(self.per_page);
        // A page that is much too large is replaced, too.
        let fits = |first: usize, page: &Page| {
            let needed = needed(first);
            page.capacity >= needed && page.capacity <= (FIRST_CAPACITY as usize).max(4 * needed)
        };
        let kept = firsts().zip(&self.pages).take_while(|&(first, page)| fits(first, page)).count();
        self.pages.truncate(kept);
        for first in firsts().skip(kept) {
            let capacity = (capacity(needed(first) as u64) as usize).min(self.per_page);
            let buffer = |(label, bytes): (&'static str, usize)| {
                gpu.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size: (capacity * bytes) as u64,
                    usage: self.usage,
                    mapped_at_creation: false,
                })
            };
            let buffers = [buffer(ARRAYS[RECORDS])?, buffer(ARRAYS[COLORS])?];
            self.pages.push(Page { buffers, capacity, scatter: None });
        }
        Ok((kept * self.per_page).min(count)..count)
    }

    /// Copies ranges of an array. `write` writes the elements of ranges, one after the other, into staging memory
    /// of their size. Returns the size of all in bytes.
    pub(super) fn copy(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        array: usize,
        ranges: impl Iterator<Item = Range<usize>>,
        write: impl Fn(&[Range<usize>], wgpu::WriteOnly<'_, [u8]>),
    ) -> Result<u64, RenderError> {
        let bytes_of = |elements: usize| (elements * ARRAYS[array].1) as u64;
        let (mut staged, mut copied) = (Vec::new(), 0);
        let mut parts = ranges.flat_map(|range| parts(range, self.per_page)).peekable();
        let fits = |_: &Range<usize>, _: &Range<usize>, count| bytes_of(count) <= STAGING_SIZE;
        while let count @ 1.. = next_round(&mut parts, &mut staged, fits) {
            let places = staged.iter().map(|part| {
                let page = &self.pages[part.start / self.per_page];
                let offset = bytes_of(part.start % self.per_page);
                (&page.buffers[array], offset, bytes_of(part.len()))
            });
            upload.write_parts(gpu, bytes_of(count), places, |out| write(&staged, out))?;
            upload.limit_staging(gpu)?;
            copied += bytes_of(count);
        }
        Ok(copied)
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

/// Replaces `round` by the next part and those after it that fit, and returns their number of cubes: 0 after the last
/// part. `fits` gets the first part of the round, the next part, and the number of cubes with it.
pub(super) fn next_round(
    parts: &mut Peekable<impl Iterator<Item = Range<usize>>>,
    round: &mut Vec<Range<usize>>,
    fits: impl Fn(&Range<usize>, &Range<usize>, usize) -> bool,
) -> usize {
    round.clear();
    let mut count = 0;
    while let Some(part) = parts
        .next_if(|next| round.first().is_none_or(|first| fits(first, next, count + next.len())))
    {
        count += part.len();
        round.push(part);
    }
    count
}
