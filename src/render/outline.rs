//! The outline of the selected cube.
//!
//! Pipelines and buffer are created when a cube is selected for the first time.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::scene_shader::{PipelineSettings, SceneShader};
use super::{Gpu, RenderError, Size, attachments};
use crate::components::{Position, Rotation, Scale, Transform};

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
    pad: Vec2,
}

const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Float32, 3 => Float32x2];

const _: () = assert!(ATTRIBUTES[1].offset as usize == offset_of!(OutlineInstance, position));
const _: () = assert!(ATTRIBUTES[2].offset as usize == offset_of!(OutlineInstance, scale));
const _: () = assert!(ATTRIBUTES[3].offset as usize == offset_of!(OutlineInstance, half_size));

const LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<OutlineInstance>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &ATTRIBUTES,
};

/// Draws the outline of one cube.
#[derive(Default)]
pub(super) struct Outline {
    resources: Option<Resources>,
    visible: bool,
}

struct Resources {
    /// Draws the line where nothing hides it.
    unhidden: wgpu::RenderPipeline,
    /// Draws the line where something hides it.
    hidden: wgpu::RenderPipeline,
    instance: wgpu::Buffer,
}

impl Outline {
    /// Uploads the cube to outline, if there is one.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        outlined: Option<Transform>,
        size: Size,
    ) -> Result<(), RenderError> {
        self.visible = outlined.is_some();
        let Some(Transform { position, rotation, scale }) = outlined else { return Ok(()) };
        let half_size = Vec2::new(size.width() as f32, size.height() as f32) / 2.0;
        let instance = OutlineInstance { rotation, position, scale, half_size, pad: Vec2::ZERO };
        let resources = match &mut self.resources {
            Some(resources) => resources,
            none => none.insert(Resources::new(gpu, shader)?),
        };
        gpu.queue.write_buffer(&resources.instance, 0, bytemuck::bytes_of(&instance));
        Ok(())
    }

    /// Draws the line if there is one. Comes last: it tests against the depth of everything else.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(resources) = self.resources.as_ref().filter(|_| self.visible) else { return };
        pass.set_vertex_buffer(0, resources.instance.slice(..));
        pass.set_pipeline(&resources.unhidden);
        pass.draw(0..2 * VERTICES, 0..1);
        pass.set_pipeline(&resources.hidden);
        // Without the dark rim.
        pass.draw(VERTICES..2 * VERTICES, 0..1);
    }
}

impl Resources {
    fn new(gpu: &Gpu, shader: &SceneShader) -> Result<Self, RenderError> {
        let pipeline = |label, fragment, depth| {
            let settings = PipelineSettings {
                label,
                vertex: "vs_outline",
                fragment: Some(fragment),
                vertex_buffers: &[Some(LAYOUT)],
                depth,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                ..Default::default()
            };
            shader.pipeline(gpu, &settings)
        };
        let hidden_depth = attachments::hidden_depth_state();
        Ok(Self {
            unhidden: pipeline("outline", "fs_outline", attachments::depth_state(false)),
            hidden: pipeline("hidden outline", "fs_hidden_outline", hidden_depth),
            instance: gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some("outlined cube"),
                size: size_of::<OutlineInstance>() as u64,
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
        let names = ["rotation", "position", "scale", "half_size"];
        let expected = ATTRIBUTES.iter().zip(names).map(|(attribute, name)| {
            (attribute.shader_location, (name.to_owned(), attribute.format.size() as u32))
        });
        assert_eq!(Shader::scene().vertex_inputs("vs_outline"), expected.collect());
    }
}
