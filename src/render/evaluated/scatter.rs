//! Scattered uploads: changed elements are copied as one block, and a compute shader moves them to their places.
//!
//! Thousands of new cubes a frame change as many places of a page. A copy command for each takes longer than
//! drawing the frame.

use std::iter;

use super::pages::Page;
use crate::render::buffer_bindings::{self, READ, WRITE};
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Gpu, RenderError};

/// Elements moved by one dispatch, at most.
pub(super) const MAX_ROUND: usize = 1 << 16;

/// Bytes of `u32`, the unit of copying in `shaders/scatter.wgsl`.
const WORD: usize = 4;

/// Words copied by a workgroup of `shaders/scatter.wgsl`.
const GROUP: usize = 64;

/// Moves single elements.
pub(super) struct Scatter {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    /// The number of words to move, and the indices of the elements in a page.
    places: wgpu::Buffer,
    contents: wgpu::Buffer,
}

impl Scatter {
    /// Creates pipeline and buffers for pages of up to `largest` elements of `size` bytes.
    pub(super) fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        size: usize,
        largest: usize,
    ) -> Result<Self, RenderError> {
        let types = [WRITE, READ, READ];
        let layout = buffer_bindings::layout(gpu, "scatter", wgpu::ShaderStages::COMPUTE, &types);
        let round = MAX_ROUND.min(largest);
        let constants = [("ELEMENT_WORDS", (size / WORD) as f64)];
        let buffer = |label, size| {
            gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        Ok(Self {
            pipeline: shader.compute_pipeline(gpu, "cs_scatter", &[Some(&layout)], &constants),
            places: buffer("places of changed elements", ((1 + round) * size_of::<u32>()) as u64)?,
            contents: buffer("changed elements", (round * size) as u64)?,
            layout,
        })
    }

    /// Uploads the elements of different cubes of one page, at most [`MAX_ROUND`]. The first cube of the page has
    /// index `first`; `contents` are the bytes of the elements. Returns the number of uploaded bytes.
    pub(super) fn upload(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        page: &mut Page,
        first: u32,
        cubes: &[u32],
        contents: &[u8],
    ) -> Result<u64, RenderError> {
        let words = contents.len() / WORD;
        let places = ((1 + cubes.len()) * size_of::<u32>()) as u64;
        upload.write(gpu, &self.places, 0, places, |out| {
            let (places, _) = out.into_chunks::<{ size_of::<u32>() }>();
            let indices = cubes.iter().map(|cube| cube - first);
            places.write_iter(iter::once(words as u32).chain(indices).map(u32::to_ne_bytes));
        })?;
        let size = contents.len() as u64;
        upload.write(gpu, &self.contents, 0, size, |mut out| out.copy_from_slice(contents))?;
        let group = page.scatter.get_or_insert_with(|| {
            let buffers = [&page.buffer, &self.places, &self.contents];
            buffer_bindings::bind(gpu, "scatter", &self.layout, &buffers)
        });
        let descriptor =
            wgpu::ComputePassDescriptor { label: Some("scatter"), timestamp_writes: None };
        let mut pass = upload.encoder(gpu).begin_compute_pass(&descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &*group, &[]);
        pass.dispatch_workgroups(words.div_ceil(GROUP) as u32, 1, 1);
        Ok(places + size)
    }
}
