//! Instanced geometry: one instance of a mesh per cube, for adapters without vertex pulling.
//!
//! The instance buffers have the memory layout of the packed component arrays; the vertex layouts
//! below step through them once per instance.

use std::mem::offset_of;

use super::Gpu;
use super::cube_mesh::{self, CubeCorner};
use super::endless_variants::EndlessVariants;
use super::scene_shader::{PipelineSettings, SceneShader};
use super::shadow_map;
use crate::components::{Color, Position, Rotation, Scale};

const CORNER_ATTRIBUTES: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const POSITION_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![2 => Float32x3];
const ROTATION_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![3 => Float32x4];
const SCALE_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![4 => Float32];
const COLOR_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Unorm8x4];

const _: () = assert!(CORNER_ATTRIBUTES[1].offset as usize == offset_of!(CubeCorner, normal));

/// Layout of a buffer of `T`.
pub(super) const fn layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as wgpu::BufferAddress,
        step_mode,
        attributes,
    }
}

/// Layout of the mesh, the first vertex buffer.
pub(super) const MESH: Option<wgpu::VertexBufferLayout<'_>> =
    Some(layout::<CubeCorner>(wgpu::VertexStepMode::Vertex, &CORNER_ATTRIBUTES));

/// Where vertex shaders of instanced cubes get their cubes from.
pub(super) struct InstancedInput {
    pub(super) layouts: &'static [Option<wgpu::VertexBufferLayout<'static>>],
    /// Vertex shaders of the scene, of the scene without effects per pixel, and of the shadow map.
    pub(super) vertex: &'static str,
    pub(super) plain_vertex: &'static str,
    pub(super) shadow_vertex: &'static str,
    /// The vertex shaders are of evaluated motion.
    pub(super) evaluated: bool,
}

/// The packed component arrays: positions, rotations, scales, colors.
pub(super) const ARRAYS: InstancedInput = InstancedInput {
    layouts: &LAYOUTS,
    vertex: "vs_instanced",
    plain_vertex: "vs_instanced_plain",
    shadow_vertex: "vs_instanced_shadow",
    evaluated: false,
};

const LAYOUTS: [Option<wgpu::VertexBufferLayout<'_>>; 5] = [
    MESH,
    Some(layout::<Position>(wgpu::VertexStepMode::Instance, &POSITION_ATTRIBUTES)),
    Some(layout::<Rotation>(wgpu::VertexStepMode::Instance, &ROTATION_ATTRIBUTES)),
    Some(layout::<Scale>(wgpu::VertexStepMode::Instance, &SCALE_ATTRIBUTES)),
    Some(layout::<Color>(wgpu::VertexStepMode::Instance, &COLOR_ATTRIBUTES)),
];

/// Pipelines and mesh.
pub(super) struct InstancedCubes {
    input: &'static InstancedInput,
    pipelines: EndlessVariants<Pipelines>,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
}

/// Pipelines of instanced cubes.
pub(super) struct Pipelines {
    pub(super) scene: wgpu::RenderPipeline,
    /// `None` without shadows.
    pub(super) shadow: Option<wgpu::RenderPipeline>,
}

impl Pipelines {
    fn new(gpu: &Gpu, shader: &SceneShader, input: &InstancedInput, endless: bool) -> Self {
        let [vertex, fragment] = if shader.is_plain() {
            [input.plain_vertex, "fs_plain"]
        } else {
            [input.vertex, "fs_cube"]
        };
        let scene = PipelineSettings {
            label: "cubes",
            vertex,
            fragment: Some(fragment),
            vertex_buffers: input.layouts,
            cull_mode: Some(wgpu::Face::Back),
            endless,
            evaluated: input.evaluated,
            ..Default::default()
        };
        let shadow = PipelineSettings {
            label: "cube shadows",
            vertex: input.shadow_vertex,
            vertex_buffers: input.layouts,
            // The faces turned away from the light bound the shadow.
            cull_mode: Some(wgpu::Face::Front),
            depth: shadow_map::depth_state(),
            endless,
            evaluated: input.evaluated,
            ..Default::default()
        };
        Self {
            scene: shader.pipeline(gpu, &scene),
            shadow: shader.has_shadows().then(|| shader.pipeline(gpu, &shadow)),
        }
    }
}

impl InstancedCubes {
    pub(super) fn new(gpu: &Gpu, input: &'static InstancedInput) -> Self {
        let (corners, indices) = (cube_mesh::corners(), cube_mesh::indices());
        let corner_bytes = bytemuck::bytes_of(&corners);
        let index_bytes = bytemuck::bytes_of(&indices);
        Self {
            input,
            pipelines: EndlessVariants::new(),
            corners: gpu.filled_buffer("cube corners", corner_bytes, wgpu::BufferUsages::VERTEX),
            indices: gpu.filled_buffer("cube indices", index_bytes, wgpu::BufferUsages::INDEX),
            index_count: indices.len() as u32,
        }
    }

    /// Draws cubes in place or those of an endless field from now on.
    pub(super) fn set_endless(&mut self, gpu: &Gpu, shader: &SceneShader, endless: bool) {
        let Self { pipelines, input, .. } = self;
        pipelines.set(shader, endless, |endless| Pipelines::new(gpu, shader, input, endless));
    }

    /// The pipelines in use.
    ///
    /// # Panics
    /// [`set_endless`](Self::set_endless) has not been called.
    pub(super) fn pipelines(&self) -> &Pipelines {
        self.pipelines.current()
    }

    /// Draws the first `count` cubes of the vertex buffers after the mesh.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        cubes: &[&wgpu::Buffer],
        count: u32,
    ) {
        // Browsers warn of draws of nothing.
        if count == 0 {
            return;
        }
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        for (slot, buffer) in (1..).zip(cubes) {
            pass.set_vertex_buffer(slot, buffer.slice(..));
        }
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.index_count, 0, 0..count);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::render::scene_shader::tests::Shader;

    /// Asserts that the shader has fields with these names at the locations of the vertex layouts.
    pub(in crate::render) fn assert_locations(
        input: &InstancedInput,
        names: &[&str],
        shader: &Shader,
    ) {
        let attributes = input.layouts.iter().flatten().flat_map(|layout| layout.attributes);
        let expected: BTreeMap<u32, (String, u32)> = attributes
            .zip(names)
            .map(|(attribute, &name)| {
                let size = match attribute.format {
                    // The vertex fetch widens this to four floats.
                    wgpu::VertexFormat::Unorm8x4 => 16,
                    format => format.size() as u32,
                };
                (attribute.shader_location, (name.to_owned(), size))
            })
            .collect();
        assert_eq!(expected.len(), names.len());
        for entry_point in [input.vertex, input.plain_vertex, input.shadow_vertex] {
            assert_eq!(shader.vertex_inputs(entry_point), expected, "{entry_point}");
        }
    }

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_locations() {
        let names = ["corner", "normal", "position", "rotation", "scale", "color"];
        assert_locations(&ARRAYS, &names, &Shader::scene());
    }
}
