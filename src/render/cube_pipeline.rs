//! Cube pipeline: draws every cube with one instanced call.
//!
//! The instance buffers are the packed component arrays as they lie: the vertex layouts below are
//! the memory layouts of `Transform` and `Color`, stepped once per instance.

use std::mem::offset_of;

use wgpu::util::DeviceExt;

use super::cube_mesh::{self, CubeCorner};
use super::{Gpu, depth};
use crate::components::{Color, Transform};

const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const TRANSFORM_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![2 => Float32x3, 3 => Float32, 4 => Float32x4];
const COLOR_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Unorm8x4];

const _: () = {
    assert!(TRANSFORM_ATTRIBUTES[0].offset as usize == offset_of!(Transform, position));
    assert!(TRANSFORM_ATTRIBUTES[1].offset as usize == offset_of!(Transform, scale));
    assert!(TRANSFORM_ATTRIBUTES[2].offset as usize == offset_of!(Transform, rotation));
    assert!(CORNER_ATTRIBUTES[1].offset as usize == offset_of!(CubeCorner, normal));
};

const fn layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as wgpu::BufferAddress,
        step_mode,
        attributes,
    }
}

const LAYOUTS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    Some(layout::<CubeCorner>(wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES)),
    Some(layout::<Transform>(wgpu::VertexStepMode::Instance, &TRANSFORM_ATTRIBUTES)),
    Some(layout::<Color>(wgpu::VertexStepMode::Instance, &COLOR_ATTRIBUTES)),
];

/// Pipeline and mesh, unchanged from frame to frame.
pub(super) struct CubePipeline {
    pipeline: wgpu::RenderPipeline,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
}

impl CubePipeline {
    pub(super) fn new(
        gpu: &Gpu,
        shader: &wgpu::ShaderModule,
        layout: &wgpu::PipelineLayout,
        format: wgpu::TextureFormat,
    ) -> Self {
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("cubes"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module: shader,
                entry_point: Some("vs_cube"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &LAYOUTS,
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: Some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: Some(depth::test(true)),
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: shader,
                entry_point: Some("fs_cube"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let buffer = |label, contents, usage| {
            let descriptor =
                wgpu::util::BufferInitDescriptor { label: Some(label), contents, usage };
            gpu.device.create_buffer_init(&descriptor)
        };
        let corners = cube_mesh::corners();
        let indices = cube_mesh::indices();
        Self {
            pipeline,
            corners: buffer(
                "cube corners",
                bytemuck::bytes_of(&corners),
                wgpu::BufferUsages::VERTEX,
            ),
            indices: buffer(
                "cube indices",
                bytemuck::bytes_of(&indices),
                wgpu::BufferUsages::INDEX,
            ),
            index_count: indices.len() as u32,
        }
    }

    /// Draws `count` cubes; both buffers hold at least as many instances.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        transforms: &wgpu::Buffer,
        colors: &wgpu::Buffer,
        count: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_vertex_buffer(1, transforms.slice(..));
        pass.set_vertex_buffer(2, colors.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.index_count, 0, 0..count);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::render::shader_check::Shader;

    #[test]
    fn the_shader_reads_what_the_buffers_hold_under_the_same_names() {
        let fields = [
            ("corner", offset_of!(CubeCorner, corner)),
            ("normal", offset_of!(CubeCorner, normal)),
            ("position", offset_of!(Transform, position)),
            ("scale", offset_of!(Transform, scale)),
            ("rotation", offset_of!(Transform, rotation)),
            ("color", 0),
        ];
        let attributes = LAYOUTS.iter().flatten().flat_map(|layout| layout.attributes);
        let held: BTreeMap<u32, (String, u32)> = attributes
            .zip(fields)
            .map(|(attribute, (name, offset))| {
                assert_eq!(attribute.offset as usize, offset, "{name}");
                let size = match attribute.format {
                    // A fetch widens this to four floats; all others are read as they lie.
                    wgpu::VertexFormat::Unorm8x4 => 16,
                    format => format.size() as u32,
                };
                (attribute.shader_location, (name.to_owned(), size))
            })
            .collect();
        assert_eq!(Shader::parse("scene.wgsl").vertex_inputs("vs_cube"), held);
    }
}
