//! Records and colors of all cubes on the GPU. Changes are copied in ranges, or scattered.

use std::ops::Range;

use super::changes::union;
use super::pages::{COLORS, PART, PagedArrays, RECORDS, next_round, parts};
use super::record::{CubeSource, Record};
use super::scatter::Scatter;
use crate::components::Color;
use crate::render::change_tracked::merged;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::{self, Upload};
use crate::render::{Gpu, RenderError};

/// Changed ranges that are copied instead of scattered, at most.
const MAX_COPIES: usize = 8;

/// Records and colors of all cubes on the GPU.
pub(super) struct GpuCopy {
    pages: PagedArrays,
    /// Ranges of each array to upload.
    changed: [Vec<Range<usize>>; 2],
    /// Created by the first upload of many ranges.
    scatter: Option<Scatter>,
    /// Ranges scattered together; kept to reuse the memory.
    round: Vec<Range<usize>>,
}

impl GpuCopy {
    /// Creates empty arrays, with buffers of `usage`.
    pub(super) fn new(gpu: &Gpu, usage: wgpu::BufferUsages) -> Self {
        let scattered = if gpu.can_compute() {
            wgpu::BufferUsages::STORAGE
        } else {
            wgpu::BufferUsages::empty()
        };
        // The changes of a whole page fit into one buffer, too.
        let pages = PagedArrays::new(gpu, usage | scattered, Scatter::bytes(1));
        Self { pages, changed: [const { Vec::new() }; 2], scatter: None, round: Vec::new() }
    }

    /// Buffers with the records and the colors of `count` cubes, each pair with its number of cubes.
    pub(super) fn buffers(
        &self,
        count: usize,
    ) -> impl Iterator<Item = ([&wgpu::Buffer; 2], u32)> + Clone {
        self.pages.buffers(count)
    }

    /// Uploads records and colors of ascending disjoint ranges of cubes, and those of new pages. Returns their
    /// size in bytes.
    pub(super) fn update(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        records: impl Iterator<Item = Range<usize>>,
        colors: impl Iterator<Item = Range<usize>>,
        source: &CubeSource<'_>,
    ) -> Result<u64, RenderError> {
        let count = source.colors.len();
        let lost = self.pages.resize(gpu, count)?;
        let with_lost = (!lost.is_empty()).then_some(lost).into_iter();
        let [changed_records, changed_colors] = &mut self.changed;
        replace(changed_records, union(records, with_lost.clone()), count);
        replace(changed_colors, union(colors, with_lost), count);

        let mut bytes = 0;
        if gpu.can_compute() {
            bytes += self.scatter(gpu, shader, upload, source)?;
        }
        let Self { pages, changed: [records, colors], .. } = self;
        let gap = upload::largest_gap(gpu);
        let records = merged(records.drain(..), gap / size_of::<Record>());
        bytes += pages.copy(gpu, upload, RECORDS, records, |ranges, out| {
            source.write_records(ranges, out);
        })?;
        let colors = merged(colors.drain(..), gap / size_of::<Color>());
        bytes += pages.copy(gpu, upload, COLORS, colors, |ranges, out| {
            source.write_colors(ranges, out);
        })?;
        Ok(bytes)
    }

    /// Scatters records and colors where many ranges of either have changed: a new cube has both. Rounds are within a
    /// page.
    fn scatter(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        source: &CubeSource<'_>,
    ) -> Result<u64, RenderError> {
        let Self { pages, changed: [records, colors], scatter, round } = self;
        let per_page = pages.per_page();
        let changed = union(take_many(records), take_many(colors));
        let mut rest = changed.flat_map(|range| parts(range, per_page)).peekable();
        let fits = |first: &Range<usize>, next: &Range<usize>, count| {
            next.start / per_page == first.start / per_page && count <= PART
        };
        let mut bytes = 0;
        while next_round(&mut rest, round, fits) > 0 {
            let scatter = match scatter {
                Some(scatter) => scatter,
                None => scatter.insert(Scatter::new(gpu, shader, per_page)?),
            };
            let page = round[0].start / per_page;
            let (first, page) = (page * per_page, pages.page(page));
            bytes += scatter.upload(gpu, upload, page, first, round, source)?;
            upload.limit_staging(gpu)?;
        }
        Ok(bytes)
    }
}

/// Replaces ranges by others. One copy in storage order is faster than many that move most of the elements.
fn replace(
    changed: &mut Vec<Range<usize>>,
    newer: impl Iterator<Item = Range<usize>>,
    count: usize,
) {
    changed.clear();
    changed.extend(newer);
    let total: usize = changed.iter().map(Range::len).sum();
    if changed.len() > MAX_COPIES && total > count / 2 {
        changed.clear();
        changed.push(0..count);
    }
}

/// Takes ranges if there are too many to copy each.
fn take_many(changed: &mut Vec<Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let end = if changed.len() > MAX_COPIES { changed.len() } else { 0 };
    changed.drain(..end)
}
