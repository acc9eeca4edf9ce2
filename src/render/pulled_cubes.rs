//! Pulled cubes: the vertex shader fetches each cube from storage buffers and makes the three faces
//! that are turned to the camera.
//!
//! Nothing is instanced: meshes of a dozen triangles leave most of a GPU's vertex lanes empty, and
//! three of six faces are never seen. The index buffer holds the faces of a block of cubes and is
//! used again for each block, moved on by the base vertex.

use std::ops::Range;

use super::Gpu;
use super::culling::VisibleCounts;
use super::scene_shader::{Draw, Entry, SceneShader};

/// Cubes of a block: as many as 16-bit indices reach.
const BLOCK: u32 = 8192;
/// The corners of a cube that can be seen; `VERTICES_PER_CUBE` in `shaders/cubes.wgsl`.
const VERTICES: u32 = 7;
const INDICES: u32 = 18;
const SMALL_VERTICES: u32 = 3;

/// Two triangles to each of the three faces; both begin at the face's far corner.
const FACES: [u16; INDICES as usize] = [1, 5, 0, 1, 0, 6, 2, 4, 0, 2, 0, 6, 3, 4, 0, 3, 0, 5];

const _: () = assert!(BLOCK * VERTICES <= u16::MAX as u32 + 1);

/// The arrays that are pulled from, in the order of their bindings.
const ARRAYS: u32 = 5;

/// Pipelines and indices, unchanged from frame to frame.
pub(super) struct PulledCubes {
    layout: wgpu::BindGroupLayout,
    all: wgpu::RenderPipeline,
    listed: wgpu::RenderPipeline,
    small: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    indices: wgpu::Buffer,
}

impl PulledCubes {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader) -> Self {
        let entries: [_; ARRAYS as usize] =
            std::array::from_fn(|binding| wgpu::BindGroupLayoutEntry {
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
        let cubes = |label, entry, listed| Draw {
            label,
            entry,
            cubes: Some(&layout),
            listed,
            ..Draw::default()
        };
        let indices: Vec<u16> = (0..BLOCK)
            .flat_map(|cube| FACES.map(|vertex| (cube * VERTICES) as u16 + vertex))
            .collect();
        Self {
            all: shader.pipeline(gpu, &cubes("cubes", Entry::PulledCubes, false)),
            listed: shader.pipeline(gpu, &cubes("listed cubes", Entry::PulledCubes, true)),
            small: shader.pipeline(gpu, &cubes("small cubes", Entry::SmallCubes, true)),
            shadow: shader
                .shadow_pipeline(gpu, &cubes("shadows of cubes", Entry::PulledCubes, false)),
            indices: gpu.filled_buffer(
                "cube indices",
                bytemuck::cast_slice(&indices),
                wgpu::BufferUsages::INDEX,
            ),
            layout,
        }
    }

    /// Binds the arrays: positions, rotations, scales, colours, and the list.
    pub(super) fn bind(&self, gpu: &Gpu, arrays: [&wgpu::Buffer; 5]) -> wgpu::BindGroup {
        let entries: [_; ARRAYS as usize] = std::array::from_fn(|i| wgpu::BindGroupEntry {
            binding: i as u32,
            resource: arrays[i].as_entire_binding(),
        });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("cubes"),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Draws `count` cubes, all of the arrays.
    pub(super) fn draw_all(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: &wgpu::BindGroup,
        count: u32,
    ) {
        pass.set_pipeline(&self.all);
        self.draw_blocks(pass, arrays, 0..count);
    }

    /// Draws cubes of the list: two runs in full, kept apart, and behind them the small ones.
    pub(super) fn draw_listed(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: &wgpu::BindGroup,
        listed: VisibleCounts,
    ) {
        let full = listed.full + listed.crossing;
        pass.set_pipeline(&self.listed);
        self.draw_blocks(pass, arrays, 0..listed.full);
        self.draw_blocks(pass, arrays, listed.full..full);
        pass.set_pipeline(&self.small);
        pass.draw(full * SMALL_VERTICES..listed.total() * SMALL_VERTICES, 0..1);
    }

    /// Draws the shadows of `count` cubes, all of the arrays.
    pub(super) fn draw_shadows(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: &wgpu::BindGroup,
        count: u32,
    ) {
        pass.set_pipeline(&self.shadow);
        self.draw_blocks(pass, arrays, 0..count);
    }

    fn draw_blocks(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        arrays: &wgpu::BindGroup,
        cubes: Range<u32>,
    ) {
        pass.set_bind_group(2, arrays, &[]);
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
    fn each_face_begins_at_the_corner_that_is_its_own() {
        for (face, triangles) in FACES.chunks_exact(6).enumerate() {
            let own = face as u16 + 1;
            assert!(triangles.chunks_exact(3).all(|triangle| triangle[0] == own));
            let elsewhere = FACES.iter().filter(|&&vertex| vertex == own).count() - 2;
            assert_eq!(elsewhere, 0, "no other face has it");
        }
    }

    #[test]
    fn triangles_of_a_face_are_its_square() {
        // Bits of the axes on whose far side a corner lies, as in the shader.
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
