//! The pipeline, its buffers, and a frame.

use cubefall::render::Size;
use cubefall::sim::CameraView;
use frames::{Cubes, Options, Part, Scene, Stopwatch};
use glam::{Mat4, Vec3};
use wgpu::util::DeviceExt;

use crate::gpu::Gpu;

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const INDICES: u32 = 36;

/// Position and normal.
type Corner = [[f32; 3]; 2];

pub(crate) struct Painter {
    cubes: Cubes,
    pipeline: wgpu::RenderPipeline,
    camera: wgpu::BindGroup,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
    transforms: wgpu::Buffer,
    colors: wgpu::Buffer,
    depth: wgpu::TextureView,
    /// Number of instances to draw.
    instances: u32,
    still: bool,
}

impl Painter {
    pub(crate) fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        scene: Scene,
        options: &Options,
    ) -> Self {
        let buffer = |contents: &[u8], usage| {
            let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
            gpu.device.create_buffer_init(&descriptor)
        };
        let streamed = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
        let pipeline = pipeline(gpu, format);
        let matrix = view_projection(&scene.camera, options.size);
        let camera = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer(bytemuck::bytes_of(&matrix), wgpu::BufferUsages::UNIFORM)
                    .as_entire_binding(),
            }],
        });
        let (corners, indices) = mesh();
        Self {
            pipeline,
            camera,
            corners: buffer(bytemuck::cast_slice(&corners), wgpu::BufferUsages::VERTEX),
            indices: buffer(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            transforms: buffer(bytemuck::cast_slice(&scene.cubes.transforms), streamed),
            colors: buffer(bytemuck::cast_slice(&scene.cubes.colors), wgpu::BufferUsages::VERTEX),
            depth: gpu.attachment(options.size, DEPTH),
            instances: if options.culled { 0 } else { options.cubes },
            cubes: scene.cubes,
            still: options.still,
        }
    }

    /// Moves the cubes, unless they are static, and uploads their transforms.
    pub(crate) fn prepare(&mut self, gpu: &Gpu, watch: &mut Stopwatch) {
        if self.still {
            return;
        }
        self.cubes.step();
        watch.lap(Part::Simulate);
        gpu.queue.write_buffer(&self.transforms, 0, bytemuck::cast_slice(&self.cubes.transforms));
        watch.lap(Part::Upload);
    }

    /// Draws all cubes.
    pub(crate) fn draw(&self, gpu: &Gpu, view: &wgpu::TextureView, watch: &mut Stopwatch) {
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.2, g: 0.35, b: 0.6, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.camera, &[]);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_vertex_buffer(1, self.transforms.slice(..));
        pass.set_vertex_buffer(2, self.colors.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..INDICES, 0, 0..self.instances);
        drop(pass);
        let commands = encoder.finish();
        watch.lap(Part::Encode);
        gpu.queue.submit([commands]);
        watch.lap(Part::Submit);
    }
}

fn pipeline(gpu: &Gpu, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let shader = gpu.device.create_shader_module(wgpu::include_wgsl!("floor.wgsl"));
    let corner = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
    let transform = wgpu::vertex_attr_array![2 => Float32x3, 3 => Float32, 4 => Float32x4];
    let color = wgpu::vertex_attr_array![5 => Unorm8x4];
    let layout = |array_stride, step_mode, attributes| {
        Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
    };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[
                layout(24, wgpu::VertexStepMode::Vertex, &corner),
                layout(32, wgpu::VertexStepMode::Instance, &transform),
                layout(4, wgpu::VertexStepMode::Instance, &color),
            ],
        },
        primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn view_projection(camera: &CameraView, size: Size) -> Mat4 {
    let [up, forward] = [Vec3::Y, Vec3::NEG_Z].map(|axis| camera.rotation.0 * axis);
    let view = glam::camera::rh::view::look_to_mat4(camera.position.0, forward, up);
    let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
        camera.lens.fov_y,
        size.aspect(),
        camera.lens.near,
    );
    projection * view
}

/// Four corners and two triangles, counter-clockwise from outside, per face.
fn mesh() -> ([Corner; 24], [u16; INDICES as usize]) {
    let corners = std::array::from_fn(|i| {
        let (axis, sign) = (i / 8, if i / 4 % 2 == 0 { 1.0 } else { -1.0 });
        let normal = Vec3::AXES[axis] * sign;
        let u = Vec3::AXES[(axis + 1) % 3] * if matches!(i % 4, 1 | 2) { 1.0 } else { -1.0 };
        let v = Vec3::AXES[(axis + 2) % 3] * if i % 4 >= 2 { sign } else { -sign };
        [((normal + u + v) / 2.0).to_array(), normal.to_array()]
    });
    let indices = std::array::from_fn(|i| (i / 6 * 4) as u16 + [0, 1, 2, 0, 2, 3][i % 6]);
    (corners, indices)
}
