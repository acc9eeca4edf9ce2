//! Outline: the line around a cube that is selected.
//!
//! Nothing of it exists until a cube is selected for the first time, and nothing is drawn while none
//! is.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::scene_shader::{Draw, Entry, SceneShader};
use super::{Gpu, RenderError, Size, attachments};
use crate::components::{Position, Rotation, Scale, Transform};

/// Corners of a rectangle's two triangles, edges of a cube; as in `shaders/outline.wgsl`.
const VERTICES: u32 = 6 * 12;

/// The one instance that is drawn.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Outlined {
    rotation: Rotation,
    position: Position,
    scale: Scale,
    /// Half the size of the picture, in pixels.
    half_size: Vec2,
    pad: Vec2,
}

const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Float32, 3 => Float32x2];

const _: () = assert!(ATTRIBUTES[1].offset as usize == offset_of!(Outlined, position));
const _: () = assert!(ATTRIBUTES[2].offset as usize == offset_of!(Outlined, scale));
const _: () = assert!(ATTRIBUTES[3].offset as usize == offset_of!(Outlined, half_size));

const LAYOUT: wgpu::VertexBufferLayout<'_> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Outlined>() as wgpu::BufferAddress,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &ATTRIBUTES,
};

/// Draws the outline of one cube.
#[derive(Default)]
pub(super) struct Outline {
    pen: Option<Pen>,
    /// Whether the prepared frame shows it.
    shown: bool,
}

/// What it is drawn with.
struct Pen {
    /// Where nothing hides the line.
    seen: wgpu::RenderPipeline,
    /// Where something does.
    hidden: wgpu::RenderPipeline,
    instance: wgpu::Buffer,
}

impl Outline {
    /// Brings the cube to be outlined to the GPU, if there is one.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        outlined: Option<Transform>,
        size: Size,
    ) -> Result<(), RenderError> {
        self.shown = outlined.is_some();
        let Some(Transform { position, rotation, scale }) = outlined else { return Ok(()) };
        let half_size = Vec2::new(size.width() as f32, size.height() as f32) / 2.0;
        let instance = Outlined { rotation, position, scale, half_size, pad: Vec2::ZERO };
        let pen = match &mut self.pen {
            Some(pen) => pen,
            none => none.insert(Pen::new(gpu, shader)?),
        };
        gpu.queue.write_buffer(&pen.instance, 0, bytemuck::bytes_of(&instance));
        Ok(())
    }

    /// Draws the line, if the prepared frame has one; after all else, which may hide it.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(pen) = self.pen.as_ref().filter(|_| self.shown) else { return };
        pass.set_vertex_buffer(0, pen.instance.slice(..));
        pass.set_pipeline(&pen.seen);
        pass.draw(0..2 * VERTICES, 0..1);
        pass.set_pipeline(&pen.hidden);
        // The line without its rim.
        pass.draw(VERTICES..2 * VERTICES, 0..1);
    }
}

impl Pen {
    fn new(gpu: &Gpu, shader: &SceneShader) -> Result<Self, RenderError> {
        let pipeline = |label, entry, depth_test| {
            let draw = Draw {
                label,
                entry,
                vertex_buffers: &[Some(LAYOUT)],
                depth_test,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                ..Draw::default()
            };
            shader.pipeline(gpu, &draw)
        };
        Ok(Self {
            seen: pipeline("outline", Entry::Outline, attachments::depth_test(false)),
            hidden: pipeline("hidden outline", Entry::HiddenOutline, attachments::hidden_test()),
            instance: gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some("outlined cube"),
                size: size_of::<Outlined>() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::shader_check::Shader;

    #[test]
    fn the_shader_reads_what_the_instance_holds_under_the_same_names() {
        let names = ["rotation", "position", "scale", "half_size"];
        let held = ATTRIBUTES.iter().zip(names).map(|(attribute, name)| {
            (attribute.shader_location, (name.to_owned(), attribute.format.size() as u32))
        });
        assert_eq!(Shader::scene().vertex_inputs("vs_outline"), held.collect());
    }
}
