//! The GPU copy of one array: copied in ranges, or scattered.

use std::iter;
use std::ops::Range;

use super::changes::union;
use super::elements::Elements;
use super::pages::PagedArray;
use super::scatter::{MAX_ROUND, Scatter};
use crate::render::change_tracked::merged;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::{self, Upload};
use crate::render::{Gpu, RenderError};

/// Changed ranges of any length that are copied instead of scattered.
const MAX_COPIES: usize = 64;

/// Mean length of changed ranges, in cubes, from which any number of them is copied.
const LONG_RANGE: usize = 64;

/// Elements gathered by one task of a thread.
#[cfg(parallel)]
const TASK: usize = 512;

/// An array of all cubes on the GPU.
pub(super) struct GpuCopy {
    pages: PagedArray,
    /// Created by the first upload of many ranges.
    scatter: Option<Scatter>,
    /// Changed ranges of the current upload.
    changed: Vec<Range<usize>>,
    /// Changed cubes of one round of scattering, and the bytes of their elements.
    cubes: Vec<u32>,
    contents: Vec<u8>,
}

impl GpuCopy {
    pub(super) fn new(pages: PagedArray) -> Self {
        Self { pages, scatter: None, changed: Vec::new(), cubes: Vec::new(), contents: Vec::new() }
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
        let total: usize = self.changed.iter().map(Range::len).sum();
        let many = self.changed.len() > MAX_COPIES.max(total / LONG_RANGE);
        // One copy in storage order is faster than many that move most of the elements.
        if many && total > count / 2 {
            return self.pages.copy(gpu, upload, iter::once(0..count), elements);
        }
        if !many || !gpu.can_compute() {
            let copies = merged(self.changed.drain(..), upload::largest_gap(gpu) / E::SIZE);
            return self.pages.copy(gpu, upload, copies, elements);
        }
        let scatter = match self.scatter.take() {
            Some(scatter) => scatter,
            None => Scatter::new(gpu, shader, E::SIZE, self.pages.per_page())?,
        };
        let bytes = self.scatter(gpu, upload, &scatter, elements);
        self.scatter = Some(scatter);
        bytes
    }

    /// Scatters the changed ranges, in rounds. The elements of a round are made together, on all threads: each is
    /// far from the others in memory.
    fn scatter<E: Elements>(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        scatter: &Scatter,
        elements: &E,
    ) -> Result<u64, RenderError> {
        let Self { pages, changed, cubes, contents, .. } = self;
        let per_page = pages.per_page();
        let page_of = |cube: u32| cube as usize / per_page;
        let mut bytes = 0;
        let mut finish_round = |cubes: &mut Vec<u32>| -> Result<(), RenderError> {
            contents.resize(cubes.len() * E::SIZE, 0);
            gather(elements, cubes, contents);
            let mut rest = &contents[..];
            for cubes in cubes.chunk_by(|&a, &b| page_of(a) == page_of(b)) {
                let (part, others) = rest.split_at(cubes.len() * E::SIZE);
                rest = others;
                let page = page_of(cubes[0]);
                let first = (page * per_page) as u32;
                bytes += scatter.upload(gpu, upload, pages.page(page), first, cubes, part)?;
                upload.limit_staging(gpu)?;
            }
            cubes.clear();
            Ok(())
        };
        cubes.clear();
        for range in changed {
            let mut start = range.start;
            while start < range.end {
                let end = range.end.min(start + MAX_ROUND - cubes.len());
                cubes.extend(start as u32..end as u32);
                start = end;
                if cubes.len() == MAX_ROUND {
                    finish_round(cubes)?;
                }
            }
        }
        finish_round(cubes)?;
        Ok(bytes)
    }
}

/// Copies the elements of single cubes to `out`. With the `parallel` feature it runs on the current thread pool.
fn gather<E: Elements>(elements: &E, cubes: &[u32], out: &mut [u8]) {
    #[cfg(parallel)]
    if cubes.len() > TASK {
        use rayon::prelude::*;
        let tasks = cubes.par_chunks(TASK).zip(out.par_chunks_mut(TASK * E::SIZE));
        return tasks.for_each(|(cubes, out)| elements.gather(cubes, out));
    }
    elements.gather(cubes, out);
}
