//! The GPU copy of one array: copied in ranges, or scattered.

use std::ops::Range;

use super::changes::union;
use super::elements::Elements;
use super::pages::PagedArray;
use super::scatter::Scatter;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Gpu, RenderError};

/// Changed ranges up to which each is copied by a command of its own.
const MAX_COPIES: usize = 64;

/// An array of all cubes on the GPU.
pub(super) struct GpuCopy {
    pages: PagedArray,
    /// Created by the first upload of many ranges.
    scatter: Option<Scatter>,
    /// Changed ranges of the current upload.
    changed: Vec<Range<usize>>,
    /// Changed cubes of one round of scattering.
    cubes: Vec<u32>,
}

impl GpuCopy {
    pub(super) fn new(pages: PagedArray) -> Self {
        Self { pages, scatter: None, changed: Vec::new(), cubes: Vec::new() }
    }

    /// Buffers with the elements of `count` cubes, each with its number of cubes.
    pub(super) fn buffers(
        &self,
        count: usize,
    ) -> impl Iterator<Item = (&wgpu::Buffer, u32)> + Clone {
        self.pages.buffers(count)
    }

    /// Uploads the elements of ascending disjoint ranges of cubes, and those of new pages. Returns their
    /// size in bytes.
    pub(super) fn update<E: Elements>(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        newer: impl Iterator<Item = Range<usize>>,
        elements: &E,
    ) -> Result<u64, RenderError> {
        let count = elements.len();
        let lost = self.pages.resize(gpu, count)?;
        self.changed.clear();
        self.changed.extend(union(newer, (!lost.is_empty()).then_some(lost).into_iter()));
        let many = self.changed.len() > MAX_COPIES;
        // One copy in storage order is faster than many that move most of the elements.
        if many && self.changed.iter().map(Range::len).sum::<usize>() > count / 2 {
            return self.pages.copy(gpu, upload, 0..count, elements);
        }
        if !many || !gpu.can_compute() {
            let copies = self.changed.iter();
            return copies.map(|range| self.pages.copy(gpu, upload, range.clone(), elements)).sum();
        }
        let scatter = match self.scatter.take() {
            Some(scatter) => scatter,
            None => Scatter::new(gpu, shader, E::SIZE, self.pages.per_page())?,
        };
        let bytes = self.scatter(gpu, upload, &scatter, elements);
        self.scatter = Some(scatter);
        bytes
    }

    /// Scatters the changed ranges, in rounds within one page.
    fn scatter(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        scatter: &Scatter,
        elements: &impl Elements,
    ) -> Result<u64, RenderError> {
        let Self { pages, changed, cubes, .. } = self;
        let per_page = pages.per_page();
        let mut bytes = 0;
        let mut finish_round = |page: usize, cubes: &mut Vec<u32>| {
            let first = (page * per_page) as u32;
            bytes += scatter.upload(gpu, upload, pages.page(page), first, cubes, elements)?;
            cubes.clear();
            upload.limit_staging(gpu)
        };
        let mut page = 0;
        cubes.clear();
        for range in changed {
            let mut start = range.start;
            while start < range.end {
                if !cubes.is_empty()
                    && (cubes.len() == scatter.round || start >= (page + 1) * per_page)
                {
                    finish_round(page, cubes)?;
                }
                page = start / per_page;
                let end =
                    range.end.min(start + scatter.round - cubes.len()).min((page + 1) * per_page);
                cubes.extend(start as u32..end as u32);
                start = end;
            }
        }
        finish_round(page, cubes)?;
        Ok(bytes)
    }
}
