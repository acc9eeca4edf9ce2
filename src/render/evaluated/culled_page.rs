//! What culling writes for one page: the list of visible cubes and the arguments of draw calls.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::record::Record;
use crate::render::buffer_bindings;
use crate::render::{Gpu, RenderError};

/// Cubes per workgroup: `WORKGROUP_SIZE` in `shaders/culling.wgsl`.
pub(super) const WORKGROUP_SIZE: u32 = 256;

/// Bytes of a `Workgroup`: 24 masks and 3 offsets.
const WORKGROUP_BYTES: u64 = 27 * 4;

/// Counts and arguments of draw calls: `PageDraws` in `shaders/culling.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PageDraws {
    /// Cubes drawn in full, across an edge of the frame, and as one triangle.
    pub(super) counts: [u32; 3],
    cubes: u32,
    full_instances: [u32; 5],
    full_rest: [u32; 5],
    crossing_instances: [u32; 5],
    crossing_rest: [u32; 5],
    small: [u32; 4],
}

const _: () = assert!(size_of::<PageDraws>() == 112);

/// Offsets of the arguments of draw calls with indices.
pub(super) const FULL_DRAWS: [u64; 4] = [
    offset_of!(PageDraws, full_instances) as u64,
    offset_of!(PageDraws, full_rest) as u64,
    offset_of!(PageDraws, crossing_instances) as u64,
    offset_of!(PageDraws, crossing_rest) as u64,
];

/// Offset of the arguments of the draw call of small cubes.
pub(super) const SMALL_DRAW: u64 = offset_of!(PageDraws, small) as u64;

/// Buffers of one page that culling writes.
pub(super) struct CulledPage {
    /// The page of records they belong to.
    pub(super) records: wgpu::Buffer,
    pub(super) list: wgpu::Buffer,
    /// A [`PageDraws`].
    pub(super) draws: wgpu::Buffer,
    /// Group 1 of the compute shaders.
    pub(super) bindings: wgpu::BindGroup,
    /// Cubes in the page, once `draws` has their number.
    cubes: u32,
}

impl CulledPage {
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        records: &wgpu::Buffer,
    ) -> Result<Self, RenderError> {
        let buffer = |label, size, usage| {
            gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let none = wgpu::BufferUsages::empty();
        let capacity = records.size() / size_of::<Record>() as u64;
        let list = buffer("visible cubes", capacity * size_of::<u32>() as u64, none)?;
        let workgroups = capacity.div_ceil(WORKGROUP_SIZE.into()) * WORKGROUP_BYTES;
        let workgroups = buffer("workgroups of visible cubes", workgroups, none)?;
        let draws = buffer(
            "draws of visible cubes",
            size_of::<PageDraws>() as u64,
            wgpu::BufferUsages::INDIRECT
                | wgpu::BufferUsages::COPY_DST
                | wgpu::BufferUsages::COPY_SRC,
        )?;
        let buffers = [records, &list, &workgroups, &draws];
        let bindings = buffer_bindings::bind(gpu, "culling", layout, &buffers);
        Ok(Self { records: records.clone(), list, draws, bindings, cubes: 0 })
    }

    /// Sets the number of cubes in the page.
    pub(super) fn set_cubes(&mut self, gpu: &Gpu, cubes: u32) {
        if self.cubes != cubes {
            self.cubes = cubes;
            let offset = offset_of!(PageDraws, cubes) as u64;
            gpu.queue.write_buffer(&self.draws, offset, bytemuck::bytes_of(&cubes));
        }
    }

    /// Workgroups of the dispatches over all cubes.
    pub(super) fn workgroups(&self) -> u32 {
        self.cubes.div_ceil(WORKGROUP_SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::scene_shader::tests::Shader;

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_offsets() {
        let shader = Shader::evaluated();
        let (members, span) = shader.struct_layout("PageDraws");
        let expected = [
            ("counts", offset_of!(PageDraws, counts)),
            ("cubes", offset_of!(PageDraws, cubes)),
            ("full_instances", offset_of!(PageDraws, full_instances)),
            ("full_rest", offset_of!(PageDraws, full_rest)),
            ("crossing_instances", offset_of!(PageDraws, crossing_instances)),
            ("crossing_rest", offset_of!(PageDraws, crossing_rest)),
            ("small", offset_of!(PageDraws, small)),
        ];
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<PageDraws>());
        assert_eq!(shader.struct_layout("Workgroup").1 as u64, WORKGROUP_BYTES);
    }
}
