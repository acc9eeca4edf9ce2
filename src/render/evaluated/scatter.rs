//! Scattered uploads: the records and colors of changed cubes are copied as one block, and a compute shader moves
//! them to their places.
//!
//! Thousands of new cubes a frame change as many places of a page. A copy command for each takes longer than
//! drawing the frame.

use std::iter;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::pages::{PART, Page};
use super::record::{CubeSource, Record, write_each};
use crate::components::Color;
use crate::render::buffer_bindings::{self, READ, WRITE};
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Gpu, RenderError};

/// Bytes of `u32`, the unit of copying in `shaders/scatter.wgsl`.
const WORD: usize = 4;

/// Words copied by a workgroup of `shaders/scatter.wgsl`.
const WORKGROUP_SIZE: usize = 64;

/// What is moved of a cube.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Change {
    record: Record,
    color: Color,
}

/// Moves the records and colors of changed cubes.
pub(super) struct Scatter {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    /// The number of changed cubes, their indices in a page, and their elements.
    changes: wgpu::Buffer,
}

impl Scatter {
    /// Bytes of a number of changed cubes: the number, an index for each, and their elements.
    pub(super) const fn bytes(cubes: usize) -> usize {
        WORD + cubes * (WORD + size_of::<Change>())
    }

    /// Creates pipeline and buffer for pages of up to `largest` cubes.
    pub(super) fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        largest: usize,
    ) -> Result<Self, RenderError> {
        let types = [WRITE, WRITE, READ];
        let layout = buffer_bindings::layout(gpu, "scatter", wgpu::ShaderStages::COMPUTE, &types);
        let changes = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: Some("changed cubes"),
            size: Self::bytes(PART.min(largest)) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })?;
        let constants = [("RECORD_WORDS", (size_of::<Record>() / WORD) as f64)];
        let pipeline = shader.compute_pipeline(gpu, "cs_scatter", &[Some(&layout)], &constants);
        Ok(Self { pipeline, layout, changes })
    }

    /// Uploads ranges of cubes of one page, together at most [`PART`]. The first cube of the page has index `first`.
    /// Returns the number of uploaded bytes.
    pub(super) fn upload(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        Page { buffers: [records, colors], scatter, .. }: &mut Page,
        first: usize,
        cubes: &[Range<usize>],
        source: &CubeSource<'_>,
    ) -> Result<u64, RenderError> {
        let count = cubes.iter().map(Range::len).sum();
        let (places, size) = (WORD * (1 + count), Self::bytes(count) as u64);
        upload.write(gpu, &self.changes, 0, size, |mut out| {
            let (head, _) = out.slice(..places).into_chunks::<WORD>();
            let indices = cubes.iter().cloned().flatten().map(|cube| cube - first);
            head.write_iter(iter::once(count).chain(indices).map(|it| (it as u32).to_ne_bytes()));
            write_each(cubes, out.slice(places..), |cube| -> [u8; size_of::<Change>()] {
                bytemuck::cast(Change { record: source.record(cube), color: source.colors[cube] })
            });
        })?;
        let group = scatter.get_or_insert_with(|| {
            let buffers = [&*records, &*colors, &self.changes];
            buffer_bindings::bind(gpu, "scatter", &self.layout, &buffers)
        });
        let descriptor =
            wgpu::ComputePassDescriptor { label: Some("scatter"), timestamp_writes: None };
        let mut pass = upload.encoder(gpu).begin_compute_pass(&descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &*group, &[]);
        let words = count * size_of::<Change>() / WORD;
        pass.dispatch_workgroups(words.div_ceil(WORKGROUP_SIZE) as u32, 1, 1);
        Ok(size)
    }
}
