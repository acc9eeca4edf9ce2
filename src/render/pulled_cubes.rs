//! Vertex pulling: the vertex shader fetches each cube from storage buffers and generates the three
//! faces toward the camera.
//!
//! There are no instances: a mesh of a dozen triangles leaves most vertex lanes of a GPU idle, and
//! three of six faces are never visible. The index buffer has the faces of one block of cubes; the
//! base vertex moves it from block to block.

use std::ops::Range;

use super::culling::VisibleCounts;
use super::scene_shader::{PipelineSettings, SceneShader};
use super::{Gpu, shadow_map};

/// Cubes per block, as many as 16-bit indices allow.
const BLOCK: u32 = 8192;
/// Visible corners of a cube: `VERTICES_PER_CUBE` in `shaders/cubes.wgsl`.
const VERTICES: u32 = 7;
const INDICES: u32 = 18;
const SMALL_VERTICES: u32 = 3;

/// Two triangles for each of the three faces; both begin at the face's far corner.
const FACES: [u16; INDICES as usize] = [1, 5, 0, 1, 0, 6, 2, 4, 0, 2, 0, 6, 3, 4, 0, 3, 0, 5];

const _: () = assert!(BLOCK * VERTICES <= u16::MAX as u32 + 1);

/// Storage buffers of bind group 2: positions, rotations, scales, colors, visible cubes.
const BUFFERS: usize = 5;

/// Pipelines and index buffer.
pub(super) struct PulledCubes {
    layout: wgpu::BindGroupLayout,
    /// Of cubes in place and of those of an endless field, each created when first used.
    pipelines: [Option<Pipelines>; 2],
    endless: bool,
    indices: wgpu::Buffer,
}

/// Pipelines of pulled cubes.
pub(super) struct Pipelines {
    pub(super) all: wgpu::RenderPipeline,
    listed: wgpu::RenderPipeline,
    small: wgpu::RenderPipeline,
    pub(super) shadow: wgpu::RenderPipeline,
}

impl Pipelines {
    fn new(gpu: &Gpu, shader: &SceneShader, layout: &wgpu::BindGroupLayout, endless: bool) -> Self {
        let [full, small, fragment] = if shader.is_plain() {
            ["vs_pulled_plain", "vs_small_plain", "fs_plain"]
        } else {
            ["vs_pulled", "vs_small", "fs_cube"]
        };
        let (cubes, fragment) = (Some(layout), Some(fragment));
        let pipeline = |label, vertex, listed| {
            let settings = PipelineSettings {
                label,
                vertex,
                fragment,
                cubes,
                listed,
                endless,
                ..Default::default()
            };
            shader.pipeline(gpu, &settings)
        };
        let shadow = PipelineSettings {
            label: "cube shadows",
            vertex: "vs_pulled_shadow",
            cubes,
            depth: shadow_map::depth_state(),
            endless,
            ..Default::default()
        };
        Self {
            all: pipeline("cubes", full, false),
            listed: pipeline("visible cubes", full, true),
            small: pipeline("small cubes", small, true),
            shadow: shader.pipeline(gpu, &shadow),
        }
    }
}

impl PulledCubes {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let entries: [_; BUFFERS] = std::array::from_fn(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        });
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("cubes"),
            entries: &entries,
        });
        let indices: Vec<u16> = (0..BLOCK)
            .flat_map(|cube| FACES.map(|vertex| (cube * VERTICES) as u16 + vertex))
            .collect();
        let index_bytes = bytemuck::cast_slice(&indices);
        Self {
            pipelines: [None, None],
            endless: false,
            indices: gpu.filled_buffer("cube indices", index_bytes, wgpu::BufferUsages::INDEX),
            layout,
        }
    }

    /// Draws cubes in place or those of an endless field from now on.
    pub(super) fn set_endless(&mut self, gpu: &Gpu, shader: &SceneShader, endless: bool) {
        self.endless = endless;
        let pipelines = &mut self.pipelines[usize::from(endless)];
        pipelines.get_or_insert_with(|| Pipelines::new(gpu, shader, &self.layout, endless));
    }

    /// The pipelines in use.
    ///
    /// # Panics
    /// [`set_endless`](Self::set_endless) has not been called.
    pub(super) fn pipelines(&self) -> &Pipelines {
        self.pipelines[usize::from(self.endless)].as_ref().expect("the frame is prepared")
    }

    /// Creates bind group 2.
    pub(super) fn bind(&self, gpu: &Gpu, buffers: [&wgpu::Buffer; BUFFERS]) -> wgpu::BindGroup {
        let entries: [_; BUFFERS] = std::array::from_fn(|i| wgpu::BindGroupEntry {
            binding: i as u32,
            resource: buffers[i].as_entire_binding(),
        });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("cubes"),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Draws the cubes of the index list. Those across an edge of the frame get draw calls of their
    /// own.
    pub(super) fn draw_listed(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        listed: VisibleCounts,
    ) {
        let full = listed.full + listed.crossing;
        let pipelines = self.pipelines();
        self.draw(pass, &pipelines.listed, group, 0..listed.full);
        self.draw(pass, &pipelines.listed, group, listed.full..full);
        pass.set_pipeline(&pipelines.small);
        pass.draw(full * SMALL_VERTICES..listed.total() * SMALL_VERTICES, 0..1);
    }

    /// Draws a range of the cubes, or of the index list if `pipeline` uses it.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        group: &wgpu::BindGroup,
        cubes: Range<u32>,
    ) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(2, group, &[]);
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        for first in cubes.clone().step_by(BLOCK as usize) {
            let count = BLOCK.min(cubes.end - first);
            pass.draw_indexed(0..count * INDICES, (first * VERTICES).cast_signed(), 0..1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_a_face_begin_at_a_corner_no_other_face_has() {
        for (face, triangles) in FACES.chunks_exact(6).enumerate() {
            let own = face as u16 + 1;
            assert!(triangles.chunks_exact(3).all(|triangle| triangle[0] == own));
            assert_eq!(FACES.iter().filter(|&&vertex| vertex == own).count(), 2);
        }
    }

    #[test]
    fn triangles_of_a_face_form_a_square() {
        // Bits of the axes on whose far side a corner is, as in the shader.
        let far_axes = [0, 6, 5, 3, 1, 2, 4];
        for (axis, triangles) in FACES.chunks_exact(6).enumerate() {
            let corners = triangles.iter().map(|&vertex| far_axes[usize::from(vertex)]);
            let mut corners: Vec<i32> = corners.collect();
            assert!(corners.iter().all(|far| far & 1 << axis == 0), "on the near side");
            // Both share the diagonal from the nearest to the far corner.
            assert_eq!((corners[0], corners[2]), (corners[3], corners[4]));
            corners.sort_unstable();
            corners.dedup();
            assert_eq!(corners.len(), 4);
        }
    }
}
