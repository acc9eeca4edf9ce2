//! Records and colors of all cubes on the GPU. Changes are copied in ranges, or scattered.

use std::ops::Range;

use super::changes::union;
use super::elements::Elements;
use super::pages::{PagedArray, parts};
use super::record::{Record, RecordSource};
use super::scatter::{MAX_ROUND, Round, Scatter, WithColors};
use crate::components::Color;
use crate::render::change_tracked::merged;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::{self, Upload};
use crate::render::{Gpu, RenderError};

/// Changed ranges that are copied instead of scattered, at most.
const MAX_COPIES: usize = 8;

/// Records and colors of all cubes on the GPU.
pub(super) struct GpuCopy {
    pub(super) records: GpuArray,
    pub(super) colors: GpuArray,
    /// Created by the first upload of many ranges.
    scatter: Option<Scatter>,
    /// Ranges scattered together; kept to reuse the memory.
    round: Vec<Range<usize>>,
}

/// One of the arrays, and the ranges that have changed since the last upload.
pub(super) struct GpuArray {
    pages: PagedArray,
    changed: Vec<Range<usize>>,
}

impl GpuArray {
    /// Prepares the upload of ascending disjoint ranges of `count` elements, and of those in new pages.
    pub(super) fn change(
        &mut self,
        gpu: &Gpu,
        count: usize,
        newer: impl Iterator<Item = Range<usize>>,
    ) -> Result<(), RenderError> {
        let lost = self.pages.resize(gpu, count)?;
        self.changed.clear();
        self.changed.extend(union(newer, (!lost.is_empty()).then_some(lost).into_iter()));
        // One copy in storage order is faster than many that move most of the elements.
        let total: usize = self.changed.iter().map(Range::len).sum();
        if self.changed.len() > MAX_COPIES && total > count / 2 {
            self.changed.clear();
            self.changed.push(0..count);
        }
        Ok(())
    }

    /// Copies the changed ranges, and returns their size in bytes.
    fn copy<E: Elements>(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        elements: &E,
    ) -> Result<u64, RenderError> {
        let copies = merged(self.changed.drain(..), upload::largest_gap(gpu) / E::SIZE);
        self.pages.copy(gpu, upload, copies, elements)
    }
}

impl GpuCopy {
    /// Creates empty arrays, with buffers of `usage` and up to `per_page` elements each.
    pub(super) fn new(usage: wgpu::BufferUsages, per_page: usize) -> Self {
        let array = |label, size| {
            let pages = PagedArray::new(label, usage, size, per_page);
            GpuArray { pages, changed: Vec::new() }
        };
        Self {
            records: array("cube records", size_of::<Record>()),
            colors: array("cube colors", size_of::<Color>()),
            scatter: None,
            round: Vec::new(),
        }
    }

    /// Buffers with the records and the colors of `count` cubes, each pair with its number of cubes.
    pub(super) fn buffers(
        &self,
        count: usize,
    ) -> impl Iterator<Item = ([&wgpu::Buffer; 2], u32)> + Clone {
        let colors = self.colors.pages.buffers(count);
        let pages = self.records.pages.buffers(count).zip(colors);
        pages.map(|((records, cubes), (colors, _))| ([records, colors], cubes))
    }

    /// Uploads what has changed. Returns its size in bytes.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        records: RecordSource<'_>,
        colors: &[Color],
    ) -> Result<u64, RenderError> {
        let mut bytes = 0;
        if gpu.can_compute() {
            bytes += self.scatter(gpu, shader, upload, &WithColors { records, colors })?;
        }
        bytes += self.records.copy(gpu, upload, &records)?;
        Ok(bytes + self.colors.copy(gpu, upload, &colors)?)
    }

    /// Scatters records and colors where many ranges of either have changed: a new cube has both. Rounds are within a
    /// page.
    fn scatter(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        elements: &WithColors<'_>,
    ) -> Result<u64, RenderError> {
        let Self { records, colors, scatter, round } = self;
        let per_page = records.pages.per_page();
        let changed = union(take_many(&mut records.changed), take_many(&mut colors.changed));
        let mut parts = changed.flat_map(|range| parts(range, per_page)).peekable();
        let (mut count, mut bytes) = (0, 0);
        round.clear();
        while let Some(part) = parts.next() {
            let page = part.start / per_page;
            count += part.len();
            round.push(part);
            let fits = |next: &Range<usize>| {
                next.start / per_page == page && count + next.len() <= MAX_ROUND
            };
            if parts.peek().is_some_and(fits) {
                continue;
            }
            let scatter = match scatter {
                Some(scatter) => scatter,
                None => scatter.insert(Scatter::new(gpu, shader, per_page)?),
            };
            let colors = colors.pages.page(page);
            let records = records.pages.page(page);
            let buffers = [&records.buffer, &colors.buffer];
            let group = records.scatter.get_or_insert_with(|| scatter.bind(gpu, buffers));
            let first = page * per_page;
            bytes += scatter.upload(
                gpu,
                upload,
                group,
                Round { first, cubes: round, count },
                elements,
            )?;
            upload.limit_staging(gpu)?;
            round.clear();
            count = 0;
        }
        Ok(bytes)
    }
}

/// Takes ranges if there are too many to copy each.
fn take_many(changed: &mut Vec<Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let end = if changed.len() > MAX_COPIES { changed.len() } else { 0 };
    changed.drain(..end)
}
