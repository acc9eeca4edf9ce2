//! Instanced cubes: one instance of a mesh to a cube, for adapters that cannot pull.
//!
//! The instance buffers are the packed component arrays as they lie: the vertex layouts below are
//! the memory layouts of the components, stepped once per instance.

use std::mem::offset_of;

use super::Gpu;
use super::cube_mesh::{self, CubeCorner};
use super::scene_shader::{Draw, Entry, SceneShader};
use crate::components::{Color, Position, Rotation, Scale};

const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const POSITION_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x3];
const ROTATION_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![3 => Float32x4];
const SCALE_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32];
const COLOR_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Unorm8x4];

const _: () = assert!(CORNER_ATTRIBUTES[1].offset as usize == offset_of!(CubeCorner, normal));

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

const LAYOUTS: [Option<wgpu::VertexBufferLayout<'_>>; 5] = [
    Some(layout::<CubeCorner>(wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES)),
    Some(layout::<Position>(wgpu::VertexStepMode::Instance, &POSITION_ATTRIBUTES)),
    Some(layout::<Rotation>(wgpu::VertexStepMode::Instance, &ROTATION_ATTRIBUTES)),
    Some(layout::<Scale>(wgpu::VertexStepMode::Instance, &SCALE_ATTRIBUTES)),
    Some(layout::<Color>(wgpu::VertexStepMode::Instance, &COLOR_ATTRIBUTES)),
];

/// Pipelines and mesh, unchanged from frame to frame.
pub(super) struct InstancedCubes {
    all: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
}

impl InstancedCubes {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader) -> Self {
        let corners = cube_mesh::corners();
        let indices = cube_mesh::indices();
        Self {
            all: shader.pipeline(
                gpu,
                &Draw {
                    label: "cubes",
                    entry: Entry::InstancedCubes,
                    vertex_buffers: &LAYOUTS,
                    cull_mode: Some(wgpu::Face::Back),
                    ..Draw::default()
                },
            ),
            shadow: shader.shadow_pipeline(
                gpu,
                &Draw {
                    label: "shadows of cubes",
                    entry: Entry::InstancedCubes,
                    vertex_buffers: &LAYOUTS,
                    // The faces turned away from the light bound the shadow.
                    cull_mode: Some(wgpu::Face::Front),
                    ..Draw::default()
                },
            ),
            corners: gpu.filled_buffer(
                "cube corners",
                bytemuck::bytes_of(&corners),
                wgpu::BufferUsages::VERTEX,
            ),
            indices: gpu.filled_buffer(
                "cube indices",
                bytemuck::bytes_of(&indices),
                wgpu::BufferUsages::INDEX,
            ),
            index_count: indices.len() as u32,
        }
    }

    /// Draws `count` cubes; each of the buffers (positions, rotations, scales, colours) holds as
    /// many instances.
    pub(super) fn draw_all(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: [&wgpu::Buffer; 4],
        count: u32,
    ) {
        pass.set_pipeline(&self.all);
        self.draw(pass, arrays, count);
    }

    /// Draws the shadows of the cubes.
    pub(super) fn draw_shadows(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: [&wgpu::Buffer; 4],
        count: u32,
    ) {
        pass.set_pipeline(&self.shadow);
        self.draw(pass, arrays, count);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, arrays: [&wgpu::Buffer; 4], count: u32) {
        pass.set_vertex_buffer(0, self.corners.slice(..));
        for (slot, array) in (1..).zip(arrays) {
            pass.set_vertex_buffer(slot, array.slice(..));
        }
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
        let names = ["corner", "normal", "position", "rotation", "scale", "color"];
        let attributes = LAYOUTS.iter().flatten().flat_map(|layout| layout.attributes);
        let held: BTreeMap<u32, (String, u32)> = attributes
            .zip(names)
            .map(|(attribute, name)| {
                let size = match attribute.format {
                    // A fetch widens this to four floats; all others are read as they lie.
                    wgpu::VertexFormat::Unorm8x4 => 16,
                    format => format.size() as u32,
                };
                (attribute.shader_location, (name.to_owned(), size))
            })
            .collect();
        let shader = Shader::scene();
        assert_eq!(shader.vertex_inputs("vs_instanced"), held);
        assert_eq!(shader.vertex_inputs("vs_instanced_plain"), held);
        assert_eq!(shader.vertex_inputs("vs_instanced_shadow"), held);
    }
}
