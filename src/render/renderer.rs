//! Renderer: a frame from packed arrays to recorded draws.

use super::cube_pipeline::CubePipeline;
use super::globals::Globals;
use super::instance_stream::InstanceStream;
use super::sky_pipeline::SkyPipeline;
use super::{Gpu, RenderError, Size, depth};
use crate::components::{Color, Lens, Transform};

/// What one frame shows.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where the camera is and which way it looks.
    pub camera: Transform,
    /// How the camera sees.
    pub lens: Lens,
    /// One to a cube.
    pub transforms: &'a [Transform],
    /// One to a cube, in the order of `transforms`.
    pub colors: &'a [Color],
    /// Grows whenever `colors` may have changed.
    pub colors_revision: u64,
}

/// Draws scenes onto targets of one format.
pub struct Renderer {
    globals: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    cubes: CubePipeline,
    sky: SkyPipeline,
    transforms: InstanceStream<Transform>,
    colors: InstanceStream<Color>,
    /// Revision of the colours on the GPU.
    colors_revision: Option<u64>,
    count: u32,
}

impl Renderer {
    /// Makes the pipelines for targets of `format`, which must encode sRGB: the shaders put out
    /// linear light.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = &gpu.device;
        let shader = device.create_shader_module(wgpu::include_wgsl!("../../shaders/scene.wgsl"));
        let globals = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bind_group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("globals"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: wgpu::BufferSize::new(size_of::<Globals>() as u64),
                },
                count: None,
            }],
        });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &bind_group_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() }],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("scene"),
            bind_group_layouts: &[Some(&bind_group_layout)],
            immediate_size: 0,
        });
        Self {
            globals,
            bindings,
            cubes: CubePipeline::new(gpu, &shader, &layout, format),
            sky: SkyPipeline::new(gpu, &shader, &layout, format),
            transforms: InstanceStream::new(gpu, "transforms"),
            colors: InstanceStream::new(gpu, "colors"),
            colors_revision: None,
            count: 0,
        }
    }

    /// Writes what the frame needs into GPU buffers: the camera, the transforms as they lie, and
    /// the colours if they changed.
    ///
    /// # Errors
    /// There are more cubes than the device can hold.
    ///
    /// # Panics
    /// `transforms` and `colors` differ in length.
    pub fn prepare(&mut self, gpu: &Gpu, scene: &Scene<'_>, size: Size) -> Result<(), RenderError> {
        assert_eq!(scene.transforms.len(), scene.colors.len(), "one colour to a cube");
        gpu.check_capacity(scene.transforms.len())?;
        let globals = Globals::new(&scene.camera, scene.lens, size);
        gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.transforms.write(gpu, scene.transforms);
        if self.colors_revision != Some(scene.colors_revision) {
            self.colors.write(gpu, scene.colors);
            self.colors_revision = Some(scene.colors_revision);
        }
        self.count = scene.transforms.len() as u32;
        Ok(())
    }

    /// Records and submits the prepared frame as one pass onto `color` and `depth`, which have the
    /// same size.
    pub(super) fn submit(
        &self,
        gpu: &Gpu,
        color: &wgpu::TextureView,
        depth: &wgpu::TextureView,
    ) -> wgpu::SubmissionIndex {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    // The sky covers all that the cubes leave.
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(depth::attachment(depth)),
            ..Default::default()
        });
        self.render(&mut pass);
        drop(pass);
        gpu.queue.submit([encoder.finish()])
    }

    fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.bindings, &[]);
        self.cubes.draw(pass, self.transforms.buffer(), self.colors.buffer(), self.count);
        self.sky.draw(pass);
    }
}
