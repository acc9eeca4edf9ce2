//! Scattered uploads: changed chunks are copied as one block, and a compute shader moves them to their places.
//!
//! Thousands of births a frame change as many places of a page. A copy command for each takes longer than
//! drawing the frame.

use super::elements::Elements;
use super::pages::Page;
use crate::render::buffer_bindings::{self, READ, WRITE};
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{CHANGE_CHUNK, Gpu, RenderError};

/// Chunks moved by one dispatch, at most.
const MAX_ROUND: usize = 4096;

/// Bytes of `vec4u`, the unit of copying in `shaders/scatter.wgsl`.
const QUAD: usize = 16;

/// Moves chunks of the elements `E`.
pub(super) struct Scatter {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    /// Numbers of the chunks in a page.
    chunks: wgpu::Buffer,
    contents: wgpu::Buffer,
    /// Chunks moved by one dispatch, at most.
    pub(super) round: usize,
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
        let bytes = CHANGE_CHUNK * size;
        let round = MAX_ROUND.min(largest / CHANGE_CHUNK);
        let constants = [("CHUNK_QUADS", (bytes / QUAD) as f64)];
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
            chunks: buffer("changed chunks", (round * size_of::<u32>()) as u64)?,
            contents: buffer("contents of changed chunks", (round * bytes) as u64)?,
            layout,
            round,
        })
    }

    /// Uploads chunks, at most [`round`](Self::round), to a page whose first chunk has number `first`. Returns the
    /// number of uploaded bytes.
    pub(super) fn upload<E: Elements>(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        page: &mut Page,
        first: u32,
        chunks: &[u32],
        elements: &E,
    ) -> Result<u64, RenderError> {
        let numbers = size_of_val(chunks) as u64;
        upload.write(gpu, &self.chunks, 0, numbers, |out| {
            let (numbers, _) = out.into_chunks::<{ size_of::<u32>() }>();
            numbers.write_iter(chunks.iter().map(|chunk| (chunk - first).to_ne_bytes()));
        })?;
        let contents = (chunks.len() * CHANGE_CHUNK * E::SIZE) as u64;
        upload.write(gpu, &self.contents, 0, contents, |out| elements.write_chunks(chunks, out))?;
        let group = page.scatter.get_or_insert_with(|| {
            let buffers = [&page.buffer, &self.chunks, &self.contents];
            buffer_bindings::bind(gpu, "scatter", &self.layout, &buffers)
        });
        let descriptor =
            wgpu::ComputePassDescriptor { label: Some("scatter"), timestamp_writes: None };
        let mut pass = upload.encoder(gpu).begin_compute_pass(&descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &*group, &[]);
        pass.dispatch_workgroups(chunks.len() as u32, 1, 1);
        Ok(numbers + contents)
    }
}
