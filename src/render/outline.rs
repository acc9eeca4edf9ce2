//! The outlines of the selected cube and of the cube under the pointer.
//!
//! Pipelines and buffer are created when a cube is outlined for the first time.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use super::scene_shader::{PipelineSettings, SceneShader};
use super::upload::Upload;
use super::{Gpu, RenderError, SceneView, Size, attachments};
use crate::components::{Position, Rotation, Scale, Transform};

/// Smallest edge of an outlined cube, in pixels; smaller ones get the outline of a cube of this size.
const MIN_PIXELS: f32 = 14.0;

/// Vertices of the triangle that dims the frame.
const DIM_VERTICES: u32 = 3;

/// Two triangles per edge of the cube, as in `shaders/outline.wgsl`.
const VERTICES: u32 = 6 * 12;

/// `OutlineInput` in `shaders/outline.wgsl`, field by field.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct OutlineInstance {
    rotation: Rotation,
    position: Position,
    scale: Scale,
    /// Half the size of the frame, in pixels.
    half_size: Vec2,
    /// 1 for the selected cube, 0 for the one under the pointer.
    selected: f32,
    pad: f32,
}

const ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x4, 1 => Float32x3, 2 => Float32, 3 => Float32x2, 4 => Float32];

const _: () = assert!(size_of::<OutlineInstance>() == 48);
const _: () = assert!(ATTRIBUTES[1].offset as usize == offset_of!(OutlineInstance, position));
const _: () = assert!(ATTRIBUTES[2].offset as usize == offset_of!(OutlineInstance, scale));
const _: () = assert!(ATTRIBUTES[3].offset as usize == offset_of!(OutlineInstance, half_size));
const _: () = assert!(ATTRIBUTES[4].offset as usize == offset_of!(OutlineInstance, selected));

const LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<OutlineInstance>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &ATTRIBUTES,
};

/// Draws the outlines of up to two cubes.
#[derive(Default)]
pub(super) struct Outline {
    resources: Option<Resources>,
    /// Number of outlines.
    count: u32,
    dims_others: bool,
}

struct Resources {
    /// Draws the line where nothing hides it.
    unhidden: wgpu::RenderPipeline,
    /// Draws the line where something hides it.
    hidden: wgpu::RenderPipeline,
    /// Darkens the frame outside of the selected cube.
    dim: wgpu::RenderPipeline,
    instances: wgpu::Buffer,
}

impl Outline {
    /// Uploads the cubes to outline, if there are any. Returns the bytes of the upload.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<u64, RenderError> {
        let field = scene.field_view();
        let instance = |cube: Transform, selected| {
            let seen = field.map_or(cube, |field| field.transform(cube));
            OutlineInstance::new(seen, selected, scene, size)
        };
        // The selected one first: the triangle that dims the others has its instance, 0.
        let selected = scene.outlined.map(|cube| instance(cube, 1.0));
        let hovered = scene.hovered.map(|cube| instance(cube, 0.0));
        let instances: Vec<_> = selected.into_iter().chain(hovered).collect();
        self.count = instances.len() as u32;
        self.dims_others = scene.dims_others && selected.is_some();
        if self.count == 0 {
            return Ok(0);
        }
        let resources = match &mut self.resources {
            Some(resources) => resources,
            none => none.insert(Resources::new(gpu, shader)?),
        };
        upload.copy(gpu, &resources.instances, 0, bytemuck::cast_slice(&instances))?;
        Ok(size_of_val(&instances[..]) as u64)
    }

    /// Draws the lines if there are any. Comes last: it tests against the depth of everything else.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(resources) = self.resources.as_ref().filter(|_| self.count > 0) else { return };
        pass.set_vertex_buffer(0, resources.instances.slice(..));
        if self.dims_others {
            pass.set_pipeline(&resources.dim);
            pass.draw(0..DIM_VERTICES, 0..1);
        }
        pass.set_pipeline(&resources.unhidden);
        pass.draw(0..2 * VERTICES, 0..self.count);
        pass.set_pipeline(&resources.hidden);
        // Without the dark rim.
        pass.draw(VERTICES..2 * VERTICES, 0..self.count);
    }
}

impl OutlineInstance {
    /// Returns the instance of a cube, which is enlarged if it is smaller than [`MIN_PIXELS`].
    fn new(cube: Transform, selected: f32, scene: &SceneView<'_>, size: Size) -> Self {
        let Transform { position, rotation, scale } = cube;
        let forward = scene.camera_rotation.0 * Vec3::NEG_Z;
        let ahead = forward.dot(position.0 - scene.camera_position.0);
        // The length at the cube that is one pixel in the frame.
        let pixel = 2.0 * ahead * (scene.lens.fov_y / 2.0).tan() / size.height() as f32;
        let scale = Scale(scale.0.max(MIN_PIXELS * pixel));
        let half_size = Vec2::new(size.width() as f32, size.height() as f32) / 2.0;
        Self { rotation, position, scale, half_size, selected, pad: 0.0 }
    }
}

impl Resources {
    fn new(gpu: &Gpu, shader: &SceneShader) -> Result<Self, RenderError> {
        let pipeline = |label, vertex, fragment, depth| {
            let settings = PipelineSettings {
                label,
                vertex,
                fragment: Some(fragment),
                vertex_buffers: &[Some(LAYOUT)],
                depth,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                ..Default::default()
            };
            shader.pipeline(gpu, &settings)
        };
        let hidden_depth = attachments::hidden_depth_state();
        let everywhere = wgpu::DepthStencilState {
            depth_compare: Some(wgpu::CompareFunction::Always),
            ..attachments::depth_state(false)
        };
        Ok(Self {
            unhidden: pipeline(
                "outline",
                "vs_outline",
                "fs_outline",
                attachments::depth_state(false),
            ),
            hidden: pipeline("hidden outline", "vs_outline", "fs_hidden_outline", hidden_depth),
            dim: pipeline("dim", "vs_dim", "fs_dim", everywhere),
            instances: gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some("outlined cubes"),
                size: 2 * size_of::<OutlineInstance>() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::scene_shader::tests::Shader;

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_locations() {
        let names = ["rotation", "position", "scale", "half_size", "selected"];
        let expected = ATTRIBUTES.iter().zip(names).map(|(attribute, name)| {
            (attribute.shader_location, (name.to_owned(), attribute.format.size() as u32))
        });
        assert_eq!(Shader::scene().vertex_inputs("vs_outline"), expected.collect());
    }
}
