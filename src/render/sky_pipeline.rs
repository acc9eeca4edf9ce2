//! Sky pipeline: the gradient behind the cubes.

use super::{Gpu, depth};

/// Fills what no cube covers.
pub(super) struct SkyPipeline(wgpu::RenderPipeline);

impl SkyPipeline {
    pub(super) fn new(
        gpu: &Gpu,
        shader: &wgpu::ShaderModule,
        layout: &wgpu::PipelineLayout,
        format: wgpu::TextureFormat,
    ) -> Self {
        Self(gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("sky"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module: shader,
                entry_point: Some("vs_sky"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(depth::test(false)),
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: shader,
                entry_point: Some("fs_sky"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        }))
    }

    /// Draws one triangle over the picture, at infinity: last, so that what the cubes hide is never
    /// shaded.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.0);
        pass.draw(0..3, 0..1);
    }
}
