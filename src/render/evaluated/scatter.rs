//! Scattered uploads: the records and colors of changed cubes are copied as one block, and a compute shader moves
//! them to their places.
//!
//! Thousands of new cubes a frame change as many places of a page. A copy command for each takes longer than
//! drawing the frame.

use std::iter;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::elements::{Elements, write_each};
use super::pages::PART;
use super::record::{Record, RecordSource};
use crate::components::Color;
use crate::render::buffer_bindings::{self, READ, WRITE};
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Gpu, RenderError};

/// Cubes moved by one dispatch, at most: those of any part of a range.
pub(super) const MAX_ROUND: usize = PART;

/// Bytes of `u32`, the unit of copying in `shaders/scatter.wgsl`.
const WORD: usize = 4;

/// Words copied by a workgroup of `shaders/scatter.wgsl`.
const GROUP: usize = 64;

/// What is moved of a cube.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Change {
    record: Record,
    color: Color,
}

/// Records, each with the color of its cube.
#[derive(Clone, Copy)]
pub(super) struct WithColors<'a> {
    pub(super) records: RecordSource<'a>,
    pub(super) colors: &'a [Color],
}

impl Elements for WithColors<'_> {
    const SIZE: usize = size_of::<Change>();

    fn write(&self, ranges: &[Range<usize>], out: wgpu::WriteOnly<'_, [u8]>) {
        write_each(ranges, out, |cube| -> [u8; size_of::<Change>()] {
            bytemuck::cast(Change { record: self.records.record(cube), color: self.colors[cube] })
        });
    }
}

/// Changed cubes of one page.
pub(super) struct Round<'a> {
    /// Index of the first cube of the page.
    pub(super) first: usize,
    pub(super) cubes: &'a [Range<usize>],
    /// Their number, at most [`MAX_ROUND`].
    pub(super) count: usize,
}

/// Moves single records and colors.
pub(super) struct Scatter {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    /// The number of changed cubes, their indices in a page, and their elements.
    changes: wgpu::Buffer,
}

impl Scatter {
    /// Bytes of a number of changed cubes: the number, an index for each, and their elements.
    pub(super) const fn bytes(cubes: usize) -> usize {
        WORD + cubes * (WORD + WithColors::SIZE)
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
            size: Self::bytes(MAX_ROUND.min(largest)) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })?;
        let pipeline = shader.compute_pipeline(gpu, "cs_scatter", &[Some(&layout)], &[]);
        Ok(Self { pipeline, layout, changes })
    }

    /// Binds the buffers of a page: records and colors.
    pub(super) fn bind(&self, gpu: &Gpu, [records, colors]: [&wgpu::Buffer; 2]) -> wgpu::BindGroup {
        buffer_bindings::bind(gpu, "scatter", &self.layout, &[records, colors, &self.changes])
    }

    /// Uploads changed cubes to the page of a [bind group](Self::bind). Returns the number of uploaded bytes.
    pub(super) fn upload(
        &self,
        gpu: &Gpu,
        upload: &mut Upload,
        page: &wgpu::BindGroup,
        Round { first, cubes, count }: Round<'_>,
        elements: &WithColors<'_>,
    ) -> Result<u64, RenderError> {
        let (places, size) = (WORD * (1 + count), Self::bytes(count) as u64);
        upload.write(gpu, &self.changes, 0, size, |mut out| {
            let (head, _) = out.slice(..places).into_chunks::<WORD>();
            let indices = cubes.iter().cloned().flatten().map(|cube| cube - first);
            head.write_iter(iter::once(count).chain(indices).map(|it| (it as u32).to_ne_bytes()));
            elements.write(cubes, out.slice(places..));
        })?;
        let descriptor =
            wgpu::ComputePassDescriptor { label: Some("scatter"), timestamp_writes: None };
        let mut pass = upload.encoder(gpu).begin_compute_pass(&descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, page, &[]);
        let words = count * WithColors::SIZE / WORD;
        pass.dispatch_workgroups(words.div_ceil(GROUP) as u32, 1, 1);
        Ok(size)
    }
}
